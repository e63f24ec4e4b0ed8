//! What an incident is linked with: every link names a record of the same institution.

use std::{collections::HashSet, hash::Hash};

use domain::{
    control::Control,
    cra_report::CraReport,
    finding::Finding,
    id::{ControlId, FindingId, ProviderId},
    incident::{Incident, IncidentComplaint},
    provider::Provider,
    violation::{Complaint, Violations},
};
use store::{Reader, Tx, control::ControlRow, incident as rows, record};

use crate::{Error, Resilience, Result, author::Author, authz::Caller};

impl Resilience {
    /// The controls with these ids that are still there, in any order.
    pub async fn controls_named(&self, caller: &Caller, ids: &[ControlId]) -> Result<Vec<ControlRow>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (scope, ids) = (*caller.scope(), ids.to_vec());
        let read = move |reader: &mut Reader<'_>| record::get_many::<Control>(reader, &scope, &ids);
        self.db.tenant(&scope).read(move |reader| read(reader).map_err(Error::from)).await
    }
}

impl Author {
    /// Refuses links to what this institution does not have. Links that were there before are not looked up again.
    pub(super) fn check_links(
        &self,
        tx: &mut Tx<'_>,
        after: &Incident,
        before: Option<&Incident>,
    ) -> Result<()> {
        let mut violations = Violations::default();
        let scope = self.scope();
        let findings =
            unknown(&after.findings, before.map(|before| &before.findings), |new: &[FindingId]| {
                Ok(record::get_many::<Finding>(tx, scope, new)?.into_iter().map(|row| row.id).collect())
            })?;
        for place in findings {
            violations.add("findings", Complaint::item(place, IncidentComplaint::NoSuchFinding));
        }
        let controls =
            unknown(&after.controls, before.map(|before| &before.controls), |new: &[ControlId]| {
                Ok(record::get_many::<Control>(tx, scope, new)?.into_iter().map(|row| row.id).collect())
            })?;
        for place in controls {
            violations.add("controls", Complaint::item(place, IncidentComplaint::NoSuchControl));
        }
        for place in self.unknown_providers(tx, after, before)? {
            violations.add("providers", Complaint::item(place, IncidentComplaint::NoSuchProvider));
        }
        if let Some(complaint) = self.cra_report_complaint(tx, after, before)? {
            violations.add("cra_report_id", complaint);
        }
        violations.or(Some(())).map_err(Error::from)
    }

    /// Providers may be named freely; what is written like an id has to be one.
    fn unknown_providers(
        &self,
        tx: &mut Tx<'_>,
        after: &Incident,
        before: Option<&Incident>,
    ) -> Result<Vec<usize>> {
        let is_kept = |name: &String| before.is_some_and(|before| before.providers.contains(name));
        let ids = after.providers.iter().enumerate();
        let ids = ids.filter(|(_, name)| name.starts_with("prv_") && !is_kept(name));
        let ids: Vec<(usize, Option<ProviderId>)> =
            ids.map(|(place, name)| (place, name.parse().ok())).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let asked: Vec<ProviderId> = ids.iter().filter_map(|(_, id)| *id).collect();
        let found = record::get_many::<Provider>(tx, self.scope(), &asked)?;
        let is_found = |id: &Option<ProviderId>| id.is_some_and(|id| found.iter().any(|row| row.id == id));
        Ok(ids.iter().filter(|(_, id)| !is_found(id)).map(|(place, _)| *place).collect())
    }

    /// A report under the CRA belongs to one incident at most.
    fn cra_report_complaint(
        &self,
        tx: &mut Tx<'_>,
        after: &Incident,
        before: Option<&Incident>,
    ) -> Result<Option<IncidentComplaint>> {
        let kept = before.and_then(|before| before.cra_report);
        let Some(report) = after.cra_report.filter(|report| kept != Some(*report)) else { return Ok(None) };
        if record::get::<CraReport>(tx, self.scope(), report)?.is_none() {
            return Ok(Some(IncidentComplaint::NoSuchCraReport));
        }
        let Some((_, other)) = rows::of_cra_reports(tx, self.scope(), &[report])?.pop() else {
            return Ok(None);
        };
        let other = record::get::<Incident>(tx, self.scope(), other)?;
        let reference = other.map(|row| row.record.reference.to_string()).unwrap_or_default();
        Ok(Some(IncidentComplaint::CraReportTaken { reference }))
    }
}

/// The places of links that are new and name nothing that is there.
fn unknown<Id: Copy + Eq + Hash>(
    after: &[Id],
    before: Option<&Vec<Id>>,
    find: impl FnOnce(&[Id]) -> Result<HashSet<Id>>,
) -> Result<Vec<usize>> {
    let is_kept = |id: &Id| before.is_some_and(|before| before.contains(id));
    let new: Vec<Id> = after.iter().filter(|id| !is_kept(id)).copied().collect();
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let found = find(&new)?;
    let is_unknown = |(_, id): &(usize, &Id)| new.contains(id) && !found.contains(id);
    Ok(after.iter().enumerate().filter(is_unknown).map(|(place, _)| place).collect())
}
