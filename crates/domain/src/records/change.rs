//! A field of a request: left out, cleared or set, and its validation.
//!
//! The same validation serves creating (no current value) and changing (a field left out stays), so both share their
//! rules and their violations.

use std::str::FromStr;

use crate::{
    moment::Moment,
    text::{Name, Prose},
    transition::Lifecycle,
    violation::{Complaint, FieldComplaint, FixedField, RecordComplaint, Violations},
};

/// The change of one field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The field is left out.
    #[default]
    Keep,
    /// The field is `null`.
    Clear,
    Set(T),
}

impl Change<String> {
    /// The note of a request that was already checked.
    pub fn as_note(&self) -> Option<Prose> {
        match self {
            Self::Set(text) => Prose::parse(text).ok(),
            Self::Keep | Self::Clear => None,
        }
    }
}

impl<T> Change<T> {
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Change<U> {
        match self {
            Self::Keep => Change::Keep,
            Self::Clear => Change::Clear,
            Self::Set(value) => Change::Set(convert(value)),
        }
    }
}

impl<T> From<Option<T>> for Change<T> {
    /// For sources without "left out", such as a form: `None` means empty.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Clear, Self::Set)
    }
}

impl<T> From<Option<Option<T>>> for Change<T> {
    /// For a request: absent, `null`, or a value.
    fn from(value: Option<Option<T>>) -> Self {
        value.map_or(Self::Keep, Self::from)
    }
}

impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for Change<T> {
    /// `null` clears, a value sets; a missing field is the default, so mark it `#[serde(default)]`.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<T>::deserialize(deserializer).map(Self::from)
    }
}

/// The most items a list field may have.
pub const MAX_ITEMS: usize = 200;
/// The maximum number of reported violations about the items of one list.
const MAX_ITEM_COMPLAINTS: usize = 5;

/// The context of a record's rules: the time, and which catalogue ids exist.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub now: Moment,
    pub is_measure: &'a (dyn Fn(&str) -> bool + Sync),
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("now", &self.now).finish_non_exhaustive()
    }
}

/// How far a caller's clock may be ahead of ours before a time counts as the future.
const CLOCK_SKEW_MILLIS: i64 = 5 * 60 * 1000;

/// A moment in the past.
pub(crate) fn happened(text: &str, now: Moment) -> Result<Moment, Complaint> {
    let moment: Moment = text.parse()?;
    let is_later = moment > now.plus_millis(CLOCK_SKEW_MILLIS);
    if is_later { Err(FieldComplaint::NotInTheFuture.into()) } else { Ok(moment) }
}

/// Parses the fields of one request and collects violations.
#[derive(Debug, Default)]
pub struct Fields {
    violations: Violations,
}

impl Fields {
    pub fn refuse(&mut self, field: &str, complaint: impl Into<Complaint>) {
        self.violations.add(field, complaint);
    }

    /// A field that always has a value. `None` only after a violation.
    pub fn required<T, U, E: Into<Complaint>>(
        &mut self,
        field: &str,
        change: &Change<T>,
        current: Option<U>,
        parse: impl FnOnce(&T) -> Result<U, E>,
    ) -> Option<U> {
        match change {
            Change::Set(value) => self.violations.keep(field, parse(value)),
            Change::Clear => {
                self.refuse(field, FieldComplaint::Null);
                None
            }
            Change::Keep => {
                if current.is_none() {
                    self.refuse(field, FieldComplaint::Required);
                }
                current
            }
        }
    }

    /// A field that may be empty.
    pub fn optional<T, U, E: Into<Complaint>>(
        &mut self,
        field: &str,
        change: &Change<T>,
        current: Option<U>,
        parse: impl FnOnce(&T) -> Result<U, E>,
    ) -> Option<U> {
        match change {
            Change::Set(value) => self.violations.keep(field, parse(value)),
            Change::Clear => None,
            Change::Keep => current,
        }
    }

