//! The contents of the three stages: entered once, and kept as they were when a stage is filed.
//!
//! A report that belongs to an incident has no contents of its own: they are those of the incident's reports under the
//! CRA, so that nothing is entered twice.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{CraReport, CraReportInput, CraReportKind, CraStage, Product};
use crate::{
    change::{Change, Fields},
    incident::{
        Facts, Incident, Times,
        contents::{self, Point, Said, Source},
        cra_points,
        report::Obligation,
    },
    text::{Name, Prose},
    violation::FilingComplaint,
};

/// Values by the name of their point.
pub type CraValues = BTreeMap<String, String>;

/// What is entered, and what was filed with each stage, by the word of the stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraContents {
    pub entered: CraValues,
    pub filed: BTreeMap<String, CraValues>,
}

/// One point of a stage with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CraPoint {
    pub point: &'static Point,
    pub value: Option<Said>,
    /// A mandatory point without content.
    pub missing: bool,
}

impl CraContents {
    /// Keeps what was filed for the incident that the report belongs to.
    pub fn keep_filed(&mut self, stage: CraStage, content: &Json) {
        let text = |value: &Json| match value {
            Json::String(text) => Some(text.clone()),
            Json::Bool(flag) => Some(flag.to_string()),
            _ => None,
        };
        let values = content.as_object().into_iter().flatten();
        let values = values.filter_map(|(field, value)| Some((field.clone(), text(value)?)));
        self.filed.insert(stage.to_string(), values.collect());
    }
}

impl CraReport {
    /// The contents of a stage: as filed, or as they would be filed now. `shared` is the incident it belongs to.
    pub fn content(&self, stage: CraStage, shared: Option<&Incident>) -> Vec<CraPoint> {
        let points = cra_points(self.kind, stage);
        let point = |point: &'static Point, value: Option<Said>| CraPoint {
            missing: value.is_none() && point.obligation == Obligation::Yes,
            point,
            value,
        };
        if let Some(filed) = self.contents.filed.get(stage.as_str()) {
            let said = |field: &str| filed.get(field).map(|text| said(text));
            return points.iter().map(|one| point(one, said(one.field))).collect();
        }
        let made = match shared {
            Some(incident) => of_incident(incident, points),
            None => self.own(points),
        };
        let known = |made: &contents::Made| match (&made.value, made.point.field) {
            (None, "product") => Some(Said::Text(named(&self.product))),
            (value, _) => value.clone(),
        };
        made.iter().map(|made| point(made.point, known(made))).collect()
    }

    /// Keeps the contents of a stage as they are now.
    pub fn freeze(&mut self, stage: CraStage, shared: Option<&Incident>) {
        let text = |value: Said| match value {
            Said::Text(text) => text,
            Said::Flag(flag) => flag.to_string(),
        };
        let points = self.content(stage, shared).into_iter();
        let values = points.filter_map(|one| Some((one.point.field.to_owned(), text(one.value?))));
        let values = values.collect();
        self.contents.filed.insert(stage.to_string(), values);
    }

    fn own(&self, points: &'static [Point]) -> Vec<contents::Made> {
        let (mut facts, times) = (Facts::default(), Times::noticed(self.aware_at));
        facts.dora.member_states = Some(self.member_states.clone());
        let source = Source {
            facts: &facts,
            times: &times,
            description: self.description.as_ref(),
            root_cause: None,
            measures_taken: None,
            now: self.aware_at,
        };
        contents::fill_points(points, &source, &self.contents.entered)
    }
}

fn of_incident(incident: &Incident, points: &'static [Point]) -> Vec<contents::Made> {
    let source = Source {
        facts: &incident.facts,
        times: &incident.times,
        description: incident.description.as_ref(),
        root_cause: incident.root_cause.as_ref().map(Name::as_str),
        measures_taken: incident.measures_taken.as_ref(),
        now: incident.times.aware_at,
    };
    let entered = incident.report_values.iter().filter_map(|(name, value)| {
        Some((name.strip_prefix(INCIDENT_PREFIX)?.to_owned(), value.as_str()?.to_owned()))
    });
    contents::fill_points(points, &source, &entered.collect())
}

/// The names of the points of the CRA among the report values of an incident begin with this.
pub const INCIDENT_PREFIX: &str = "cra.";

fn said(text: &str) -> Said {
    text.parse().map_or_else(|_| Said::Text(text.to_owned()), Said::Flag)
}

fn named(product: &Product) -> String {
    let version = product.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    format!("{}{version}", product.name)
}

fn is_point(kind: CraReportKind, name: &str) -> bool {
    let points = |stage: &CraStage| cra_points(kind, *stage);
    CraStage::ALL.iter().flat_map(points).any(|point| point.field == name)
}

impl CraReportInput {
    /// The contents after this change; an empty text removes a value.
    pub(super) fn read_contents(
        &self,
        fields: &mut Fields,
        current: Option<&CraReport>,
        kind: Option<CraReportKind>,
    ) -> CraContents {
        let mut contents = current.map(|c| c.contents.clone()).unwrap_or_default();
        let values = match &self.contents {
            Change::Keep => return contents,
            Change::Clear => return CraContents { entered: CraValues::new(), ..contents },
            Change::Set(values) => values,
        };
        for (name, text) in values {
            let field = format!("contents.{name}");
            if !kind.is_some_and(|kind| is_point(kind, name)) {
                fields.refuse(&field, FilingComplaint::NotAPoint);
                continue;
            }
            match text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(Prose::parse) {
                None => {
                    contents.entered.remove(name);
                }
                Some(Ok(text)) => {
                    contents.entered.insert(name.clone(), text.to_string());
                }
                Some(Err(wrong)) => fields.refuse(&field, wrong),
            }
        }
        contents
    }
}
