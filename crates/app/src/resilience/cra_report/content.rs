//! The contents of the stages: shared with the incident that a report belongs to, and kept when a stage is filed.

use std::collections::BTreeMap;

use domain::{
    change::Change,
    cra_report::{CraReport, CraReportInput, CraStage, INCIDENT_PREFIX},
    id::IncidentId,
    incident::{Incident, IncidentInput},
};
use serde_json::Value;
use store::{Tx, incident, record};

use super::CraReportRow;
use crate::{Error, Result, author::Author, incident::IncidentChange, pages::Precondition};

impl Author {
    /// The report after a change: contents of an incident are written there, and a stage that is filed keeps its own.
    pub(super) fn with_contents(
        &self,
        tx: &mut Tx<'_>,
        before: &CraReportRow,
        input: &CraReportInput,
        mut after: CraReport,
    ) -> Result<CraReport> {
        let shared = incident::of_cra_reports(tx, self.scope(), &[before.id])?.first().map(|(_, id)| *id);
        if let (Some(id), Change::Set(values)) = (shared, &input.contents) {
            self.enter_at_incident(tx, id, values)?;
            after.contents.entered.clone_from(&before.record.contents.entered);
        }
        let is_new = |stage: &CraStage| {
            let filed = after.submissions.of(*stage);
            before.record.submissions.of(*stage).is_none()
                && filed.is_some_and(|filed| filed.already_provided.is_none())
        };
        let filed: Vec<CraStage> = CraStage::ALL.iter().copied().filter(is_new).collect();
        if filed.is_empty() {
            return Ok(after);
        }
        let incident = match shared {
            Some(id) => Some(record::get::<Incident>(tx, self.scope(), id)?.ok_or(Error::NotFound)?.record),
            None => None,
        };
        for stage in filed {
            after.freeze(stage, incident.as_ref());
        }
        Ok(after)
    }

    fn enter_at_incident(
        &self,
        tx: &mut Tx<'_>,
        id: IncidentId,
        values: &BTreeMap<String, Option<String>>,
    ) -> Result<()> {
        let value = |text: &Option<String>| {
            let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
            text.map_or(Value::Null, Value::from)
        };
        let named = values.iter().map(|(name, text)| (format!("{INCIDENT_PREFIX}{name}"), value(text)));
        let input = IncidentInput { report_values: Change::Set(named.collect()), ..IncidentInput::default() };
        let change = IncidentChange::Fields(Box::new(input));
        self.change::<Incident>(tx, id, &change, &Precondition::None).map(|_| ())
    }
}