    /// One line that may be empty; a blank one counts as empty.
    pub fn line(&mut self, field: &str, change: &Change<String>, current: Option<Name>) -> Option<Name> {
        match change {
            Change::Set(text) if text.trim().is_empty() => None,
            _ => self.optional(field, change, current, |text| Name::parse(text)),
        }
    }

    /// Running text that may be empty; a blank one counts as empty.
    pub fn prose(&mut self, field: &str, change: &Change<String>, current: Option<Prose>) -> Option<Prose> {
        match change {
            Change::Set(text) if text.trim().is_empty() => None,
            _ => self.optional(field, change, current, |text| Prose::parse(text)),
        }
    }

    /// A list; each violation names its item.
    pub fn list<T, U, E: Into<Complaint>>(
        &mut self,
        field: &str,
        change: &Change<Vec<T>>,
        current: Option<Vec<U>>,
        parse: impl Fn(&T) -> Result<U, E>,
    ) -> Vec<U> {
        match change {
            Change::Keep => current.unwrap_or_default(),
            Change::Clear => Vec::new(),
            Change::Set(items) if items.len() > MAX_ITEMS => {
                let (most, found) = (MAX_ITEMS, items.len());
                self.refuse(field, FieldComplaint::TooManyItems { most, found });
                Vec::new()
            }
            Change::Set(items) => self.items(field, items, parse),
        }
    }

    fn items<T, U, E: Into<Complaint>>(
        &mut self,
        field: &str,
        items: &[T],
        parse: impl Fn(&T) -> Result<U, E>,
    ) -> Vec<U> {
        let mut complaints = 0;
        let mut kept = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match parse(item) {
                Ok(item) => kept.push(item),
                Err(error) if complaints < MAX_ITEM_COMPLAINTS => {
                    complaints += 1;
                    self.refuse(field, Complaint::item(index, error));
                }
                Err(_) => complaints += 1,
            }
        }
        kept
    }

    /// The status of a record: the first one when it is new, otherwise an allowed transition from `current`.
    pub fn status<S: Lifecycle>(&mut self, change: &Change<String>, current: Option<S>) -> Option<S> {
        let start = Some(current.unwrap_or(S::INITIAL));
        match (change, current) {
            (Change::Keep, _) => start,
            (Change::Clear, _) => {
                self.refuse("status", FieldComplaint::Null);
                None
            }
            (Change::Set(word), None) => self.violations.keep("status", S::initial_from_word(word)),
            (Change::Set(word), Some(current)) => self.violations.keep("status", current.moved_to_word(word)),
        }
    }

    /// A field that is fixed once the record exists: the same value is accepted, another is refused.
    pub fn fixed<T, U: PartialEq, E: Into<Complaint>>(
        &mut self,
        field: &str,
        change: &Change<T>,
        current: Option<U>,
        parse: impl FnOnce(&T) -> Result<U, E>,
        remedy: FixedField,
    ) -> Option<U> {
        let Some(current) = current else {
            return self.required(field, change, None, parse);
        };
        let same = match change {
            Change::Keep => true,
            Change::Clear => false,
            Change::Set(value) => parse(value).is_ok_and(|value| value == current),
        };
        if same {
            return Some(current);
        }
        self.refuse(field, RecordComplaint::Fixed { remedy });
        None
    }

    /// Ids of catalogue measures, each once.
    pub fn measures(
        &mut self,
        change: &Change<Vec<String>>,
        current: Option<Vec<String>>,
        context: &Context<'_>,
    ) -> Vec<String> {
        let known = |id: &String| {
            if (context.is_measure)(id) { Ok(id.clone()) } else { Err(RecordComplaint::NotAMeasure) }
        };
        without_repeats(self.list("measures", change, current, known))
    }

    /// Ids of own controls, each once. Whether they exist is for the caller to look up.
    pub fn controls<I: FromStr + PartialEq>(
        &mut self,
        change: &Change<Vec<String>>,
        current: Option<Vec<I>>,
    ) -> Vec<I> {
        let parse = |id: &String| id.parse().map_err(|_| RecordComplaint::NotAControl);
        without_repeats(self.list("controls", change, current, parse))
    }

    /// The value if there was no violation.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Violations> {
        self.violations.or(value)
    }
}

