//! Templates of reports: what an institution puts on its reports, and when one is made and sent by itself.

use serde::{Deserialize, Serialize};

use crate::{
    change::{Change, Fields},
    cron::Cron,
    framework::Framework,
    id::{Id, Identified, UserId},
    moment::Moment,
    period_report::{Covered, PeriodReportComplaint, ReportKind, ReportPart, check_framework},
    text::{Name, Prose},
    time_zone::TimeZone,
    violation::{Complaint, FieldComplaint, Violations},
    wording::Language,
};

pub type ReportTemplateId = Id<ReportTemplate>;

impl Identified for ReportTemplate {
    const PREFIX: &'static str = "rpt";
}

/// What reports made with it look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTemplate {
    pub name: Name,
    pub content: TemplateContent,
}

/// Everything but the name and the logo, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateContent {
    /// In place of that of the institution.
    #[serde(with = "optional_name")]
    pub classification: Option<Name>,
    /// The chosen parts in their order; all of the kind if there are none.
    pub parts: Vec<ReportPart>,
    pub paragraphs: Vec<OwnParagraph>,
    pub signatories: Vec<Signatory>,
    pub schedule: Option<ReportSchedule>,
}

/// A paragraph of the institution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnParagraph {
    /// The part that it stands before; at the end if there is none.
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

/// When a report is made by itself, and who is notified of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportSchedule {
    /// In the time zone of the institution.
    #[serde(with = "text")]
    pub cron: Cron,
    pub covers: Covered,
    pub kind: ReportKind,
    #[serde(with = "optional_text")]
    pub framework: Option<Framework>,
    #[serde(with = "text")]
    pub language: Language,
    #[serde(with = "texts")]
    pub people: Vec<UserId>,
}

impl ReportTemplate {
    /// The maximum number of templates of an institution.
    pub const MOST: usize = 50;
    const MOST_PARAGRAPHS: usize = 10;
    const LONGEST_PARAGRAPH: usize = 4_000;
    const MOST_SIGNATORIES: usize = 6;
    const MOST_PEOPLE: usize = 50;

    /// The chosen parts that a report of this kind has, in the order of the template.
    pub fn parts_of(&self, kind: ReportKind) -> Vec<ReportPart> {
        let chosen = self.content.parts.iter().copied();
        let chosen: Vec<_> = chosen.filter(|part| kind.parts().contains(part)).collect();
        if chosen.is_empty() { kind.parts().to_vec() } else { chosen }
    }
}

impl ReportSchedule {
    /// Two reports of a schedule are at least this far apart: less than a day, because clocks are set forward.
    const NEAREST_SECONDS: i64 = 22 * 60 * 60;
    /// How many times of a schedule are looked at.
    const LOOKED_AT: usize = 40;

    /// Whether it comes at most once a day.
    fn is_rare(&self, now: Moment, zone: &TimeZone) -> bool {
        let mut last = self.cron.next_after(now, zone);
        (0..Self::LOOKED_AT).all(|_| {
            let next = self.cron.next_after(last, zone);
            let apart = last.seconds_until(next);
            last = next;
            apart >= Self::NEAREST_SECONDS
        })
    }
}

/// The fields of a template as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportTemplateInput {
    pub name: Change<String>,
    pub classification: Change<String>,
    pub parts: Change<Vec<String>>,
    pub paragraphs: Change<Vec<ParagraphInput>>,
    pub signatories: Change<Vec<SignatoryInput>>,
    pub schedule: Change<ScheduleInput>,
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

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScheduleInput {
    pub cron: String,
    pub covers: String,
    pub kind: String,
    pub framework: Option<String>,
    pub language: String,
    pub people: Vec<String>,
}

impl ReportTemplateInput {
    /// A new template.
    pub fn create(&self, now: Moment, zone: &TimeZone) -> Result<ReportTemplate, Violations> {
        self.read(None, now, zone)
    }

    /// The template after this change.
    pub fn change(
        &self,
        current: &ReportTemplate,
        now: Moment,
        zone: &TimeZone,
    ) -> Result<ReportTemplate, Violations> {
        self.read(Some(current), now, zone)
    }

