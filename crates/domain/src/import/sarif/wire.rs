//! The parts of SARIF 2.1.0 that matter here, as they are written.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, de};

use super::filled;
use crate::{cve::CvssScore, text::clipped};

/// The most rules a run may have, and how much of their texts is kept while reading.
const MAX_RULES: usize = 20_000;
const MAX_RULE_TEXT: usize = 2_000;

#[derive(Deserialize)]
pub(super) struct Log {
    pub(super) version: String,
    pub(super) runs: Option<Vec<Run>>,
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
    pub(super) extensions: Option<Vec<Component>>,
}

#[derive(Deserialize)]
pub(super) struct Component {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default, deserialize_with = "rules")]
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
    pub(super) message_strings: Option<BTreeMap<String, Text>>,
}

#[derive(Deserialize)]
pub(super) struct Text {
    pub(super) text: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Configuration {
    pub(super) level: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Properties {
    #[serde(rename = "security-severity")]
    pub(super) security_severity: Option<Score>,
}

/// Written as text by the book, as a number by some.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Score {
    Number(f64),
    Text(String),
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
    pub(super) locations: Option<Vec<Location>>,
    pub(super) fingerprints: Option<BTreeMap<String, serde_json::Value>>,
    pub(super) partial_fingerprints: Option<BTreeMap<String, serde_json::Value>>,
    pub(super) suppressions: Option<Vec<Suppression>>,
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
    pub(super) arguments: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) physical_location: Option<PhysicalLocation>,
    pub(super) logical_locations: Option<Vec<LogicalLocation>>,
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

/// Keeps the number and the texts of rules within bounds while they are read.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Rule>, D::Error> {
    struct Bounded;

    impl<'de> de::Visitor<'de> for Bounded {
        type Value = Vec<Rule>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MAX_RULES} rules")
        }

        fn visit_unit<E>(self) -> Result<Vec<Rule>, E> {
            Ok(Vec::new())
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Rule>, A::Error> {
            let mut rules = Vec::new();
            while let Some(rule) = seq.next_element::<Rule>()? {
                if rules.len() == MAX_RULES {
                    return Err(de::Error::invalid_length(MAX_RULES + 1, &self));
                }
                rules.push(rule.bounded());
            }
            Ok(rules)
        }
    }

    deserializer.deserialize_any(Bounded)
}

impl Text {
    fn bounded(self) -> Self {
        Self { text: self.text.map(|text| clipped(&text, MAX_RULE_TEXT)) }
    }
}

impl Rule {
    fn bounded(mut self) -> Self {
        for text in [&mut self.short_description, &mut self.full_description, &mut self.help] {
            *text = text.take().map(Text::bounded);
        }
        for text in self.message_strings.iter_mut().flat_map(BTreeMap::values_mut) {
            text.text = text.text.take().map(|text| clipped(&text, MAX_RULE_TEXT));
        }
        self
    }

    pub(super) fn title(&self) -> Option<&str> {
        filled(self.short_description.as_ref().and_then(|text| text.text.as_deref()))
            .or(filled(self.name.as_deref()))
    }
}

impl Score {
    pub(super) fn value(&self) -> Option<CvssScore> {
        let number = match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.trim().parse().ok()?,
        };
        CvssScore::rounded(number).ok()
    }
}
