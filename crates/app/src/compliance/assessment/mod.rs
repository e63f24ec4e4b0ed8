//! Assessments: the institution's own judgement of every requirement of the catalogue.
//!
//! Only changed assessments are stored. Related values are computed when they are read: whether the requirement
//! applies according to the profile, what the controls suggest, and how many findings are open.

mod change;
mod decision;
mod list;
mod related;
mod summary;
mod version;

use std::collections::HashMap;

use domain::{
    assessment::{Assessment, ControlState, JustificationSource, Proposal, StatedApplicability},
    evidence::LinkType,
    id::EvidenceId,
    moment::{Day, Moment},
    profile::Facts,
    wording::{Language, Sentence as _},
};
use store::{
    Reader, Revision, TenantScope, assessment as rows, control, evidence_link, measure_use, profile,
};

use crate::{
    Compliance, Error, Result,
    authz::Caller,
    catalogue::{
        Edition,
        applicability::{AppliesReason, VerdictWord},
        framework::Requirement,
    },
    control::CompactControl,
    history::Detail,
};

use self::related::{MetElsewhere, or_related};
pub use self::{
    change::MOST_AT_ONCE,
    decision::STATEMENT,
    list::AssessmentFilter,
    summary::{FrameworkSummary, MetDay, PartSummary, TrendDay},
};
pub(crate) use self::{
    decision::{name_of, standing, statement_standing},
    list::{at_end_of, of_requirements},
    summary::{keep_today, summaries_as_of, tallies},
    version::fields,
};
pub use store::assessment::AssessmentRow;

/// An assessment with its computed values.
#[derive(Debug, Clone, PartialEq)]
pub struct AssessmentView {
    pub row: AssessmentRow,
    /// Whether the requirement applies according to the profile.
    pub by_profile: bool,
    pub profile_reason: AppliesReason,
    pub proposal: Proposal,
    /// The controls that address the requirement, including retired ones.
    pub controls: Vec<CompactControl>,
    pub open_findings: u64,
    pub evidence: Vec<EvidenceId>,
    /// Whether some of that evidence has expired.
    pub has_expired_evidence: bool,
    /// The verdict of the profile; the day if the requirement applies from a later one.
    pub verdict: VerdictWord,
    pub applies_from: Option<Day>,
    /// The day of the latest change of the requirement, if the assessment is older and is to be confirmed again.
    pub changed_on: Option<Day>,
}

impl AssessmentView {
    pub fn applies(&self) -> bool {
        self.row.assessment.applies(self.by_profile)
    }

    /// The day from which it will apply, unless a person decided whether it does.
    pub fn begins_on(&self) -> Option<Day> {
        self.applies_from.filter(|_| self.row.assessment.applies.is_none())
    }

    /// Whether it was approved but rests on expired evidence.
    pub fn is_in_doubt(&self) -> bool {
        self.row.assessment.approved.is_some() && self.has_expired_evidence
    }

    /// What the institution decided about its applicability.
    pub fn stated(&self) -> StatedApplicability {
        self.row.assessment.stated(self.by_profile)
    }

    /// The institution's own justification, or one that the profile proposes.
    pub fn justification(&self, language: Language) -> Justification {
        let said = &self.row.assessment;
        let own = said.rationale.as_ref().or(said.applies.as_ref().map(|word| &word.reason));
        match own {
            Some(text) => Justification { text: text.to_string(), source: JustificationSource::Own },
            None => Justification {
                text: self.profile_reason.text(language),
                source: JustificationSource::Proposed,
            },
        }
    }

    /// Why it applies or not: the reason given by a user, or that of the profile.
    pub fn applies_reason(&self, language: Option<Language>) -> String {
        match (&self.row.assessment.applies, language) {
            (Some(word), _) => word.reason.to_string(),
            (None, Some(language)) => self.profile_reason.text(language),
            (None, None) => self.profile_reason.to_string(),
        }
    }
}

/// The justification of a line of the statement of applicability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Justification {
    pub text: String,
    /// Proposed if it only follows from the profile, because the institution gave none.
    pub source: JustificationSource,
}

