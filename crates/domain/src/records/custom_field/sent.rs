//! The values of own fields as they were sent, and the rules of the fields.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{CUSTOM, CustomField, CustomFieldComplaint, CustomValue, CustomValues, Decimal, FieldType};
use crate::{
    exchange::yes_or_no,
    moment::Day,
    text::{Name, line},
    violation::{Complaint, Violations},
};

/// The longest text of a field.
const LONGEST_TEXT: usize = 500;
/// The maximum number of reported violations of one request.
const MOST_COMPLAINTS: usize = CustomField::MOST;

/// A value as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum SentValue {
    /// By a program, in JSON.
    Json(Value),
    /// By a person, in a form or a table.
    Typed(String),
}

/// What a request says of a record: the fields of its kind, and its own ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent<I> {
    pub input: I,
    pub custom: CustomInput,
}

impl<I> Sent<I> {
    /// The same with what is made of the fields: a new record or a change.
    pub fn convert<T: From<I>>(self) -> Sent<T> {
        Sent { input: self.input.into(), custom: self.custom }
    }
}

impl<I> From<I> for Sent<I> {
    fn from(input: I) -> Self {
        Self { input, custom: CustomInput::default() }
    }
}

/// The values of a request by the keys of their fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CustomInput(BTreeMap<String, SentValue>);

impl CustomInput {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn set(&mut self, key: impl Into<String>, value: SentValue) {
        self.0.insert(key.into(), value);
    }

    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// What people wrote, by the keys of the fields.
    pub fn typed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(key, value)| match value {
            SentValue::Typed(text) => Some((key.as_str(), text.as_str())),
            SentValue::Json(_) => None,
        })
    }

    /// The members of an object in JSON; `null` removes a value.
    pub fn of_json(fields: Map<String, Value>) -> Self {
        Self(fields.into_iter().map(|(key, value)| (key, SentValue::Json(value))).collect())
    }

    /// The values of a record after this change, by the fields of its kind.
    pub fn apply(&self, fields: &[CustomField], current: &CustomValues) -> Result<CustomValues, Violations> {
        let mut violations = Violations::default();
        let mut values = current.clone();
        for (key, sent) in &self.0 {
            match read(fields, key, sent, current.get(key)) {
                Ok(Some(value)) => {
                    values.0.insert(key.clone(), value);
                }
                Ok(None) => {
                    values.0.remove(key);
                }
                Err(_) if violations.fields().len() >= MOST_COMPLAINTS => break,
                Err(complaint) => violations.add(format!("{CUSTOM}.{}", shortened(key)), complaint),
            }
        }
        violations.or(Some(values))
    }
}

impl CustomInput {
    /// The values that records are looked for by: those of an archived field as well.
    pub fn sought(&self, fields: &[CustomField]) -> Result<CustomValues, Violations> {
        let live: Vec<_> =
            fields.iter().map(|field| CustomField { archived_at: None, ..field.clone() }).collect();
        let mut wanted = CustomValues::default();
        let mut violations = Violations::default();
        for (key, sent) in &self.0 {
            // A choice that was taken away is still found.
            let current = match sent {
                SentValue::Typed(text) => Some(CustomValue::Text(text.trim().to_owned())),
                SentValue::Json(_) => None,
            };
            match read(&live, key, sent, current.as_ref()) {
                Ok(value) => wanted.0.extend(value.map(|value| (key.clone(), value))),
                Err(_) if violations.fields().len() >= MOST_COMPLAINTS => break,
                Err(complaint) => violations.add(format!("{CUSTOM}.{}", shortened(key)), complaint),
            }
        }
        violations.or(Some(wanted))
    }
}

fn shortened(key: &str) -> String {
    key.chars().take(CustomField::LONGEST_KEY).collect()
}

/// The value that was sent for a field; none to remove it.
fn read(
    fields: &[CustomField],
    key: &str,
    sent: &SentValue,
    current: Option<&CustomValue>,
) -> Result<Option<CustomValue>, Complaint> {
    let Some(field) = fields.iter().find(|field| field.key == key) else { return Err(unknown(fields)) };
    let value = match sent {
        SentValue::Json(Value::Null) => return Ok(None),
        SentValue::Json(Value::String(text)) | SentValue::Typed(text) if text.trim().is_empty() => {
            return Ok(None);
        }
        SentValue::Json(value) => field.of_json(value, current)?,
        SentValue::Typed(text) => field.of_text(text, current)?,
    };
    if field.is_archived() && current != Some(&value) {
        return Err(CustomFieldComplaint::Archived.into());
    }
    Ok(Some(value))
}

