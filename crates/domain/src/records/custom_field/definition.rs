//! What an administrator sends to define an own field or to change it, and its rules.

use std::collections::BTreeSet;

use super::{CustomField, CustomFieldComplaint, FieldLabel, FieldType};
use crate::{
    change::{Change, Fields},
    fold::fold,
    moment::Moment,
    text::{TextError, line},
    violation::{Complaint, FieldComplaint, Violations},
};

/// The fields of a definition as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomFieldInput {
    pub kind: Change<String>,
    pub key: Change<String>,
    pub field_type: Change<String>,
    pub label: Change<String>,
    pub label_de: Change<String>,
    pub choices: Change<Vec<String>>,
    pub place: Change<i64>,
    pub archived: Change<bool>,
}

impl CustomFieldInput {
    /// A new field of one of these kinds, without a place. `others` gives the fields that its kind has.
    pub fn create<'f>(
        &self,
        kinds: &[&str],
        others: impl FnOnce(&str) -> &'f [CustomField],
    ) -> Result<CustomField, Violations> {
        let mut fields = Fields::default();
        let kind = fields.required("kind", &self.kind, None, |kind| known_kind(kind, kinds));
        let others = kind.as_deref().map(others).unwrap_or_default();
        let field_type = fields.required("type", &self.field_type, None, |word| word.parse::<FieldType>());
        let label = self.label(&mut fields, None, others);
        let key = match (&self.key, &label) {
            (Change::Keep | Change::Clear, Some(label)) => Some(key_of(&label.text, others)),
            (Change::Keep | Change::Clear, None) => None,
            _ => fields.required("key", &self.key, None, |key| new_key(key, others)),
        };
        let choices = self.choices(&mut fields, field_type, None);
        check_room(&mut fields, others);
        let place = others.len() as u64 + 1;
        let parts = kind.zip(key).zip(field_type).zip(label);
        fields.finish(parts.map(|(((kind, key), field_type), label)| CustomField {
            kind,
            key,
            field_type,
            label,
            choices,
            place,
            archived_at: None,
        }))
    }

    /// The field after this change; the place is for the caller to give.
    pub fn change(
        &self,
        current: &CustomField,
        others: &[CustomField],
        now: Moment,
    ) -> Result<CustomField, Violations> {
        let mut fields = Fields::default();
        for (name, change, is) in [
            ("kind", &self.kind, current.kind.as_str()),
            ("key", &self.key, current.key.as_str()),
            ("type", &self.field_type, current.field_type.as_str()),
        ] {
            if !matches!(change, Change::Keep) && *change != Change::Set(is.to_owned()) {
                fields.refuse(name, CustomFieldComplaint::Fixed);
            }
        }
        let label = self.label(&mut fields, Some(&current.label), others);
        let choices = self.choices(&mut fields, Some(current.field_type), Some(&current.choices));
        let archived_at = match self.archived {
            Change::Keep => current.archived_at,
            Change::Set(true) => Some(current.archived_at.unwrap_or(now)),
            Change::Set(false) | Change::Clear => None,
        };
        if current.is_archived() && archived_at.is_none() {
            check_live(&mut fields, "archived", others);
        }
        fields.finish(label.map(|label| CustomField { label, choices, archived_at, ..current.clone() }))
    }

    fn label(
        &self,
        fields: &mut Fields,
        current: Option<&FieldLabel>,
        others: &[CustomField],
    ) -> Option<FieldLabel> {
        let text = fields
            .required("label", &self.label, current.map(|label| label.text.clone()), |text| label_text(text));
        let german = current.and_then(|label| label.german.clone());
        let german = match &self.label_de {
            Change::Set(text) if text.trim().is_empty() => None,
            change => fields.optional("label_de", change, german, |text| label_text(text)),
        };
        let label = FieldLabel { text: text?, german };
        let mut taken =
            others.iter().filter(|other| !other.is_archived()).flat_map(|other| other.label.folded());
        let own: Vec<String> = label.folded().collect();
        if taken.any(|other| own.contains(&other)) {
            fields.refuse("label", CustomFieldComplaint::LabelTaken);
        }
        Some(label)
    }

    fn choices(
        &self,
        fields: &mut Fields,
        field_type: Option<FieldType>,
        current: Option<&[String]>,
    ) -> Vec<String> {
        let parse = |text: &String| line(text.trim(), CustomField::LONGEST_LABEL).map(str::to_owned);
        let choices = fields.list("choices", &self.choices, current.map(<[String]>::to_vec), parse);
        match field_type {
            Some(FieldType::Choice) => {
                let folded: BTreeSet<_> = choices.iter().map(|choice| choice.to_lowercase()).collect();
                let most = CustomField::MOST_CHOICES;
                if choices.is_empty() || choices.len() > most || folded.len() < choices.len() {
                    fields.refuse("choices", CustomFieldComplaint::Choices { most });
                }
            }
            Some(_) if !choices.is_empty() => {
                fields.refuse("choices", CustomFieldComplaint::ChoicesOfChoice);
            }
            _ => {}
        }
        choices
    }

    /// The place that the field is to have, if it is to have another one.
    pub fn place(&self, most: usize) -> Result<Option<usize>, Violations> {
        match &self.place {
            Change::Keep => Ok(None),
            Change::Clear => Err(Violations::one("place", FieldComplaint::Null)),
            Change::Set(place) => match usize::try_from(*place) {
                Ok(place) if (1..=most).contains(&place) => Ok(Some(place)),
                _ => Err(Violations::one("place", CustomFieldComplaint::Place { most })),
            },
        }
    }
}

