//! The wire types of filings of the register.

use std::collections::BTreeMap;

use app::{
    history::Detail,
    register::{FeedbackLine, RegisterFilingRow},
};
use domain::{
    id::{RegisterFilingId, RegisterRowId},
    moment::{Day, Moment},
    register::{
        Template,
        filing::{
            Scope,
            difference::{RowChangeKind, RowDifference},
        },
    },
    register_filing::{FrozenPackage, RegisterFilingInput},
    text::Name,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    extract::{Parsed, Words},
    schema::body,
    v1::{
        records::correction::Correction,
        third_parties::register::rows::ProblemCounts,
        wire::{HistoryStep, ORDER, moves, words},
    },
};

words! {
    RegisterFilingStatus = domain::register_filing::RegisterFilingStatus, moves::<domain::register_filing::RegisterFilingStatus>();
    RegisterFilingSort = domain::register_filing::RegisterFilingSort, ORDER;
    RegisterRowChange = RowChangeKind, "What became of a row.";
}

/// A filing of the register of information.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterFiling)]
pub(crate) struct RegisterFilingItem {
    #[schema(value_type = String, example = "fil_01k9x14js0e00000000000000a")]
    id: RegisterFilingId,
    /// `individual` or `consolidated`.
    #[schema(value_type = String, example = "individual")]
    scope: Scope,
    #[schema(value_type = String, format = Date)]
    reference_date: Day,
    /// The country of the authority.
    #[schema(example = "DE")]
    country: String,
    status: RegisterFilingStatus,
    /// The responsible person.
    owner: Option<String>,
    /// The last day to submit it.
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// The current package.
    #[serde(flatten)]
    package: RegisterFilingPackage,
    /// The packages of editions that were refused, oldest first.
    earlier_editions: Vec<RegisterFilingPackage>,
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    /// The id of the key or person that set the status to `submitted`.
    submitted_by: Option<String>,
    /// The authority's reference.
    submission_reference: Option<String>,
    /// `null` until feedback on the current edition was read.
    feedback: Option<RegisterFilingFeedback>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A frozen package.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterFilingPackage {
    /// Counted from 1.
    edition: u32,
    #[schema(example = "529900TIDEWALLBANK74.IND_DE_DORA010100_DORA_2025-12-31_20260115093000000.zip")]
    file_name: String,
    sha256: String,
    /// In bytes.
    size: u64,
    rows: u64,
    #[schema(minimum = 0, maximum = 100)]
    readiness_pct: u8,
    /// The problems at the time of freezing.
    problems: ProblemCounts,
    #[schema(value_type = String, format = DateTime)]
    frozen_at: Moment,
    /// The id of the key or person that froze it.
    frozen_by: String,
}

/// The feedback that was read.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterFilingFeedback {
    #[schema(value_type = String, format = DateTime)]
    read_at: Moment,
    lines: u64,
    /// Lines that name a row of the package.
    placed: u64,
}

/// A filing with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterFilingDetail {
    #[serde(flatten)]
    filing: RegisterFilingItem,
    /// Corrections of what was recorded about the submission, oldest first.
    corrections: Vec<Correction>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

body! {
    /// What to freeze.
    NewRegisterFiling from RegisterFilingFields {
        required: [],
        without: ["status"],
        example: { "scope": "individual", "reference_date": "2025-12-31", "country": "DE" }
    }
}