/// Removes repetitions of an item: for lists that are sets in the given order.
pub(crate) fn without_repeats<T: PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Priority;

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    fn complaints(fields: Fields) -> String {
        fields.finish(None::<()>).unwrap_err().to_string()
    }

    #[test]
    fn required_fields_are_there_or_named() {
        let mut fields = Fields::default();
        let parse = |text: &String| text.parse::<Priority>();
        assert_eq!(fields.required("a", &set("low"), None, parse), Some(Priority::Low));
        assert_eq!(fields.required("b", &Change::Keep, Some(Priority::High), parse), Some(Priority::High));
        assert_eq!(fields.required("c", &Change::Keep, None, parse), None);
        assert_eq!(fields.required("d", &Change::Clear, Some(Priority::High), parse), None);
        assert_eq!(fields.required("e", &set("urgent"), None, parse), None);
        assert_eq!(
            complaints(fields),
            "c is required; d must not be null; e must be one of critical, high, medium, low"
        );
    }

    #[test]
    fn blank_text_counts_as_empty() {
        let mut fields = Fields::default();
        let before = Name::parse("before").ok();
        assert_eq!(fields.line("owner", &set(" "), before.clone()), None);
        assert_eq!(fields.line("owner", &Change::Clear, before.clone()), None);
        assert_eq!(fields.line("owner", &Change::Keep, before.clone()), before);
        assert_eq!(fields.prose("description", &set("\n\n"), None), None);
        assert!(fields.finish(Some(())).is_ok());
    }

    #[test]
    fn lists_are_bounded_and_name_the_item() {
        let mut fields = Fields::default();
        let parse = |text: &String| Name::parse(text);
        let long = vec!["x".to_owned(); MAX_ITEMS + 1];
        assert!(
            fields.list("long", &Change::Set(long[..MAX_ITEMS].to_vec()), None, parse).len() == MAX_ITEMS
        );
        fields.list("long", &Change::Set(long), None, parse);
        fields.list("steps", &Change::Set(vec!["ok".into(), " ".into()]), None, parse);
        assert_eq!(
            complaints(fields),
            "long must have at most 200 items, not 201; steps item 2 must not be empty"
        );
    }

    #[test]
    fn a_list_full_of_errors_is_not_an_essay() {
        let mut fields = Fields::default();
        fields.list("steps", &Change::Set(vec![String::new(); 100]), None, |text| Name::parse(text));
        assert_eq!(complaints(fields).matches("item").count(), MAX_ITEM_COMPLAINTS);
    }

    #[test]
    fn the_future_has_not_happened_but_clocks_differ_a_little() {
        let now: Moment = "2026-11-14T12:00:00Z".parse().unwrap();
        assert!(happened("2026-11-14T13:04:00+01:00", now).is_ok());
        assert_eq!(happened("2026-11-14T12:06:00Z", now), Err(FieldComplaint::NotInTheFuture.into()));
        assert_eq!(happened("yesterday", now), Err(crate::moment::NotAMoment.into()));
    }

    #[test]
    fn a_fixed_field_takes_only_its_own_value() {
        let parse = |text: &String| text.parse::<Priority>();
        let mut fields = Fields::default();
        assert_eq!(
            fields.fixed("kind", &set("low"), Some(Priority::Low), parse, FixedField::StartOfClocks),
            Some(Priority::Low)
        );
        assert_eq!(
            fields.fixed("kind", &set("low"), None, parse, FixedField::StartOfClocks),
            Some(Priority::Low)
        );
        fields.fixed("kind", &set("high"), Some(Priority::Low), parse, FixedField::StartOfClocks);
        assert_eq!(complaints(fields), "kind cannot be changed; withdraw the report and create a new one");
    }
}