fn label_text(text: &str) -> Result<String, TextError> {
    line(text.trim(), CustomField::LONGEST_LABEL).map(str::to_owned)
}

fn known_kind(kind: &str, kinds: &[&str]) -> Result<String, Complaint> {
    if kinds.contains(&kind) {
        Ok(kind.to_owned())
    } else {
        Err(CustomFieldComplaint::NoSuchKind { known: kinds.join(", ") }.into())
    }
}

fn check_room(fields: &mut Fields, others: &[CustomField]) {
    let most = CustomField::MOST_WITH_ARCHIVED;
    if others.len() >= most {
        fields.refuse("kind", CustomFieldComplaint::TooManyArchived { most });
    }
    check_live(fields, "kind", others);
}

fn check_live(fields: &mut Fields, name: &str, others: &[CustomField]) {
    let most = CustomField::MOST;
    if others.iter().filter(|other| !other.is_archived()).count() >= most {
        fields.refuse(name, CustomFieldComplaint::TooMany { most });
    }
}

/// Whether a text can be a key.
fn is_key(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.len() <= CustomField::LONGEST_KEY && text.bytes().all(fits)
}

fn new_key(text: &str, others: &[CustomField]) -> Result<String, Complaint> {
    if !is_key(text) {
        return Err(CustomFieldComplaint::BadKey { most: CustomField::LONGEST_KEY }.into());
    }
    if others.iter().any(|other| other.key == text) {
        return Err(CustomFieldComplaint::KeyTaken.into());
    }
    Ok(text.to_owned())
}