/// The facts about the institution that decide which requirements apply.
pub(crate) fn facts(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Facts> {
    profile::facts(reader, scope).map_err(Error::from)
}

/// The day of the latest change of a requirement, if it was assessed before that day and not since.
pub(crate) fn unconfirmed_since(
    edition: &Edition,
    requirement: &str,
    said: &Assessment,
    today: Day,
) -> Option<Day> {
    let assessed = said.assessed.as_ref()?.at;
    let changed = edition.changes_of(requirement).map(|change| change.date).find(|date| *date <= today)?;
    (assessed < changed.start()).then_some(changed)
}

/// A requirement without an assessment.
fn untouched(requirement: &Requirement) -> AssessmentRow {
    AssessmentRow {
        requirement: requirement.id.to_string(),
        assessment: Assessment::UNTOUCHED,
        version: 0,
        created_at: Moment::from_millis(0),
        updated_at: Moment::from_millis(0),
    }
}

/// The controls of a tenant by what they address.
struct Answers {
    controls: Vec<CompactControl>,
    by_key: HashMap<String, Vec<usize>>,
}

impl Answers {
    fn of(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Self> {
        let controls = control::compact(reader, scope)?;
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, control) in controls.iter().enumerate() {
            for key in control.measure_id.iter().chain(&control.requirements) {
                by_key.entry(key.clone()).or_default().push(place);
            }
        }
        Ok(Self { controls, by_key })
    }

    /// The controls that address a requirement, by number.
    fn to(&self, edition: &Edition, requirement: &str) -> Vec<CompactControl> {
        let keys = edition.measures_for(requirement).map(|measure| &*measure.id).chain([requirement]);
        let mut places: Vec<usize> = keys.filter_map(|key| self.by_key.get(key)).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|place| self.controls.get(place)).cloned().collect()
    }
}

/// The views of these requirements, in four statements whatever their number.
fn views(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (facts, today): (&Facts, Day),
    chosen: Vec<(&Requirement, AssessmentRow)>,
) -> Result<Vec<AssessmentView>> {
    let answers = Answers::of(reader, scope)?;
    let pairs = chosen.iter().flat_map(|(requirement, _)| {
        let measures = edition.measures_for(&requirement.id).map(|measure| (&*requirement.id, &*measure.id));
        measures.chain([(&*requirement.id, &*requirement.id)])
    });
    let open = measure_use::open_findings(reader, scope, pairs)?;
    let ids = chosen.iter().map(|(requirement, _)| &*requirement.id);
    let mut attached = evidence_link::of_targets(reader, scope, LinkType::Assessment, ids.clone())?;
    let elsewhere = MetElsewhere::of(edition, reader, scope, ids.clone())?;
    let view = |(requirement, row): (&Requirement, AssessmentRow)| {
        let attached = attached.remove(&*requirement.id).unwrap_or_default();
        let verdict = edition.verdict(requirement, facts, today);
        let changed_on = unconfirmed_since(edition, &requirement.id, &row.assessment, today);
        let controls = answers.to(edition, &requirement.id);
        let states = controls
            .iter()
            .map(|control| ControlState { status: control.status, effectiveness: control.effectiveness });
        AssessmentView {
            row,
            by_profile: verdict.applies(),
            verdict: verdict.outcome.word(),
            applies_from: verdict.applies_from(),
            changed_on,
            profile_reason: verdict.reason,
            proposal: or_related(Proposal::of(states), || elsewhere.proposal(edition, &requirement.id)),
            controls,
            open_findings: open.get(&*requirement.id).copied().unwrap_or_default(),
            evidence: attached.iter().map(|one| one.evidence).collect(),
            has_expired_evidence: attached.iter().any(|one| one.is_expired(today)),
        }
    };
    Ok(chosen.into_iter().map(view).collect())
}

/// The current view of one requirement.
fn detail(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    requirement: &str,
    today: Day,
) -> Result<Detail<AssessmentView>> {
    let requirement = edition.requirements.get(requirement).ok_or(Error::NotFound)?;
    let row = rows::get(reader, scope, &requirement.id)?.unwrap_or_else(|| untouched(requirement));
    let facts = facts(reader, scope)?;
    let view = views(edition, reader, scope, (&facts, today), vec![(requirement, row)])?.pop();
    Detail::of(reader, scope, &requirement.id, view.ok_or(Error::NotFound)?)
}

impl Compliance {
    pub async fn assessment(
        &self,
        caller: &Caller,
        requirement: &str,
    ) -> Result<(Detail<AssessmentView>, Revision)> {
        let edition = self.edition_of(caller).await?;
        let (scope, id) = (*caller.scope(), requirement.to_owned());
        let today = self.clock.now().day();
        self.db.tenant(&scope).read_at(move |r| detail(&edition, r, &scope, &id, today)).await
    }

    /// The assessments of these requirements; those without one are missing.
    pub async fn said_about(
        &self,
        caller: &Caller,
        requirements: Vec<String>,
    ) -> Result<HashMap<String, AssessmentRow>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            let ids: Vec<&str> = requirements.iter().map(String::as_str).collect();
            let said = rows::get_many(r, &scope, &ids)?;
            Ok::<_, Error>(said.into_iter().map(|row| (row.requirement.clone(), row)).collect())
        };
        self.db.tenant(&scope).read(read).await
    }
}
