//! What v2 says on the wire. Shared by its routes only.

use app::catalogue::RecordPage;
use domain::page::Page;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::{
    error::{ErrorBody, LimitBody},
    respond,
};

/// The version label in every envelope.
pub(crate) const VERSION: &str = "2.0";

/// The v2 list envelope.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Envelope<T> {
    pub data: Vec<T>,
    pub meta: EnvelopeMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EnvelopeMeta {
    /// How many items this response has.
    pub count: u64,
    /// How many items match in all.
    pub total: u64,
    /// The limit that was applied.
    pub limit: u32,
    /// The offset that was applied.
    pub offset: u64,
    /// The API's version label.
    #[schema(example = "2.0")]
    pub version: &'static str,
}

impl<T> Envelope<T> {
    pub(crate) fn of<R>(page: &Page<R>) -> Self
    where
        T: for<'r> From<&'r R>,
    {
        let meta = EnvelopeMeta {
            count: page.items.len() as u64,
            total: page.total,
            limit: page.request.limit(),
            offset: page.request.offset(),
            version: VERSION,
        };
        Self { data: page.items.iter().map(T::from).collect(), meta }
    }
}

/// The envelope around records that are serialised already.
pub(crate) fn enveloped(page: &RecordPage<'_>) -> Vec<u8> {
    let meta = EnvelopeMeta {
        count: page.items.len() as u64,
        total: page.total,
        limit: page.request.limit(),
        offset: page.request.offset(),
        version: VERSION,
    };
    respond::joined(page.items.iter().copied(), &meta)
}

/// What every v2 route may answer besides its result.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum KeyedErrors {
    /// No bearer key, or one that is unknown, expired or revoked.
    #[response(status = 401)]
    Unauthenticated(#[to_schema] ErrorBody),
    /// A parameter is wrong; `details` names it.
    #[response(status = 422)]
    Invalid(#[to_schema] ErrorBody),
    /// The key is over its request limit.
    #[response(status = 429)]
    Limited(#[to_schema] LimitBody),
    /// Something unexpected happened; nothing more is said.
    #[response(status = 500)]
    Internal(#[to_schema] ErrorBody),
    /// The service cannot answer right now; `Retry-After` says when to try again.
    #[response(status = 503)]
    Unavailable(#[to_schema] ErrorBody),
}
