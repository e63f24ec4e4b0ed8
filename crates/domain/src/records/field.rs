//! The fields of records: the name of a field in the API and what people call it stand once, beside its kind.
//!
//! Forms, pages, reports, the history and complaints all take the label from here.

use crate::wording::Label;

/// A field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// As the API names it; a part of a field has the name of the field before it, as in `inherent.impact`.
    pub name: &'static str,
    pub label: Label,
}

impl Field {
    pub const DESCRIPTION: Self = Self::new("description", "Description", "Beschreibung");
    pub const DUE_ON: Self = Self::new("due_on", "Due on", "Fällig am");
    pub const NAME: Self = Self::new("name", "Name", "Name");
    pub const NOTE: Self = Self::new("note", "Note for the history", "Notiz für den Verlauf");
    pub const OWNER: Self = Self::new("owner", "Owner", "Verantwortlich");
    pub const REFERENCE: Self = Self::new("reference", "Reference", "Referenz");
    pub const STATUS: Self = Self::new("status", "Status", "Status");
    pub const TITLE: Self = Self::new("title", "Title", "Titel");

    #[must_use]
    pub const fn new(name: &'static str, english: &'static str, german: &'static str) -> Self {
        Self { name, label: Label::new(english, german) }
    }

    /// The same field where people know it by another label.
    #[must_use]
    pub const fn called(self, label: Label) -> Self {
        Self { label, ..self }
    }
}

impl From<Field> for Label {
    fn from(field: Field) -> Self {
        field.label
    }
}

/// A kind of record with its fields.
pub trait Fields {
    /// Every field, and the parts of fields.
    const ALL: &'static [Field];
}

/// The field with this name. A part that is not listed by its whole name is found by its own, as is `reason` of
/// `acceptance.reason`.
pub fn find(fields: &[Field], name: &str) -> Option<Field> {
    let named = |wanted: &str| fields.iter().copied().find(|field| field.name == wanted);
    named(name).or_else(|| named(name.rsplit_once('.')?.1))
}

/// Declares the fields of a kind as constants of its type: `CAUSE = "cause" ("Cause", "Ursache")`. One without a name
/// is a field that many kinds have, such as `TITLE`.
macro_rules! fields {
    (
        $(#[$doc:meta])*
        $kind:ident { $($field:ident $(= $name:literal ($english:literal, $german:literal))?,)* }
    ) => {
        $(#[$doc])*
        impl $kind {
            $(pub const $field: $crate::field::Field =
                $crate::field::one_field!($field $(= $name ($english, $german))?);)*
        }

        impl $crate::field::Fields for $kind {
            const ALL: &'static [$crate::field::Field] = &[$(Self::$field),*];
        }
    };
}

/// One field of [`fields!`].
macro_rules! one_field {
    ($field:ident) => {
        $crate::field::Field::$field
    };
    ($field:ident = $name:literal ($english:literal, $german:literal)) => {
        $crate::field::Field::new($name, $english, $german)
    };
}
pub(crate) use {fields, one_field};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        cra_report::CraReport, drill_run::DrillRun, finding::Finding, incident::Incident,
        programme::Programme, risk::Risk, test_case::TestCase,
    };

    #[test]
    fn a_field_is_found_by_its_name_and_a_part_by_its_own() {
        let found = |name| find(Risk::ALL, name);
        assert_eq!(found("owner"), Some(Field::OWNER));
        assert_eq!(found("inherent.impact"), Some(Risk::INHERENT_IMPACT));
        assert_eq!(found("acceptance.reason"), Some(Risk::REASON));
        assert_eq!(found("impact"), Some(Risk::IMPACT));
        assert_eq!(found("acceptance.nothing"), None);
        assert_eq!(found("nothing"), None);
    }

    #[test]
    fn every_field_is_named_once_and_labelled_in_both_languages() {
        fn check<K: Fields>() {
            let names: HashSet<_> = K::ALL.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), K::ALL.len(), "a field twice in {names:?}");
            for Field { name, label } in K::ALL {
                for text in [label.en, label.de] {
                    assert!(
                        !text.is_empty() && text.trim() == text && !text.ends_with('.'),
                        "{name}: {text}"
                    );
                }
            }
        }
        check::<Risk>();
        check::<Programme>();
        check::<TestCase>();
        check::<Finding>();
        check::<DrillRun>();
        check::<CraReport>();
        check::<Incident>();
    }
}
