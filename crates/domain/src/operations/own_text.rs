//! What an institution itself says in a report, beside the figures: its paragraphs, and the people who sign.

use serde::{Deserialize, Serialize};

use crate::{
    change::{Change, Fields},
    period_report::ReportPart,
    text::{Name, Prose},
    violation::{Complaint, FieldComplaint, Violations},
};

const MOST_PARAGRAPHS: usize = 10;
const LONGEST_PARAGRAPH: usize = 4_000;
const MOST_SIGNATORIES: usize = 6;

/// The paragraphs and the signatories of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnText {
    pub paragraphs: Vec<OwnParagraph>,
    pub signatories: Vec<Signatory>,
}

/// A paragraph of the institution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnParagraph {
    /// The part that it stands before, or in a management review within; at the end if there is none.
    pub before: Option<ReportPart>,
    #[serde(with = "name")]
    pub title: Name,
    #[serde(with = "prose")]
    pub text: Prose,
}

/// A person who signs the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signatory {
    #[serde(with = "name")]
    pub name: Name,
    #[serde(with = "name")]
    pub function: Name,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParagraphInput {
    pub before: Option<String>,
    pub title: String,
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignatoryInput {
    pub name: String,
    pub function: String,
}

/// Paragraphs and signatories as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnTextInput {
    pub paragraphs: Vec<ParagraphInput>,
    pub signatories: Vec<SignatoryInput>,
}

impl OwnText {
    pub fn is_empty(&self) -> bool {
        self.paragraphs.is_empty() && self.signatories.is_empty()
    }

    /// This text, and the other one after it.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.paragraphs.extend(other.paragraphs);
        self.signatories.extend(other.signatories);
        self
    }

    /// The paragraphs of a part; those at the end for none.
    pub fn of(&self, part: Option<ReportPart>) -> impl Iterator<Item = &OwnParagraph> {
        self.paragraphs.iter().filter(move |paragraph| paragraph.before == part)
    }
}

impl OwnTextInput {
    pub fn read(self) -> Result<OwnText, Violations> {
        let mut fields = Fields::default();
        let text = OwnText {
            paragraphs: paragraphs(&mut fields, &Change::Set(self.paragraphs), None),
            signatories: signatories(&mut fields, &Change::Set(self.signatories), None),
        };
        fields.finish(Some(text))
    }
}

pub(crate) fn paragraphs(
    fields: &mut Fields,
    change: &Change<Vec<ParagraphInput>>,
    current: Option<Vec<OwnParagraph>>,
) -> Vec<OwnParagraph> {
    let read = fields.list("paragraphs", change, current, paragraph);
    bound(fields, "paragraphs", read.len(), MOST_PARAGRAPHS);
    read
}

pub(crate) fn signatories(
    fields: &mut Fields,
    change: &Change<Vec<SignatoryInput>>,
    current: Option<Vec<Signatory>>,
) -> Vec<Signatory> {
    let read = fields.list("signatories", change, current, signatory);
    bound(fields, "signatories", read.len(), MOST_SIGNATORIES);
    read
}

fn bound(fields: &mut Fields, field: &str, found: usize, most: usize) {
    if found > most {
        fields.refuse(field, FieldComplaint::TooManyItems { most, found });
    }
}

fn paragraph(input: &ParagraphInput) -> Result<OwnParagraph, Complaint> {
    let before = match input.before.as_deref() {
        None | Some("") => None,
        Some(word) => Some(word.parse::<ReportPart>()?),
    };
    let text = crate::text::prose(&input.text, LONGEST_PARAGRAPH)?;
    Ok(OwnParagraph { before, title: Name::parse(&input.title)?, text: Prose::parse(text)? })
}

fn signatory(input: &SignatoryInput) -> Result<Signatory, Complaint> {
    Ok(Signatory { name: Name::parse(&input.name)?, function: Name::parse(&input.function)? })
}

mod name {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::text::Name;

    pub(super) fn serialize<S: Serializer>(value: &Name, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        Name::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

mod prose {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::text::Prose;

    pub(super) fn serialize<S: Serializer>(value: &Prose, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Prose, D::Error> {
        Prose::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
