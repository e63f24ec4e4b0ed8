//! What v1 says on the wire. Shared by its routes only.

use app::{catalogue::RecordPage, history::HistoryRow};
use domain::moment::Moment;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::{
    error::{ErrorBody, LimitBody},
    extract::cursor,
    respond::{self, Meta},
};

/// A list of records that are serialised already.
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

/// Declares the closed lists of words v1 speaks, each with its words and, for a status, its moves.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $of:ty $(, moves $moves:expr)?;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Serialize)]
        #[serde(transparent)]
        pub(crate) struct $name($of);

        impl From<$of> for $name {
            fn from(word: $of) -> Self {
                Self(word)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let schema = utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(<$of>::WORDS.iter().copied()));
                $(let schema = schema.description(Some($moves));)?
                schema.into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

fn moves<S: domain::transition::Lifecycle>() -> String {
    domain::transition::markdown::<S>(domain::wording::Language::English)
}

words! {
    Framework = domain::vocabulary::Framework;
    Severity = domain::vocabulary::Severity;
    Priority = domain::vocabulary::Priority;
    TestType = domain::test_type::TestType;
    ProgrammeStatus = domain::programme::ProgrammeStatus, moves moves::<domain::programme::ProgrammeStatus>();
    TestCaseStatus = domain::test_case::TestCaseStatus, moves moves::<domain::test_case::TestCaseStatus>();
    FindingStatus = domain::finding::FindingStatus, moves moves::<domain::finding::FindingStatus>();
    CraReportStatus = domain::cra_report::CraReportStatus, moves moves::<domain::cra_report::CraReportStatus>();
    CraReportKind = domain::cra_report::CraReportKind;
    StageState = domain::clock::StageState;
    ScanStatus = domain::scan::ScanStatus;
    ScanSeverity = domain::scan::ScanSeverity;
    CraReportSort = domain::sort::CraReportSort;
    ProgrammeSort = domain::sort::ProgrammeSort;
    TestCaseSort = domain::sort::TestCaseSort;
    FindingSort = domain::sort::FindingSort;
}

/// One status a record has had.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HistoryStep {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// Null for the first status.
    from: Option<String>,
    to: String,
    /// The id of the key or the user that moved it, `operator`, or `system`.
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

/// How many findings there are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingTotals {
    /// Those that somebody still has to act on.
    pub(super) open: u64,
    pub(super) total: u64,
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