body! {
    /// Changes to a filing. Fields that are absent keep their values; `null` clears a field.
    RegisterFilingChange from RegisterFilingFields {
        required: [],
        without: ["scope", "reference_date", "country"],
        example: { "status": "submitted", "note": "Sent through the portal" }
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct RegisterFilingFields {
    /// `individual` (the default) or `consolidated`.
    scope: Option<Option<String>>,
    /// The last day of the previous year by default.
    #[schema(format = Date)]
    reference_date: Option<Option<String>>,
    /// The country of the authority; that of `B_01.01` by default.
    country: Option<Option<String>>,
    #[schema(value_type = Option<RegisterFilingStatus>, nullable = false)]
    status: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

impl From<RegisterFilingFields> for RegisterFilingInput {
    fn from(fields: RegisterFilingFields) -> Self {
        Self {
            scope: fields.scope.into(),
            reference_date: fields.reference_date.into(),
            country: fields.country.into(),
            status: fields.status.into(),
            owner: fields.owner.into(),
            due_on: fields.due_on.into(),
            note: fields.note.into(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FilingParams {
    /// Only filings with this status.
    #[param(value_type = Option<Vec<RegisterFilingStatus>>)]
    pub(crate) status: Option<Words<domain::register_filing::RegisterFilingStatus>>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<RegisterFilingSort>)]
    pub(crate) sort: Option<Parsed<domain::register_filing::RegisterFilingSort>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EditionParams {
    /// An earlier edition; the current one by default.
    #[param(value_type = Option<u32>)]
    pub(crate) edition: Option<Parsed<u32>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DifferenceParams {
    /// The filing to compare with; the register as it is now by default.
    pub(crate) to: Option<String>,
    /// Only rows of this template.
    #[param(value_type = Option<String>)]
    pub(crate) template: Option<Parsed<Template>>,
    /// Only rows of which this became.
    #[param(inline, value_type = Option<RegisterRowChange>)]
    pub(crate) change: Option<Parsed<RowChangeKind>>,
}

/// A row that differs between two filings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterDifference {
    #[schema(example = "B_02.01")]
    template: &'static str,
    /// `added`, `gone` or `changed`.
    change: RegisterRowChange,
    /// The key columns of the row.
    #[schema(example = json!({ "c0010": "CTR-2025-014" }))]
    key: BTreeMap<String, String>,
    /// The cells that differ: before and after.
    #[schema(value_type = Object, example = json!({ "c0050": ["100000", "120000"] }))]
    cells: BTreeMap<String, [String; 2]>,
}

/// A line of the authority's feedback.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterFeedback {
    line: u64,
    #[schema(example = "B_05.01")]
    template: String,
    /// The row as the file names it.
    row: String,
    /// The row of the package, counted from 1; null if the file names no row of it.
    row_number: Option<u64>,
    /// The row of the register with the same key when the feedback was read.
    #[schema(value_type = Option<String>)]
    row_id: Option<RegisterRowId>,
    #[schema(example = "c0020")]
    column: Option<String>,
    #[schema(example = "807")]
    rule: Option<String>,
    message: String,
    value: Option<String>,
}

impl From<&FrozenPackage> for RegisterFilingPackage {
    fn from(frozen: &FrozenPackage) -> Self {
        Self {
            edition: frozen.edition,
            file_name: frozen.name.clone(),
            sha256: frozen.sha256.clone(),
            size: frozen.size,
            rows: frozen.rows,
            readiness_pct: frozen.readiness_pct,
            problems: frozen.problems.into(),
            frozen_at: frozen.at,
            frozen_by: frozen.by.clone(),
        }
    }
}

impl From<&RegisterFilingRow> for RegisterFilingItem {
    fn from(row: &RegisterFilingRow) -> Self {
        let filing = &row.record;
        let feedback = filing.feedback.as_ref().map(|read| RegisterFilingFeedback {
            read_at: read.at,
            lines: read.lines,
            placed: read.placed,
        });
        Self {
            id: row.id,
            scope: filing.scope,
            reference_date: filing.reference_date,
            country: filing.country.to_string(),
            status: filing.status.into(),
            owner: filing.owner.as_ref().map(Name::to_string),
            due_on: filing.due_on,
            package: (&filing.frozen).into(),
            earlier_editions: filing.earlier.iter().map(RegisterFilingPackage::from).collect(),
            submitted_at: filing.submission.as_ref().map(|sent| sent.at),
            submitted_by: filing.submission.as_ref().map(|sent| sent.by.clone()),
            submission_reference: filing
                .submission
                .as_ref()
                .and_then(|sent| sent.reference.as_ref())
                .map(ToString::to_string),
            feedback,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<RegisterFilingRow>> for RegisterFilingDetail {
    fn from(detail: &Detail<RegisterFilingRow>) -> Self {
        Self {
            filing: (&detail.record).into(),
            corrections: detail.corrections.iter().map(Correction::from).collect(),
            history: detail.history.iter().map(HistoryStep::from).collect(),
        }
    }
}

impl From<&RowDifference> for RegisterDifference {
    fn from(row: &RowDifference) -> Self {
        let cells = row.cells.iter().cloned();
        Self {
            template: row.template.id(),
            change: row.kind.into(),
            key: row.key.iter().map(|(column, text)| (column.to_string(), text.clone())).collect(),
            cells: cells.map(|cell| (cell.column.to_string(), [cell.before, cell.after])).collect(),
        }
    }
}

impl From<&FeedbackLine> for RegisterFeedback {
    fn from(line: &FeedbackLine) -> Self {
        let filled = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Self {
            line: line.number,
            template: line.template.clone(),
            row: line.row_name.clone(),
            row_number: line.row_number,
            row_id: line.row_id,
            column: filled(&line.column),
            rule: filled(&line.rule),
            message: line.message.clone(),
            value: filled(&line.value),
        }
    }
}
