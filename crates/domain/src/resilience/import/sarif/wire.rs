//! The parts of SARIF 2.1.0 that are used here.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::filled;
use crate::{
    cve::CvssScore,
    import::bounded::{Clipped, at_most, first, first_entries},
};

#[derive(Deserialize)]
pub(super) struct Log {
    pub(super) version: String,
    #[serde(default, deserialize_with = "at_most::<_, _, 1_000>")]
    pub(super) runs: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) automation_details: Option<Automation>,
}

#[derive(Deserialize)]
pub(super) struct Automation {
    pub(super) id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Tool {
    pub(super) driver: Component,
    #[serde(default, deserialize_with = "at_most::<_, _, 1_000>")]
    pub(super) extensions: Vec<Component>,
}

#[derive(Deserialize)]
pub(super) struct Component {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default, deserialize_with = "at_most::<_, _, 20_000>")]
    pub(super) rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) short_description: Option<Text>,
    pub(super) full_description: Option<Text>,
    pub(super) help: Option<Text>,
    pub(super) default_configuration: Option<Configuration>,
    pub(super) properties: Option<Properties>,
    #[serde(default, deserialize_with = "first_entries::<_, _, 100>")]
    pub(super) message_strings: BTreeMap<String, Text>,
}

/// A text of a rule, bounded because a file may have thousands of rules.
#[derive(Deserialize)]
pub(super) struct Text {
    pub(super) text: Option<Clipped<2_000>>,
}

impl Text {
    pub(super) fn as_str(&self) -> Option<&str> {
        self.text.as_ref().map(|text| text.0.as_str())
    }
}

#[derive(Deserialize)]
pub(super) struct Configuration {
    pub(super) level: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Properties {
    /// A text by the standard, a number in some tools.
    #[serde(rename = "security-severity")]
    security_severity: Option<Clipped<20>>,
}

impl Properties {
    pub(super) fn score(&self) -> Option<CvssScore> {
        let number = self.security_severity.as_ref()?.0.trim().parse().ok()?;
        CvssScore::rounded(number).ok()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: Option<String>,
    pub(super) rule_index: Option<i64>,
    pub(super) rule: Option<RuleReference>,
    pub(super) kind: Option<String>,
    pub(super) level: Option<String>,
    pub(super) message: Option<Message>,
    #[serde(default, deserialize_with = "first::<_, _, 20>")]
    pub(super) locations: Vec<Location>,
    #[serde(default, deserialize_with = "first_entries::<_, _, 20>")]
    pub(super) fingerprints: BTreeMap<String, Clipped<1_000>>,
    #[serde(default, deserialize_with = "first_entries::<_, _, 20>")]
    pub(super) partial_fingerprints: BTreeMap<String, Clipped<1_000>>,
    #[serde(default, deserialize_with = "first::<_, _, 20>")]
    pub(super) suppressions: Vec<Suppression>,
    pub(super) baseline_state: Option<String>,
    pub(super) properties: Option<Properties>,
}

#[derive(Deserialize)]
pub(super) struct RuleReference {
    pub(super) id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) text: Option<String>,
    pub(super) id: Option<String>,
    #[serde(default, deserialize_with = "first::<_, _, 20>")]
    pub(super) arguments: Vec<Clipped<1_000>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) physical_location: Option<PhysicalLocation>,
    #[serde(default, deserialize_with = "first::<_, _, 20>")]
    pub(super) logical_locations: Vec<LogicalLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: Option<ArtifactLocation>,
    pub(super) region: Option<Region>,
}

#[derive(Deserialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: Option<u64>,
    pub(super) start_column: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) fully_qualified_name: Option<String>,
    pub(super) name: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Suppression {
    pub(super) status: Option<String>,
}

impl Rule {
    pub(super) fn title(&self) -> Option<&str> {
        let short = self.short_description.as_ref().and_then(Text::as_str);
        filled(short).or(filled(self.name.as_deref()))
    }
}
