//! One violation of one field: a code with its arguments.

use std::{any::Any, convert::Infallible, error::Error, fmt, sync::Arc};

use super::FieldName;
use crate::wording::{Language, Reader, Sentence, Shown};

/// What is wrong with a field, or the remedy. Every type of sentence can be one, so that this module knows no kind of
/// record.
#[derive(Debug, Clone, PartialEq)]
pub enum Complaint {
    /// About one item of a list, counted from 1.
    Item { number: usize, complaint: Box<Complaint> },
    /// About a part of the field.
    Part { part: FieldName, complaint: Box<Complaint> },
    /// About a text within the field.
    About { text: String, complaint: Box<Complaint> },
    /// About the structure of a request, which only a program can get wrong: in English, like the API.
    Protocol(String),
    /// A sentence that the subject of the field declares.
    Declared(Arc<dyn Declared>),
}

impl Eq for Complaint {}

/// A declared sentence whose type is not known here.
pub trait Declared: fmt::Debug + Send + Sync {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn is_same(&self, other: &dyn Declared) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<S: Sentence + PartialEq + fmt::Debug + Send + Sync + 'static> Declared for S {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sentence::write(self, reader, f)
    }

    fn is_same(&self, other: &dyn Declared) -> bool {
        other.as_any().downcast_ref::<S>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl PartialEq for dyn Declared {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl<S: Sentence + PartialEq + fmt::Debug + Send + Sync + 'static> From<S> for Complaint {
    fn from(sentence: S) -> Self {
        Self::Declared(Arc::new(sentence))
    }
}

impl From<Infallible> for Complaint {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Complaint {
    /// A sentence about the structure of a request. Only for the API: errors that a person can make have their own
    /// code.
    pub fn protocol(message: impl fmt::Display) -> Self {
        Self::Protocol(message.to_string())
    }

    #[must_use]
    pub fn item(index: usize, complaint: impl Into<Self>) -> Self {
        Self::Item { number: index + 1, complaint: Box::new(complaint.into()) }
    }

    #[must_use]
    pub fn about(text: String, complaint: impl Into<Self>) -> Self {
        Self::About { text, complaint: Box::new(complaint.into()) }
    }

    #[must_use]
    pub fn part(part: FieldName, complaint: impl Into<Self>) -> Self {
        Self::Part { part, complaint: Box::new(complaint.into()) }
    }

    /// The sentence, if it is one of this type.
    pub fn declared<S: 'static>(&self) -> Option<&S> {
        match self {
            Self::Declared(sentence) => sentence.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// The complaint for a person of that language.
    pub fn text(&self, language: Language) -> String {
        self.shown(Reader::Person(language))
    }

    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item { number, complaint } => {
                let item = match reader.language() {
                    Language::English => "item",
                    Language::German => "Eintrag",
                };
                write!(f, "{item} {number} {}", complaint.shown(reader))
            }
            Self::Part { part, complaint } => {
                write!(f, "{} {}", part.shown(reader), complaint.shown(reader))
            }
            Self::About { text, complaint } => write!(f, "{text} {}", complaint.shown(reader)),
            Self::Protocol(text) => f.write_str(text),
            Self::Declared(sentence) => sentence.write(reader, f),
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Reader::Program, f)
    }
}

impl Error for Complaint {}

impl Shown for Complaint {
    fn shown(&self, reader: Reader) -> String {
        fmt::from_fn(|f| self.write(reader, f)).to_string()
    }
}