    fn read(
        &self,
        current: Option<&ReportTemplate>,
        now: Moment,
        zone: &TimeZone,
    ) -> Result<ReportTemplate, Violations> {
        let mut fields = Fields::default();
        let content = current.map(|template| &template.content);
        let name =
            fields.required("name", &self.name, current.map(|template| template.name.clone()), |text| {
                Name::parse(text)
            });
        let classification = fields.line(
            "classification",
            &self.classification,
            content.and_then(|content| content.classification.clone()),
        );
        let parts = fields.list("parts", &self.parts, content.map(|content| content.parts.clone()), |word| {
            word.parse::<ReportPart>()
        });
        let parts = parts.iter().enumerate().filter(|(place, part)| !parts[..*place].contains(part));
        let parts: Vec<_> = parts.map(|(_, part)| *part).collect();
        let paragraphs = content.map(|content| content.paragraphs.clone());
        let paragraphs = fields.list("paragraphs", &self.paragraphs, paragraphs, paragraph);
        let signatories = content.map(|content| content.signatories.clone());
        let signatories = fields.list("signatories", &self.signatories, signatories, signatory);
        let schedule = match &self.schedule {
            Change::Keep => content.and_then(|content| content.schedule.clone()),
            Change::Clear => None,
            Change::Set(input) => input.read(&mut fields, now, zone),
        };
        bound(&mut fields, "paragraphs", paragraphs.len(), ReportTemplate::MOST_PARAGRAPHS);
        bound(&mut fields, "signatories", signatories.len(), ReportTemplate::MOST_SIGNATORIES);
        let content = TemplateContent { classification, parts, paragraphs, signatories, schedule };
        fields.finish(name.map(|name| ReportTemplate { name, content }))
    }
}

impl ScheduleInput {
    fn read(&self, fields: &mut Fields, now: Moment, zone: &TimeZone) -> Option<ReportSchedule> {
        let mut violations = Violations::default();
        let cron = self.cron.parse::<Cron>().map_err(|_| PeriodReportComplaint::BadCron);
        let cron = violations.keep("schedule.cron", cron);
        let covers = violations.keep("schedule.covers", self.covers.parse::<Covered>());
        let kind = violations.keep("schedule.kind", self.kind.parse::<ReportKind>());
        let framework = match self.framework.as_deref() {
            None | Some("") => None,
            Some(id) => violations.keep("schedule.framework", id.parse::<Framework>()),
        };
        let language = violations.keep("schedule.language", self.language.parse::<Language>());
        let mut people = Vec::new();
        for id in &self.people {
            match id.parse::<UserId>() {
                Ok(id) if people.contains(&id) => {}
                Ok(id) => people.push(id),
                Err(_) => violations.add("schedule.people", PeriodReportComplaint::NotAPerson),
            }
        }
        if people.len() > ReportTemplate::MOST_PEOPLE {
            let (most, found) = (ReportTemplate::MOST_PEOPLE, people.len());
            violations.add("schedule.people", FieldComplaint::TooManyItems { most, found });
        }
        if let (Some(kind), true) = (kind, violations.is_empty()) {
            check_framework(&mut violations, "schedule.framework", kind, framework);
        }
        let schedule = cron.zip(covers).zip(kind.zip(language)).map(|((cron, covers), (kind, language))| {
            ReportSchedule { cron, covers, kind, framework, language, people }
        });
        if schedule.as_ref().is_some_and(|schedule| !schedule.is_rare(now, zone)) {
            violations.add("schedule.cron", PeriodReportComplaint::TooOften);
        }
        for (field, complaints) in violations.fields() {
            for complaint in complaints {
                fields.refuse(field, complaint.clone());
            }
        }
        schedule
    }
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
    let text = crate::text::prose(&input.text, ReportTemplate::LONGEST_PARAGRAPH)?;
    Ok(OwnParagraph { before, title: Name::parse(&input.title)?, text: Prose::parse(text)? })
}

fn signatory(input: &SignatoryInput) -> Result<Signatory, Complaint> {
    Ok(Signatory { name: Name::parse(&input.name)?, function: Name::parse(&input.function)? })
}

/// Values that are stored as their text.
mod text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

mod texts {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<T: Display, S: Serializer>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}

mod optional_text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    #[expect(clippy::ref_option, reason = "serde passes the field as it is")]
    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
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

mod optional_name {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use crate::text::Name;

    #[expect(clippy::ref_option, reason = "serde passes the field as it is")]
    pub(super) fn serialize<S: Serializer>(value: &Option<Name>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Name::as_str).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Name>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| Name::parse(&text).map_err(D::Error::custom)).transpose()
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

#[cfg(test)]
#[path = "report_template_tests.rs"]
mod tests;
