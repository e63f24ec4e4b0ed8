//! Test programmes.

use std::collections::BTreeMap;

use app::{
    App,
    catalogue::Edition,
    history::Detail,
    programme::{ProgrammeFilter, ProgrammeView},
};
use domain::{
    any_of::AnyOf,
    id::ProgrammeId,
    moment::{Day, Moment},
    programme::{Programme, ProgrammeInput, ProgrammeStatus as Status},
    vocabulary::Severity,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words},
    schema::body,
    v1::{
        Subject, WholeList,
        record::{AsOfParams, Noun, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, Framework, HistoryStep, ORDER, moves, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "programmes",
    about: "Test programmes: what an institution plans to test in a period.",
    list: Some(WholeList::all::<Programme>()),
    routes: record_routes,
};

words! {
    ProgrammeStatus = domain::programme::ProgrammeStatus, moves::<domain::programme::ProgrammeStatus>();
    ProgrammeSort = domain::programme::ProgrammeSort, ORDER;
}

/// A test programme: what an institution plans to test in a period.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Programme)]
pub(crate) struct ProgrammeItem {
    #[schema(value_type = String, example = "prg_01k9x14js0e00000000000000a")]
    id: ProgrammeId,
    #[schema(example = "Resilience testing 2027")]
    name: String,
    description: Option<String>,
    framework: Framework,
    status: ProgrammeStatus,
    #[schema(example = "Dana Weber")]
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    starts_on: Option<Day>,
    #[schema(value_type = Option<String>, format = Date)]
    ends_on: Option<Day>,
    /// The business functions under test.
    functions: Vec<String>,
    test_cases: ProgrammeTestCases,
    findings: ProgrammeFindings,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// The test cases of a programme, counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProgrammeTestCases {
    total: u64,
    #[schema(value_type = BTreeMap<String, u64>)]
    by_status: BTreeMap<&'static str, u64>,
}

/// The findings of a programme, counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProgrammeFindings {
    /// Findings that are `open`, `in_progress` or `resolved`.
    open: u64,
    total: u64,
    #[schema(value_type = BTreeMap<String, u64>)]
    by_severity: BTreeMap<&'static str, u64>,
}

/// A programme with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProgrammeDetail {
    #[serde(flatten)]
    programme: ProgrammeItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

body! {
    /// A programme to create. Its status is `planned`.
    NewProgramme from ProgrammeChange {
        required: ["name", "framework"],
        without: ["status"],
        example: {
            "name": "Resilience testing 2027",
            "framework": "dora",
            "owner": "Dana Weber",
            "starts_on": "2027-01-01",
            "ends_on": "2027-12-31",
            "functions": ["Payments", "Online banking"],
        }
    }
}

/// Changes to a programme. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "active", "note": "Approved by the management body." }))]
pub(crate) struct ProgrammeChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    #[schema(value_type = Option<Framework>, nullable = false)]
    framework: Option<Option<String>>,
    /// The next status.
    #[schema(value_type = Option<ProgrammeStatus>, nullable = false)]
    status: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = Date)]
    starts_on: Option<Option<String>>,
    /// Must not be before `starts_on`.
    #[schema(format = Date)]
    ends_on: Option<Option<String>>,
    /// The business functions under test.
    #[schema(max_items = 200)]
    functions: Option<Option<Vec<String>>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProgrammeParams {
    /// `true` for archived programmes, `false` for the others. If absent or `all`, both.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only programmes with this status.
    #[param(value_type = Option<Vec<ProgrammeStatus>>)]
    status: Option<Words<Status>>,
    /// Only programmes for this framework. Sent several times, for any of them.
    #[param(value_type = Option<Vec<Framework>>)]
    framework: Option<Words<String>>,
    /// Only programmes of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<ProgrammeSort>)]
    sort: Option<Parsed<domain::programme::ProgrammeSort>>,
}

impl From<&ProgrammeView> for ProgrammeItem {
    fn from(programme: &ProgrammeView) -> Self {
        let ProgrammeView { row, test_cases, findings } = programme;
        let record = &row.record;
        Self {
            id: row.id,
            name: record.name.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            framework: record.framework.into(),
            status: record.status.into(),
            owner: record.owner.as_ref().map(ToString::to_string),
            starts_on: record.starts_on,
            ends_on: record.ends_on,
            functions: record.functions.iter().map(ToString::to_string).collect(),
            test_cases: ProgrammeTestCases {
                total: test_cases.total(),
                by_status: domain::test_case::TestCaseStatus::ALL
                    .iter()
                    .map(|status| (status.as_str(), test_cases.with_status(*status)))
                    .collect(),
            },
            findings: ProgrammeFindings {
                open: findings.open(),
                total: findings.total(),
                by_severity: Severity::ALL
                    .iter()
                    .map(|severity| (severity.as_str(), findings.with_severity(*severity)))
                    .collect(),
            },
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<ProgrammeView>> for ProgrammeDetail {
    fn from(detail: &Detail<ProgrammeView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { programme: ProgrammeItem::from(&detail.record), history }
    }
}

impl Noun for Programme {
    type Item = ProgrammeItem;
    type Full = ProgrammeDetail;

    const PATH: &'static str = "/api/v1/programmes";

    const NARROWED_BY: &'static [&'static str] = &["framework"];

    fn filter(_: &App, query: &mut PageQuery) -> Result<ProgrammeFilter, ApiError> {
        let params: ProgrammeParams = query.read();
        Ok(ProgrammeFilter {
            status: Words::any(params.status),
            framework: AnyOf::default(),
            owner: Names::any(params.owner),
            archived: params.archived.and_then(|word| word.value().wanted()),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> ProgrammeInput {
        fields.read::<ProgrammeChange>().into()
    }

    fn by_framework(filter: &mut ProgrammeFilter, edition: &Edition, query: &mut PageQuery) {
        let params: ProgrammeParams = query.read();
        filter.framework = query.frameworks("framework", &Words::any(params.framework), edition);
    }
}

impl From<ProgrammeChange> for ProgrammeInput {
    fn from(change: ProgrammeChange) -> Self {
        Self {
            name: change.name.into(),
            description: change.description.into(),
            framework: change.framework.into(),
            status: change.status.into(),
            owner: change.owner.into(),
            starts_on: change.starts_on.into(),
            ends_on: change.ends_on.into(),
            functions: change.functions.into(),
            note: change.note.into(),
        }
    }
}

record_routes! {
    Programme, "a programme", ProgrammeDetail;

    /// Lists programmes.
    ///
    /// The newest come first.
    list(ProgrammeItem; AsOfParams, TagParams, ProgrammeParams);
    create(NewProgramme);
    get;
    /// Updates a programme.
    ///
    /// Fields that are absent keep their values. The status can only move along the transitions of `ProgrammeStatus`.
    patch(ProgrammeChange);
    /// Deletes a programme without test cases and findings.
    delete;
    /// Archives a programme.
    ///
    /// It moves to the status `archived`; an active programme is completed or put on hold first.
    archive(BodyErrors);
    /// Restores a programme from the archive.
    ///
    /// It moves back to the status from before it was archived.
    restore(BodyErrors);
    versions;
    version;
}
