//! What handlers take out of a request.

pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod conditional;
pub(crate) mod fields;
pub(crate) mod path;
pub(crate) mod query;

pub(crate) use self::{
    body::{Body, OptionalBody},
    caller::{KeyManager, Reader, Writer},
    conditional::{IfMatch, IfNoneMatch},
    fields::Fields,
    path::IdPath,
    query::{PageParams, PageQuery},
};
