//! One requirement of an own framework.

use serde::{Deserialize, Serialize};

use super::OwnFrameworkComplaint;
use crate::{
    change::{Change, Fields, without_repeats},
    framework::Framework,
    text::{Name, Prose},
    violation::Violations,
};

/// The longest id of a requirement.
const LONGEST_ID: usize = 80;
/// The longest text of a requirement, in characters.
const LONGEST_TEXT: usize = 6_000;

/// A requirement as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnRequirement {
    pub id: String,
    pub chapter: String,
    /// As printed: `4.2`, `AC-1`.
    pub number: String,
    pub title: String,
    pub text: String,
    /// For whom or for what it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applicability: Option<String>,
    /// Measures of the catalogue that meet it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// Requirements of the catalogue it details.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub based_on: Vec<String>,
}

/// A requirement's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnRequirementInput {
    pub id: Change<String>,
    pub chapter: Change<String>,
    pub number: Change<String>,
    pub title: Change<String>,
    pub text: Change<String>,
    pub applicability: Change<String>,
    pub measures: Change<Vec<String>>,
    pub based_on: Change<Vec<String>>,
}

/// What the rules need to know of the world.
#[derive(Clone, Copy)]
pub struct RequirementWorld<'w> {
    pub key: Framework,
    pub is_measure: &'w dyn Fn(&str) -> bool,
    pub is_requirement: &'w dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for RequirementWorld<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequirementWorld").field("key", &self.key).finish_non_exhaustive()
    }
}

impl OwnRequirementInput {
    /// The whole requirement. What is left out is empty; the id is made from the number.
    pub fn read(&self, world: &RequirementWorld<'_>) -> Result<OwnRequirement, Violations> {
        let mut fields = Fields::default();
        let id = self.id(&mut fields, world.key);
        let title = fields.required("title", &self.title, None, |text| Name::parse(text));
        let text = fields.required("text", &self.text, None, |text| Prose::parse(text));
        if text.as_ref().is_some_and(|text| text.as_str().chars().count() > LONGEST_TEXT) {
            fields.refuse("text", crate::text::TextError::TooLong(LONGEST_TEXT));
        }
        let chapter = fields.line("chapter", &self.chapter, None);
        let number = fields.line("number", &self.number, None);
        let applicability = fields.prose("applicability", &self.applicability, None);
        let known = |is: &dyn Fn(&str) -> bool, id: &String, complaint: OwnFrameworkComplaint| {
            if is(id) { Ok(id.clone()) } else { Err(complaint) }
        };
        let measures = fields.list("measures", &self.measures, None, |id| {
            known(world.is_measure, id, OwnFrameworkComplaint::NotAMeasure)
        });
        let based_on = fields.list("based_on", &self.based_on, None, |id| {
            known(world.is_requirement, id, OwnFrameworkComplaint::NotARequirement)
        });
        let requirement = id.zip(title).zip(text).map(|((id, title), text)| OwnRequirement {
            number: number.map_or_else(|| number_of(&id, world.key), |number| number.to_string()),
            id,
            chapter: chapter.map(|chapter| chapter.to_string()).unwrap_or_default(),
            title: title.to_string(),
            text: text.to_string(),
            applicability: applicability.map(|text| text.to_string()),
            measures: without_repeats(measures),
            based_on: without_repeats(based_on),
        });
        fields.finish(requirement)
    }

    fn id(&self, fields: &mut Fields, key: Framework) -> Option<String> {
        let named = |change: &Change<String>| match change {
            Change::Set(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        };
        let id = match (named(&self.id), named(&self.number)) {
            (Some(id), _) => id,
            (None, Some(number)) => format!("{key}-{}", slug(&number)),
            (None, None) => {
                fields.refuse("id", OwnFrameworkComplaint::NoId);
                return None;
            }
        };
        let rest = id.strip_prefix(key.as_str()).and_then(|rest| rest.strip_prefix('-'));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let fits = id.len() <= LONGEST_ID
            && rest
                .is_some_and(|rest| rest.split('-').all(|word| !word.is_empty() && word.chars().all(plain)));
        if fits {
            return Some(id);
        }
        fields.refuse("id", OwnFrameworkComplaint::RequirementId { key: key.to_string() });
        None
    }
}

/// The number of a requirement that came without one.
fn number_of(id: &str, key: Framework) -> String {
    let rest = id.strip_prefix(key.as_str()).unwrap_or(id);
    rest.trim_start_matches('-').to_ascii_uppercase()
}

/// A text as a part of an id: `A.8.13 (b)` is `a-8-13-b`.
pub fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

impl OwnRequirement {
    /// The fields again, for a form or a copy.
    pub fn input(&self) -> OwnRequirementInput {
        let text = |text: &String| Change::Set(text.clone());
        OwnRequirementInput {
            id: text(&self.id),
            chapter: text(&self.chapter),
            number: text(&self.number),
            title: text(&self.title),
            text: text(&self.text),
            applicability: self.applicability.clone().into(),
            measures: Change::Set(self.measures.clone()),
            based_on: Change::Set(self.based_on.clone()),
        }
    }
}
