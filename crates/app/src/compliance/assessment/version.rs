//! Assessments over time: serialises and parses the fields of a version.

use std::str::FromStr;

use domain::{
    assessment::{AppliesOverride, Assessment, CarriedFrom, Signed},
    page::{Page, PageRequest},
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{
    Reader,
    assessment::{self as rows, AssessmentRow},
    version,
};

use crate::{Compliance, Error, Result, authz::Caller, records::Version};

/// The fields as stored in the audit log and in earlier versions.
pub(crate) fn fields(assessment: &Assessment) -> Value {
    let signed = |signed: &Option<Signed>| signed.as_ref().map(|s| (s.at, s.by.clone())).unzip();
    let (assessed_at, assessed_by): (Option<_>, Option<_>) = signed(&assessment.assessed);
    let (approved_at, approved_by): (Option<_>, Option<_>) = signed(&assessment.approved);
    json!({
        "status": assessment.status,
        "applies": assessment.applies.as_ref().map(|word| word.applies),
        "applies_reason": assessment.applies.as_ref().map(|word| word.reason.as_str()),
        "maturity": assessment.maturity,
        "rationale": assessment.rationale.as_ref().map(Prose::as_str),
        "owner": assessment.owner.as_ref().map(Name::as_str),
        "due_on": assessment.due_on,
        "next_review_on": assessment.next_review_on,
        "assessed_at": assessed_at,
        "assessed_by": assessed_by,
        "approved_at": approved_at,
        "approved_by": approved_by,
        "changed_by": assessment.changed_by,
        "editors": assessment.editors,
        "carried_from": assessment.carried_from.as_ref().map(|from| &from.requirement),
        "crosswalk": assessment.carried_from.as_ref().map(|from| &from.crosswalk),
    })
}

/// The assessment with these stored fields.
pub(super) fn from_fields(kept: &Value) -> Result<Assessment> {
    let reason = optional(kept, "applies_reason", Prose::parse)?;
    let text = |name: &str| kept[name].as_str().map(str::to_owned);
    Ok(Assessment {
        status: optional(kept, "status", FromStr::from_str)?
            .ok_or_else(|| Error::internal("a version without a status"))?,
        applies: kept["applies"]
            .as_bool()
            .zip(reason)
            .map(|(applies, reason)| AppliesOverride { applies, reason }),
        maturity: kept["maturity"].as_u64().and_then(|level| u8::try_from(level).ok()),
        rationale: optional(kept, "rationale", Prose::parse)?,
        owner: optional(kept, "owner", Name::parse)?,
        due_on: optional(kept, "due_on", FromStr::from_str)?,
        next_review_on: optional(kept, "next_review_on", FromStr::from_str)?,
        assessed: signed(kept, "assessed")?,
        approved: signed(kept, "approved")?,
        changed_by: text("changed_by"),
        editors: kept["editors"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|by| by.as_str().map(str::to_owned))
            .collect(),
        carried_from: text("carried_from")
            .zip(text("crosswalk"))
            .map(|(requirement, crosswalk)| CarriedFrom { requirement, crosswalk }),
    })
}

fn optional<T, E: std::fmt::Display>(
    kept: &Value,
    name: &str,
    parse: impl Fn(&str) -> std::result::Result<T, E>,
) -> Result<Option<T>> {
    let read = |text| parse(text).map_err(|error| Error::internal(format!("{name}: {error}")));
    kept[name].as_str().map(read).transpose()
}

fn signed(kept: &Value, what: &str) -> Result<Option<Signed>> {
    let at = optional(kept, &format!("{what}_at"), FromStr::from_str)?;
    let by = kept[format!("{what}_by")].as_str().map(str::to_owned);
    Ok(at.zip(by).map(|(at, by)| Signed { at, by }))
}

fn current(row: &AssessmentRow) -> Version {
    Version {
        number: row.version,
        from: row.updated_at,
        until: None,
        replaced_by: None,
        fields: fields(&row.assessment),
    }
}

impl Compliance {
    /// A page of the versions of an assessment, the current one first. One that was never changed has none.
    pub async fn assessment_versions(
        &self,
        caller: &Caller,
        requirement: &str,
        request: PageRequest,
    ) -> Result<Page<Version>> {
        let (scope, id) = (*caller.scope(), self.known_requirement(caller, requirement).await?);
        let read = move |r: &mut Reader<'_>| {
            let Some(row) = rows::get(r, &scope, &id)? else { return Ok(Page::new(Vec::new(), 0, request)) };
            let total = version::count(r, &scope, &id)? + 1;
            // The current version is in its own table, before the earlier ones.
            let is_first = request.offset() == 0;
            let limit = u64::from(request.limit()) - u64::from(is_first);
            let mut items: Vec<Version> = is_first.then(|| current(&row)).into_iter().collect();
            for earlier in version::list(r, &scope, &id, limit, request.offset().saturating_sub(1))? {
                items.push(Version::try_from(earlier)?);
            }
            Ok(Page::new(items, total, request))
        };
        self.db.tenant(&scope).read(read).await
    }

    pub async fn assessment_version(
        &self,
        caller: &Caller,
        requirement: &str,
        number: i64,
    ) -> Result<Version> {
        let (scope, id) = (*caller.scope(), self.known_requirement(caller, requirement).await?);
        let read = move |r: &mut Reader<'_>| {
            let row = rows::get(r, &scope, &id)?.ok_or(Error::NotFound)?;
            if row.version == number {
                return Ok(current(&row));
            }
            Version::try_from(version::get(r, &scope, &id, number)?.ok_or(Error::NotFound)?)
        };
        self.db.tenant(&scope).read(read).await
    }

    /// The id of a requirement of the catalogue or of the institution's own.
    async fn known_requirement(&self, caller: &Caller, requirement: &str) -> Result<String> {
        let edition = self.edition_of(caller).await?;
        edition.requirements.get(requirement).map(|found| found.id.to_string()).ok_or(Error::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use domain::{assessment::AssessmentStatus, moment::Moment};

    use super::*;

    #[test]
    fn fields_are_read_as_they_were_written() {
        let signed =
            |by: &str| Some(Signed { at: Moment::from_millis(1_794_664_800_123), by: by.to_owned() });
        let full = Assessment {
            status: AssessmentStatus::PartlyMet,
            applies: Some(AppliesOverride { applies: false, reason: Prose::parse("Not ours").unwrap() }),
            maturity: Some(3),
            rationale: Some(Prose::parse("Two of three").unwrap()),
            owner: Some(Name::parse("Dana Weber").unwrap()),
            due_on: Some("2027-01-31".parse().unwrap()),
            next_review_on: Some("2027-06-30".parse().unwrap()),
            assessed: signed("usr_1"),
            approved: signed("usr_2"),
            changed_by: Some("usr_1".into()),
            editors: vec!["usr_1".into(), "usr_3".into()],
            carried_from: Some(CarriedFrom { requirement: "a-1".into(), crosswalk: "crosswalk-a".into() }),
        };
        assert_eq!(from_fields(&fields(&full)).unwrap(), full);
        assert_eq!(from_fields(&fields(&Assessment::UNTOUCHED)).unwrap(), Assessment::UNTOUCHED);
        assert!(from_fields(&json!({})).is_err());
    }
}
