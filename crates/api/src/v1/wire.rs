//! What v1 says on the wire. Shared by its routes only.

use app::catalogue::RecordPage;
use utoipa::IntoResponses;

use crate::{
    error::{ErrorBody, LimitBody},
    respond::{self, Meta},
};

/// A list of records that are serialised already.
pub(crate) fn listed(page: &RecordPage<'_>) -> Vec<u8> {
    let meta = Meta {
        count: page.items.len() as u64,
        total: page.total,
        limit: page.request.limit(),
        offset: page.request.offset(),
    };
    respond::joined(page.items.iter().copied(), &meta)
}

/// What every v1 route may answer besides its result.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum KeyedErrors {
    /// No key, or one that is unknown, expired or revoked.
    #[response(status = 401)]
    Unauthenticated(#[to_schema] ErrorBody),
    /// The key lacks the permission this route needs.
    #[response(status = 403)]
    Forbidden(#[to_schema] ErrorBody),
    /// The record does not exist in the key's tenant.
    #[response(status = 404)]
    NotFound(#[to_schema] ErrorBody),
    /// The input is wrong; `details` names the fields. Nothing was stored.
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

/// What a conditional change may answer besides.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum StaleError {
    /// `If-Match` no longer fits: the record has changed.
    #[response(status = 412)]
    Stale(#[to_schema] ErrorBody),
}

/// What a route that takes a body may answer besides.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum BodyErrors {
    /// The body is larger than 1 MiB.
    #[response(status = 413)]
    TooLarge(#[to_schema] ErrorBody),
}
