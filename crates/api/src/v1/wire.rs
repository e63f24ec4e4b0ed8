//! The wire types of v1. Used by its routes only.

use app::{catalogue::RecordPage, history::HistoryRow};
use domain::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    docs::failures::failures,
    extract::cursor,
    respond::{self, Meta},
    schema::framework,
};

/// A list of records that are already serialised.
pub(crate) fn listed(page: &RecordPage<'_>) -> Vec<u8> {
    let end = page.request.offset().saturating_add(page.items.len() as u64);
    let more = !page.items.is_empty() && end < page.total;
    let meta = Meta {
        count: page.items.len() as u64,
        total: page.total,
        limit: page.request.limit(),
        offset: page.request.offset(),
        next_cursor: more.then(|| cursor::text_of_position(end, &page.list)),
    };
    respond::joined(page.items.iter().copied(), &meta)
}

/// Declares closed lists of words, each with its description; that of a status shows its transitions. A kind of record
/// declares its own in its own file.
macro_rules! words {
    ($($name:ident = $of:ty, $description:expr;)*) => {$(
        #[derive(Debug, serde::Serialize)]
        #[serde(transparent)]
        pub(crate) struct $name($of);

        impl From<$of> for $name {
            fn from(word: $of) -> Self {
                Self(word)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::schema::one_of(<$of>::WORDS, &String::from($description))
            }
        }

        impl utoipa::ToSchema for $name {}
    )*};
}
pub(super) use words;

/// The description of every list of orders.
pub(super) const ORDER: &str = "The order of the list; `-` is descending.";

pub(super) fn moves<S: domain::transition::Lifecycle>() -> String {
    domain::transition::markdown::<S>(domain::wording::Language::English)
}

/// The framework of a record. The catalogue says which there are.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Framework(domain::framework::Framework);

impl From<domain::framework::Framework> for Framework {
    fn from(framework: domain::framework::Framework) -> Self {
        Self(framework)
    }
}

impl utoipa::PartialSchema for Framework {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        framework()
    }
}

impl ToSchema for Framework {}

words! {
    Severity = domain::vocabulary::Severity, "A severity.";
    Archived = domain::archive::Archived, "Which of the current and the archived records a list shows.";
}

/// A change of a record's status. A step from a status to itself is a correction; its note is the reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HistoryStep {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// The status before; null for the first entry.
    from: Option<String>,
    /// The status after.
    to: String,
    /// The id of the API key or user that changed it, `operator`, or `system`.
    by: String,
    note: Option<String>,
}

impl From<&HistoryRow> for HistoryStep {
    fn from(row: &HistoryRow) -> Self {
        Self {
            at: row.at,
            from: row.from.clone(),
            to: row.to.clone(),
            by: row.actor.clone(),
            note: row.note.as_ref().map(ToString::to_string),
        }
    }
}

/// The number of findings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingTotals {
    /// Findings that are `open`, `in_progress` or `resolved`.
    pub(super) open: u64,
    pub(super) total: u64,
}

failures! {
    /// What every v1 route may answer besides its result.
    KeyedErrors: 401, 403, 404, 422, 429, 500, 503;
    /// What a route that takes a file may answer besides its result and the problems of the file.
    FileErrors: 401, 403, 413, 429, 500, 503;
    /// What a route that takes a file for a record may answer besides.
    NoSuchRecord: 404;
    /// What a route may answer to a reader that has a copy.
    NotModified: 304;
    /// What a change that is only possible for a time may answer besides.
    ConflictError: 409;
    /// What a stream may answer to a cursor that is too old.
    CursorError: 410;
    /// What a conditional change may answer besides.
    StaleError: 412;
    /// What a route that answers with a part of a file may answer besides.
    RangeError: 416;
    /// What a route that takes a body may answer besides.
    BodyErrors: 413;
}
