//! Templates of reports: what an institution puts on its reports, and when one is made and sent by itself.

use serde::{Deserialize, Serialize};

use crate::{
    change::{Change, Fields},
    cron::Cron,
    framework::Framework,
    identifier::{Id, Identified, UserId},
    moment::Moment,
    own_text,
    period_report::{Covered, PeriodReportComplaint, ReportKind, ReportPart, check_framework},
    text::Name,
    time_zone::TimeZone,
    violation::{FieldComplaint, Violations},
    wording::Language,
};

pub use crate::own_text::{OwnParagraph, OwnText, OwnTextInput, ParagraphInput, Signatory, SignatoryInput};

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
    const MOST_PEOPLE: usize = 50;

    /// The chosen parts that a report of this kind has, in the order of the template. A management review has all of
    /// its parts, because the standard names each of them.
    pub fn parts_of(&self, kind: ReportKind) -> Vec<ReportPart> {
        if kind == ReportKind::ManagementReview {
            return kind.parts().to_vec();
        }
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
        let paragraphs = own_text::paragraphs(&mut fields, &self.paragraphs, paragraphs);
        let signatories = content.map(|content| content.signatories.clone());
        let signatories = own_text::signatories(&mut fields, &self.signatories, signatories);
        let schedule = match &self.schedule {
            Change::Keep => content.and_then(|content| content.schedule.clone()),
            Change::Clear => None,
            Change::Set(input) => input.read(&mut fields, now, zone),
        };
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

#[cfg(test)]
#[path = "report_template_tests.rs"]
mod tests;