/// A key made of the words of a label, which no other field has.
fn key_of(label: &str, others: &[CustomField]) -> String {
    /// Room for an underscore and a number.
    const LONGEST: usize = CustomField::LONGEST_KEY - 4;
    let mut folded = String::new();
    fold(label, &mut folded);
    let words = folded.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    let joined = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    let cut: String = joined.chars().take(LONGEST).collect();
    let plain = match cut.trim_end_matches('_') {
        "" => "field",
        key => key,
    };
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.to_owned()).chain(numbered);
    names.find(|key| others.iter().all(|other| other.key != *key)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{vocabulary::tests::is_sound, wording::Language};

    fn set<T>(value: T) -> Change<T> {
        Change::Set(value)
    }

    fn input(label: &str, field_type: &str) -> CustomFieldInput {
        CustomFieldInput {
            kind: set("finding".into()),
            label: set(label.into()),
            field_type: set(field_type.into()),
            ..CustomFieldInput::default()
        }
    }

    fn made(input: &CustomFieldInput, others: &[CustomField]) -> Result<CustomField, Violations> {
        input.create(&["finding", "risk"], |_| others)
    }

    fn now() -> Moment {
        "2026-11-14T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn words_are_sound() {
        is_sound::<FieldType>();
    }

    #[test]
    fn a_key_is_made_of_the_label_and_belongs_to_one_field() {
        let first = made(&input("Fällig für Größe", "text"), &[]).unwrap();
        assert_eq!(
            (first.key.as_str(), first.name().as_str(), first.place),
            ("fallig_fur_grosse", "custom.fallig_fur_grosse", 1)
        );
        let again = made(&input("Fällig-für (Größe)", "day"), std::slice::from_ref(&first)).unwrap();
        assert_eq!((again.key.as_str(), again.place), ("fallig_fur_grosse_2", 2));
        assert_eq!(made(&input("Ελλάδα", "text"), &[]).unwrap().key, "field");
        assert_eq!(made(&input(&"long ".repeat(12), "text"), &[]).unwrap().key.len(), 36);
        let given = CustomFieldInput { key: set("cost_centre".into()), ..input("Cost centre", "text") };
        let given = made(&given, &[]).unwrap();
        let twice = CustomFieldInput { key: set("cost_centre".into()), ..input("Another", "text") };
        assert!(made(&twice, &[given]).is_err());
        for bad in ["", "Cost", "a-b", "ä", "x".repeat(41).as_str()] {
            let bad = CustomFieldInput { key: set(bad.into()), ..input("Cost centre", "text") };
            assert!(made(&bad, &[]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn labels_are_different_in_any_case_and_language() {
        let german =
            CustomFieldInput { label_de: set("Kostenstelle".into()), ..input("Cost centre", "text") };
        let first = made(&german, &[]).unwrap();
        assert_eq!(first.label.text(Language::German), "Kostenstelle");
        assert_eq!(first.label.text(Language::English), "Cost centre");
        assert!(made(&input("KOSTENSTELLE", "text"), std::slice::from_ref(&first)).is_err());
        let archived = CustomFieldInput { archived: set(true), ..CustomFieldInput::default() };
        let archived = archived.change(&first, &[], now()).unwrap();
        assert!(made(&input("Kostenstelle", "text"), std::slice::from_ref(&archived)).is_ok());
        assert!(
            made(&input(&"x".repeat(61), "text"), &[]).is_err() && made(&input(" ", "text"), &[]).is_err()
        );
    }

    #[test]
    fn choices_belong_to_a_choice_and_are_different() {
        let with = |field_type: &str, choices: &[&str]| {
            let choices = set(choices.iter().map(|&choice| choice.to_owned()).collect());
            made(&CustomFieldInput { choices, ..input("Region", field_type) }, &[])
        };
        assert_eq!(with("choice", &["North", " South "]).unwrap().choices, ["North", "South"]);
        for (field_type, choices) in [
            ("choice", &[][..]),
            ("choice", &["a", "A"]),
            ("choice", &["a"; 51]),
            ("choice", &[" "]),
            ("text", &["a"]),
        ] {
            assert!(with(field_type, choices).is_err(), "{field_type} {choices:?}");
        }
        assert!(made(&input("Region", "colour"), &[]).is_err());
    }

    #[test]
    fn what_a_field_is_stays_and_the_rest_changes() {
        let field = made(&input("Region", "text"), &[]).unwrap();
        let same = CustomFieldInput { kind: set("finding".into()), ..CustomFieldInput::default() };
        assert_eq!(same.change(&field, &[], now()).unwrap(), field);
        let moved = CustomFieldInput { kind: set("risk".into()), ..CustomFieldInput::default() };
        let retyped = CustomFieldInput { field_type: set("day".into()), ..CustomFieldInput::default() };
        assert!(moved.change(&field, &[], now()).is_err() && retyped.change(&field, &[], now()).is_err());
        let renamed = CustomFieldInput { label: set("Area".into()), ..CustomFieldInput::default() };
        assert_eq!(renamed.change(&field, &[], now()).unwrap().label.text, "Area");
        assert_eq!(CustomFieldInput { place: set(2), ..same.clone() }.place(3), Ok(Some(2)));
        assert!(CustomFieldInput { place: set(4), ..same.clone() }.place(3).is_err());
        assert_eq!(same.place(3), Ok(None));
    }

    #[test]
    fn a_kind_has_thirty_fields_at_once() {
        let all: Vec<_> = (1..=CustomField::MOST)
            .map(|number| made(&input(&format!("F {number}"), "flag"), &[]).unwrap())
            .collect();
        assert!(made(&input("One more", "flag"), &all).is_err());
        let mut archived = all.clone();
        archived[0].archived_at = Some(now());
        assert!(made(&input("One more", "flag"), &archived).is_ok());
        let restored = CustomFieldInput { archived: set(false), ..CustomFieldInput::default() };
        assert!(restored.change(&archived[0], &archived[1..], now()).is_ok());
        assert!(restored.change(&archived[0], &all, now()).is_err());
        assert!(
            made(&input("X", "flag"), &vec![archived[0].clone(); CustomField::MOST_WITH_ARCHIVED]).is_err()
        );
        let elsewhere = CustomFieldInput { kind: set("approval".into()), ..input("X", "flag") };
        assert!(made(&elsewhere, &[]).is_err());
    }
}
