//! The wire types of v2. Used by its routes only.

use app::catalogue::RecordPage;
use domain::page::Page;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{docs::failures::failures, respond};

/// The version label in every envelope.
pub(crate) const VERSION: &str = "2.0";

/// The v2 list envelope.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Envelope<T> {
    pub data: Vec<T>,
    pub meta: EnvelopeMeta,
}

/// The page and the size of the whole list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EnvelopeMeta {
    /// Items on this page.
    pub count: u64,
    /// Items that match in total.
    pub total: u64,
    /// The page size that was applied, at most 500.
    pub limit: u32,
    /// The number of items before this page.
    pub offset: u64,
    /// The version of the API.
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

/// The envelope around records that are already serialised.
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

failures! {
    /// What every v2 route may answer besides its result.
    KeyedErrors: 401, 422, 429, 500, 503;
    /// What a route may answer to a reader that has a copy.
    NotModified: 304;
}