fn unknown(fields: &[CustomField]) -> Complaint {
    let known: Vec<_> =
        fields.iter().filter(|field| !field.is_archived()).map(|field| field.key.as_str()).collect();
    if known.is_empty() {
        CustomFieldComplaint::NoFields.into()
    } else {
        CustomFieldComplaint::NoSuchField { known: known.join(", ") }.into()
    }
}

impl CustomField {
    fn of_json(&self, value: &Value, current: Option<&CustomValue>) -> Result<CustomValue, Complaint> {
        match (self.field_type, value) {
            (FieldType::Number, Value::Number(number)) => {
                let number = number.as_f64().ok_or(CustomFieldComplaint::NumberTooLarge)?;
                Ok(CustomValue::Number(Decimal::new(number)?))
            }
            (FieldType::Number, _) => Err(CustomFieldComplaint::NotANumber.into()),
            (FieldType::Flag, Value::Bool(flag)) => Ok(CustomValue::Flag(*flag)),
            (FieldType::Flag, _) => Err(CustomFieldComplaint::NotAFlag.into()),
            (FieldType::Day, Value::String(text)) => Ok(CustomValue::Text(text.parse::<Day>()?.to_string())),
            (FieldType::Choice, Value::String(text)) => self.choice(text, |choice| choice == text, current),
            (_, Value::String(text)) => self.of_text(text, current),
            _ => Err(CustomFieldComplaint::NotText.into()),
        }
    }

    /// The value of a text that a person wrote.
    pub fn of_text(&self, text: &str, current: Option<&CustomValue>) -> Result<CustomValue, Complaint> {
        let text = text.trim();
        Ok(match self.field_type {
            FieldType::Text => CustomValue::Text(line(text, LONGEST_TEXT)?.to_owned()),
            FieldType::Person => CustomValue::Text(Name::parse(text)?.to_string()),
            FieldType::Number => CustomValue::Number(Decimal::typed(text)?),
            FieldType::Day => CustomValue::Text(Day::parse_cell(text)?.to_string()),
            FieldType::Flag => CustomValue::Flag(yes_or_no(text).ok_or(CustomFieldComplaint::NotAFlag)?),
            FieldType::Choice => {
                let wanted = text.to_lowercase();
                return self.choice(text, |choice| choice.to_lowercase() == wanted, current);
            }
        })
    }

