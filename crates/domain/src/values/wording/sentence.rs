//! Sentences in two languages: declared once with both texts and typed arguments, formatted for a program or a
//! person.
//!
//! A program gets the English sentence with field names, words and dates as in the API. A person gets their own
//! language, with labels for field names and words and with dates in that language's format.

use std::fmt;

use super::{Label, Language};

/// The reader of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Program,
    Person(Language),
}

impl Reader {
    pub fn language(self) -> Language {
        match self {
            Self::Program => Language::English,
            Self::Person(language) => language,
        }
    }
}

/// A text that exists in every language.
pub trait Sentence {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The sentence for a person of that language.
    fn text(&self, language: Language) -> String
    where
        Self: Sized,
    {
        For(self, Reader::Person(language)).to_string()
    }
}

/// A sentence for one reader.
pub(crate) struct For<'s, S>(pub(crate) &'s S, pub(crate) Reader);

impl<S: Sentence> fmt::Display for For<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

/// An argument of a sentence.
pub trait Shown {
    fn shown(&self, reader: Reader) -> String;
}

macro_rules! shown_as_printed {
    ($($type:ty),*) => {$(
        impl $crate::wording::Shown for $type {
            fn shown(&self, _: $crate::wording::Reader) -> String {
                self.to_string()
            }
        }
    )*};
}

shown_as_printed!(u8, u16, u32, u64, i64, usize, String, &'static str);
pub(crate) use shown_as_printed;

impl Shown for Label {
    fn shown(&self, reader: Reader) -> String {
        self.text(reader.language()).to_owned()
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self, reader: Reader) -> String {
        self.iter().map(|item| item.shown(reader)).collect::<Vec<_>>().join(", ")
    }
}

impl<T: Shown + ?Sized> Shown for Box<T> {
    fn shown(&self, reader: Reader) -> String {
        (**self).shown(reader)
    }
}

/// The traits of every sentence type: printing for a program, being an error, being an argument of another sentence.
#[macro_export]
macro_rules! sentence_traits {
    ($name:ty) => {
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::wording::Sentence::write(self, $crate::wording::Reader::Program, f)
            }
        }

        impl ::std::error::Error for $name {}

        impl $crate::wording::Shown for $name {
            fn shown(&self, reader: $crate::wording::Reader) -> String {
                $crate::wording::written_for(self, reader)
            }
        }
    };
}
pub use sentence_traits;

/// Declares enums whose variants are sentences: `Variant { argument: Type } = "English", "Deutsch";`. Arguments are
/// in braces in both texts.
#[macro_export]
macro_rules! sentences {
    ($( $(#[$meta:meta])* $name:ident { $($variants:tt)+ } )+) => {$(
        $crate::wording::sentence_enums! { $(#[$meta])* $name { $($variants)+ } }

        $crate::wording::sentence_traits!($name);
    )+};
}
pub use sentences;

/// The same without printing: for an error that prints more than its sentence.
#[macro_export]
macro_rules! sentence_enums {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident
                    $(( $($item:ident: $item_type:ty),+ ))?
                    $({ $($field:ident: $field_type:ty),+ $(,)? })?
                    = $en:literal, $de:literal;
            )+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_meta])* $variant $(( $($item_type),+ ))? $({ $($field: $field_type),+ })?,)+
        }

        impl $crate::wording::Sentence for $name {
            fn write(
                &self,
                reader: $crate::wording::Reader,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $(( $($item),+ ))? $({ $($field),+ })? => {
                        $($(let $item = $crate::wording::Shown::shown($item, reader);)+)?
                        $($(let $field = $crate::wording::Shown::shown($field, reader);)+)?
                        match reader.language() {
                            $crate::wording::Language::English => write!(f, $en),
                            $crate::wording::Language::German => write!(f, $de),
                        }
                    })+
                }
            }
        }
    )+};
}
pub use sentence_enums;

/// Declares a type that is one sentence: `Name { argument: Type } = "English", "Deutsch";`.
#[macro_export]
macro_rules! sentence {
    ($(#[$meta:meta])* $name:ident = $en:literal, $de:literal;) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name;

        $crate::wording::sentence!(@write $name {} $en, $de);
    };
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),+ $(,)? } = $en:literal, $de:literal;) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $(pub $field: $type),+
        }

        $crate::wording::sentence!(@write $name { $($field),+ } $en, $de);
    };
    (@write $name:ident { $($field:ident),* } $en:literal, $de:literal) => {
        impl $crate::wording::Sentence for $name {
            fn write(
                &self,
                reader: $crate::wording::Reader,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> ::std::fmt::Result {
                $(let $field = $crate::wording::Shown::shown(&self.$field, reader);)*
                match reader.language() {
                    $crate::wording::Language::English => write!(f, $en),
                    $crate::wording::Language::German => write!(f, $de),
                }
            }
        }

        $crate::wording::sentence_traits!($name);
    };
}
pub use sentence;

/// The sentence for that reader.
pub fn written_for(sentence: &impl Sentence, reader: Reader) -> String {
    For(sentence, reader).to_string()
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes public types, which these tests use alone")]
mod tests {
    use super::*;
    use crate::{moment::Day, vocabulary::Word};

    sentences! {
        Sample {
            Plain = "is required", "fehlt";
            Early { field: &'static str, day: Day } = "must not be before {field} ({day})", "darf nicht vor {field} ({day}) liegen";
            Pair(first: u8, second: Word) = "{first} of {second}", "{first} von {second}";
        }
    }

    #[test]
    fn a_program_reads_the_spelling_of_the_api_and_a_person_their_own() {
        let early = Sample::Early { field: "x", day: "2027-01-31".parse().unwrap() };
        assert_eq!(early.to_string(), "must not be before x (2027-01-31)");
        assert_eq!(early.text(Language::English), "must not be before x (31 Jan 2027)");
        assert_eq!(early.text(Language::German), "darf nicht vor x (31.01.2027) liegen");
        assert_eq!(Sample::Plain.text(Language::German), "fehlt");
        let pair = Sample::Pair(1, Word { word: "open", label: Label::new("Open", "Offen") });
        assert_eq!(
            (pair.to_string(), pair.text(Language::German)),
            ("1 of open".into(), "1 von Offen".into())
        );
    }
}
