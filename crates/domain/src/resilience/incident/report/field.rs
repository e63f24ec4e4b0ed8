//! The fields of the report on a major ICT-related incident, and their possible answers.

use std::sync::LazyLock;

use crate::{vocabulary::vocabulary, wording::Label};

use super::condition::Condition;

const FIELDS: &str = include_str!("fields.csv");
const CHOICES: &str = include_str!("choices.csv");

vocabulary! {
    /// The kind of submission (field 1.1).
    ReportStage {
        Initial = "initial" ("Initial notification", "Erstmeldung"),
        Intermediate = "intermediate" ("Intermediate report", "Zwischenmeldung"),
        Final = "final" ("Final report", "Abschlussmeldung"),
        /// Implementing Regulation (EU) 2025/302, Art. 5.
        Reclassified = "reclassified" ("Reclassified as non-major", "Als nicht schwerwiegend neu klassifiziert"),
    }
}

vocabulary! {
    /// Whether a stage requires a field.
    Obligation {
        Yes = "yes" ("Mandatory", "Pflicht"),
        If = "if" ("Mandatory under a condition", "Pflicht unter einer Bedingung"),
        No = "no" ("Not asked for", "Nicht verlangt"),
    }
}

vocabulary! {
    /// The type of a field.
    Kind {
        Text = "text" ("Text", "Text"),
        Code = "code" ("LEI or other code", "LEI oder andere Kennung"),
        Lei = "lei" ("LEI", "LEI"),
        Email = "email" ("E-mail address", "E-Mail-Adresse"),
        Phone = "phone" ("Telephone number", "Telefonnummer"),
        Choice = "choice" ("One of a list", "Eines aus einer Liste"),
        Choices = "choices" ("Several of a list", "Mehreres aus einer Liste"),
        Boolean = "boolean" ("Yes or no", "Ja oder nein"),
        Integer = "integer" ("Whole number", "Ganze Zahl"),
        Percent = "percent" ("Percentage", "Prozentsatz"),
        Money = "money" ("Amount", "Betrag"),
        Moment = "moment" ("Time in UTC", "Zeitpunkt in UTC"),
        Duration = "duration" ("Duration", "Dauer"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// As the annex numbers it: `3.15`.
    pub number: &'static str,
    pub kind: Kind,
    pub name: Label,
    pub(super) condition: Option<Condition>,
    pub(super) path: &'static str,
    initial: Obligation,
    intermediate: Obligation,
    last: Obligation,
}

impl Field {
    /// A reclassification has the obligations of the initial notification, and must state a reason (Art. 5).
    pub fn obligation(&self, stage: ReportStage) -> Obligation {
        match stage {
            ReportStage::Reclassified if self.number == "2.10" => Obligation::Yes,
            ReportStage::Initial | ReportStage::Reclassified => self.initial,
            ReportStage::Intermediate => self.intermediate,
            ReportStage::Final => self.last,
        }
    }

    /// The possible answers; empty for a field without a list.
    pub fn choices(&self) -> impl Iterator<Item = &'static Choice> {
        let number = self.number;
        all_choices().iter().filter(move |choice| choice.field == number)
    }

    fn read(line: &'static str) -> Option<Self> {
        let parts: Vec<&'static str> = line.split(';').collect();
        let [number, kind, initial, intermediate, last, condition, path, en, de] = parts[..] else {
            return None;
        };
        Some(Self {
            number,
            kind: kind.parse().ok()?,
            name: Label::new(en, de),
            condition: if condition.is_empty() { None } else { Some(condition.parse().ok()?) },
            path,
            initial: initial.parse().ok()?,
            intermediate: intermediate.parse().ok()?,
            last: last.parse().ok()?,
        })
    }
}

/// One answer of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub field: &'static str,
    /// The code in the official file.
    pub code: &'static str,
    pub label: Label,
}

impl Choice {
    fn read(line: &'static str) -> Option<Self> {
        let parts: Vec<&'static str> = line.split(';').collect();
        let [field, code, en, de] = parts[..] else { return None };
        Some(Self { field, code, label: Label::new(en, de) })
    }
}

/// The lines of a table below its head.
fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1)
}

/// The 76 fields in the order of the annex. Every line is parsed, which a test checks.
pub fn fields() -> &'static [Field] {
    static ALL: LazyLock<Vec<Field>> = LazyLock::new(|| lines(FIELDS).filter_map(Field::read).collect());
    &ALL
}

pub fn field(number: &str) -> Option<&'static Field> {
    fields().iter().find(|field| field.number == number)
}

fn all_choices() -> &'static [Choice] {
    static ALL: LazyLock<Vec<Choice>> = LazyLock::new(|| lines(CHOICES).filter_map(Choice::read).collect());
    &ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn the_tables_are_read_whole() {
        assert_eq!((lines(FIELDS).count(), fields().len()), (76, 76));
        assert_eq!((lines(CHOICES).count(), all_choices().len()), (192, 192));
        for part in [("1.", 15), ("2.", 10), ("3.", 35), ("4.", 16)] {
            assert_eq!(fields().iter().filter(|field| field.number.starts_with(part.0)).count(), part.1);
        }
        is_sound::<ReportStage>();
        is_sound::<Obligation>();
        is_sound::<Kind>();
    }

    /// Counted in Annex II.
    #[test]
    fn each_stage_asks_for_as_many_fields_as_the_annex() {
        for (stage, yes, under_condition, no) in [
            (ReportStage::Initial, 18, 7, 51),
            (ReportStage::Intermediate, 32, 28, 16),
            (ReportStage::Final, 43, 33, 0),
        ] {
            let count = |wanted| fields().iter().filter(|field| field.obligation(stage) == wanted).count();
            let found = (count(Obligation::Yes), count(Obligation::If), count(Obligation::No));
            assert_eq!(found, (yes, under_condition, no), "{stage}");
        }
    }

    #[test]
    fn every_conditional_field_has_a_condition_and_every_list_its_answers() {
        for field in fields() {
            let is_conditional =
                ReportStage::ALL.iter().any(|stage| field.obligation(*stage) == Obligation::If);
            assert!(!is_conditional || field.condition.is_some(), "{}", field.number);
            let is_list = matches!(field.kind, Kind::Choice | Kind::Choices);
            assert_eq!(field.choices().next().is_some(), is_list, "{}", field.number);
            assert!(!field.name.en.is_empty() && !field.name.de.is_empty());
        }
        for choice in all_choices() {
            assert!(field(choice.field).is_some_and(|field| field.choices().any(|known| known == choice)));
            assert!(!choice.label.en.is_empty() && !choice.label.de.is_empty(), "{}", choice.code);
        }
    }
}