    /// One of the choices. A record keeps one that was taken away since.
    fn choice(
        &self,
        text: &str,
        is_meant: impl Fn(&str) -> bool,
        current: Option<&CustomValue>,
    ) -> Result<CustomValue, Complaint> {
        let kept = current.filter(|value| **value == CustomValue::Text(text.to_owned()));
        let found = self.choices.iter().find(|choice| is_meant(choice));
        match (kept, found) {
            (Some(kept), _) => Ok(kept.clone()),
            (None, Some(found)) => Ok(CustomValue::Text(found.clone())),
            (None, None) => Err(CustomFieldComplaint::NotAChoice { known: self.choices.join(", ") }.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::custom_field::FieldLabel;

    fn field(key: &str, field_type: FieldType) -> CustomField {
        CustomField {
            kind: "finding".into(),
            key: key.into(),
            field_type,
            label: FieldLabel { text: key.into(), german: None },
            choices: if field_type == FieldType::Choice {
                vec!["North".into(), "South".into()]
            } else {
                vec![]
            },
            place: 1,
            archived_at: None,
        }
    }

    fn fields() -> Vec<CustomField> {
        FieldType::ALL.iter().map(|of| field(of.as_str(), *of)).collect()
    }

    fn sent(fields: &Value) -> CustomInput {
        CustomInput::of_json(fields.as_object().cloned().unwrap_or_default())
    }

    fn applied(fields: &Value) -> Result<CustomValues, Violations> {
        sent(fields).apply(&self::fields(), &CustomValues::default())
    }

    #[test]
    fn every_type_keeps_its_values_and_reads_them_again() {
        let all = json!({
            "choice": "North", "day": "2026-11-14", "flag": false, "number": 12.5, "person": "Anna Weber",
            "text": "Zürich",
        });
        let values = applied(&all).unwrap();
        assert_eq!(Value::Object(values.to_json()), all);
        assert_eq!(CustomValues::of_stored(&values.stored().unwrap()).unwrap(), values);
        assert_eq!(applied(&json!({ "number": 5 })).unwrap().stored().unwrap(), r#"{"number":5}"#);
        assert_eq!(applied(&json!({ "number": -0.0 })).unwrap().stored().unwrap(), r#"{"number":0}"#);
        let texts: Vec<_> = values.texts().collect();
        assert_eq!(texts, ["North", "2026-11-14", "Anna Weber", "Zürich"]);
    }

    #[test]
    fn a_value_of_another_type_is_refused_by_its_name() {
        for (key, bad) in [
            ("text", json!(5)),
            ("text", json!("x".repeat(501))),
            ("text", json!(["a"])),
            ("number", json!("5")),
            ("number", json!(1e300)),
            ("day", json!("14.11.2026")),
            ("day", json!("2026-02-30")),
            ("choice", json!("north")),
            ("choice", json!(1)),
            ("person", json!("x".repeat(256))),
            ("flag", json!("true")),
            ("flag", json!(1)),
            ("other", json!("x")),
            ("other", Value::Null),
        ] {
            let refused = applied(&json!({ key: bad })).unwrap_err();
            assert_eq!(refused.fields().keys().collect::<Vec<_>>(), [&format!("custom.{key}")], "{bad}");
        }
        let many: Map<String, Value> = (0..5_000).map(|number| (format!("k{number}"), json!(1))).collect();
        assert_eq!(applied(&Value::Object(many)).unwrap_err().fields().len(), MOST_COMPLAINTS);
    }

    #[test]
    fn null_and_blanks_remove_a_value_and_the_others_stay() {
        let values = applied(&json!({ "text": "a", "number": 1, "flag": true })).unwrap();
        let after = sent(&json!({ "text": null, "number": " " })).apply(&fields(), &values).unwrap();
        assert_eq!(Value::Object(after.to_json()), json!({ "flag": true }));
        let none = sent(&json!({ "flag": null })).apply(&fields(), &after).unwrap();
        assert_eq!((none.is_empty(), none.stored()), (true, None));
    }

    #[test]
    fn people_write_numbers_days_and_flags_in_their_own_way() {
        let mut input = CustomInput::default();
        for (key, text) in
            [("number", "1,5"), ("day", "14.11.2026"), ("flag", "Ja"), ("choice", "SOUTH"), ("text", " a ")]
        {
            input.set(key, SentValue::Typed(text.into()));
        }
        let values = input.apply(&fields(), &CustomValues::default()).unwrap();
        let expected =
            json!({ "choice": "South", "day": "2026-11-14", "flag": true, "number": 1.5, "text": "a" });
        assert_eq!(Value::Object(values.to_json()), expected);
        for bad in ["1e3", "inf", "NaN", "1.000,5", "-"] {
            let mut input = CustomInput::default();
            input.set("number", SentValue::Typed(bad.into()));
            assert!(input.apply(&fields(), &CustomValues::default()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_choice_or_field_that_was_taken_away_keeps_its_value_until_it_changes() {
        let values = applied(&json!({ "choice": "South", "text": "a" })).unwrap();
        let mut fields = fields();
        for field in &mut fields {
            field.choices.retain(|choice| choice != "South");
            field.archived_at = (field.key == "text").then(|| "2026-11-14T12:00:00Z".parse().unwrap());
        }
        let same = sent(&json!({ "choice": "South", "text": "a" }));
        assert_eq!(same.apply(&fields, &values).unwrap(), values);
        assert!(same.apply(&fields, &CustomValues::default()).is_err());
        assert!(sent(&json!({ "text": "b" })).apply(&fields, &values).is_err());
        assert!(sent(&json!({ "text": null })).apply(&fields, &values).unwrap().get("text").is_none());
    }
}
