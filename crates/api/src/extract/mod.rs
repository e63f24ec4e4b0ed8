//! The extractors of the handlers.

pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod coding;
pub(crate) mod conditional;
pub(crate) mod cursor;
pub(crate) mod fields;
pub(crate) mod file;
pub(crate) mod language;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod request;

pub(crate) use self::{
    body::{Body, OptionalBody},
    caller::{KeyManager, Reader, Writer},
    coding::Packed,
    conditional::{IfMatch, IfNoneMatch},
    fields::Fields,
    language::{LanguageParams, Spoken},
    path::{IdPath, IdsPath},
    query::{FilterQuery, ListParams, ListQuery, PageParams, PageQuery},
    request::{Names, Parsed, Search, Switch, Words, WordsOrNone, exactly},
};
