//! The wire types of trainings.

use app::{
    App,
    history::Detail,
    training::{TrainingCounts as AppCounts, TrainingFilter, TrainingTotals, TrainingView},
};
use domain::{
    id::{EvidenceId, TrainingId, UserId},
    moment::{Day, Moment},
    rounding::Hundredths,
    training::{AssignmentInput, ResultInput, Training, TrainingInput},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words},
    v1::{
        record::Noun,
        records::correction::Correction,
        wire::{HistoryStep, ORDER, words},
    },
};

words! {
    TrainingState = domain::training::TrainingState, "The state of a training today: `late` if it is not passed by the end of its due day.";
    TrainingSort = domain::training::TrainingSort, ORDER;
}

/// A training of one person: a module of the catalogue, or a course held elsewhere.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Training)]
pub(crate) struct TrainingItem {
    #[schema(value_type = String, example = "trn_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    id: TrainingId,
    #[schema(example = "TR-0001")]
    reference: String,
    /// The id of a training module of the catalogue; null for a course held elsewhere.
    #[schema(example = "training-management-body")]
    module: Option<String>,
    title: String,
    /// Who holds a course elsewhere.
    provider: Option<String>,
    person: TrainingPerson,
    #[schema(value_type = String, format = Date)]
    due_on: Day,
    /// Whether the person is a member of the management body (DORA Art. 5(4)).
    management_body: bool,
    state: TrainingState,
    /// How often the quiz was taken.
    attempts: u32,
    /// Of the last attempt, or of the course, in percent.
    #[schema(minimum = 0, maximum = 100)]
    score: Option<u8>,
    #[schema(value_type = Option<String>, format = Date)]
    passed_on: Option<Day>,
    /// Ids of the evidence attached to it.
    #[schema(value_type = Vec<String>)]
    evidence: Vec<EvidenceId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// The person who takes a training.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TrainingPerson {
    #[schema(value_type = String, example = "usr_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    id: UserId,
    name: String,
}

impl From<&TrainingView> for TrainingItem {
    fn from(training: &TrainingView) -> Self {
        let (row, record) = (&training.row, &training.row.record);
        Self {
            id: row.id,
            reference: record.reference.to_string(),
            module: record.module.clone(),
            title: training.title.clone(),
            provider: record.provider.as_ref().map(ToString::to_string),
            person: TrainingPerson { id: record.person, name: training.person.clone() },
            due_on: record.due_on,
            management_body: record.management_body,
            state: training.state.into(),
            attempts: record.attempts,
            score: record.score,
            passed_on: record.passed_on,
            evidence: training.evidence.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

/// A training with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TrainingDetail {
    #[serde(flatten)]
    training: TrainingItem,
    /// What was corrected of a recorded result, oldest first.
    corrections: Vec<Correction>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl From<&Detail<TrainingView>> for TrainingDetail {
    fn from(detail: &Detail<TrainingView>) -> Self {
        let corrections = detail.corrections.iter().map(Correction::from).collect();
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { training: TrainingItem::from(&detail.record), corrections, history }
    }
}

/// The figures of trainings, without archived ones.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TrainingSummary {
    all: TrainingCounts,
    /// Those of the members of the management body (DORA Art. 5(4)).
    management_body: TrainingCounts,
}

/// How many trainings are in each state.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TrainingCounts {
    assigned: u64,
    failed: u64,
    late: u64,
    passed: u64,
    total: u64,
    /// Null without trainings.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    passed_pct: Option<Hundredths>,
}

impl From<&TrainingTotals> for TrainingSummary {
    fn from(totals: &TrainingTotals) -> Self {
        Self { all: (&totals.all).into(), management_body: (&totals.management_body).into() }
    }
}

impl From<&AppCounts> for TrainingCounts {
    fn from(counts: &AppCounts) -> Self {
        let total = counts.total();
        Self {
            assigned: counts.assigned,
            failed: counts.failed,
            late: counts.late,
            passed: counts.passed,
            total,
            passed_pct: (total > 0).then(|| Hundredths::percent(counts.passed, total)),
        }
    }
}

/// A training to assign: a module of the catalogue, or the title of a course held elsewhere.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "module": "training-management-body", "people": ["usr_01k9x8v1q7m3t5n2p4r6s8w0yz"],
    "due_on": "2027-03-31", "management_body": true,
}))]
pub(crate) struct NewTraining {
    /// The id of a training module of the catalogue. Not together with `title`.
    module: Option<Option<String>>,
    /// The title of a course held elsewhere. Not together with `module`.
    #[schema(min_length = 1, max_length = 255)]
    title: Option<Option<String>>,
    /// Who holds a course elsewhere.
    #[schema(max_length = 255)]
    provider: Option<Option<String>>,
    /// The ids of the people: each gets a training of their own.
    #[schema(required = true, min_items = 1, max_items = 200, nullable = false)]
    people: Option<Option<Vec<String>>>,
    #[schema(required = true, format = Date, nullable = false)]
    due_on: Option<Option<String>>,
    /// Whether the people are members of the management body. If absent, each stays what their latest training says.
    management_body: Option<Option<bool>>,
}

impl From<NewTraining> for AssignmentInput {
    fn from(request: NewTraining) -> Self {
        Self {
            module: request.module.into(),
            title: request.title.into(),
            provider: request.provider.into(),
            people: request.people.into(),
            due_on: request.due_on.into(),
            management_body: request.management_body.into(),
            members: None,
        }
    }
}

/// Changes to a training. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "due_on": "2027-04-30" }))]
pub(crate) struct TrainingChange {
    #[schema(format = Date, nullable = false)]
    due_on: Option<Option<String>>,
    #[schema(nullable = false)]
    management_body: Option<Option<bool>>,
}

impl From<TrainingChange> for TrainingInput {
    fn from(change: TrainingChange) -> Self {
        Self { due_on: change.due_on.into(), management_body: change.management_body.into() }
    }
}

/// The result of a course held elsewhere.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "passed_on": "2027-03-18", "score": 92 }))]
pub(crate) struct NewTrainingResult {
    /// Not in the future.
    #[schema(required = true, format = Date, nullable = false)]
    passed_on: Option<Option<String>>,
    /// In percent.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100)]
    score: Option<Option<f64>>,
    /// The id of evidence, such as the certificate of the course; it is attached to the training.
    evidence: Option<Option<String>>,
}

impl From<NewTrainingResult> for ResultInput {
    fn from(result: NewTrainingResult) -> Self {
        Self {
            passed_on: result.passed_on.into(),
            score: result.score.into(),
            evidence: result.evidence.into(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrainingParams {
    /// Only trainings in this state today.
    #[param(value_type = Option<Vec<TrainingState>>)]
    state: Option<Words<domain::training::TrainingState>>,
    /// Only trainings of the person with this id.
    #[param(value_type = Option<String>)]
    person: Option<Parsed<UserId>>,
    /// Only trainings of the module with this id.
    #[param(value_type = Option<Vec<String>>)]
    module: Option<Names>,
    /// Only trainings of members of the management body, or only those of others.
    management_body: Option<bool>,
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<TrainingSort>)]
    sort: Option<Parsed<domain::training::TrainingSort>>,
}

impl Noun for Training {
    type Item = TrainingItem;
    type Full = TrainingDetail;

    const PATH: &'static str = "/api/v1/trainings";

    fn filter(app: &App, query: &mut PageQuery) -> Result<TrainingFilter, ApiError> {
        let params: TrainingParams = query.read();
        Ok(TrainingFilter {
            state: Words::any(params.state),
            today: Some(app.clock.now().day()),
            person: params.person.map(Parsed::value),
            module: Names::any(params.module),
            management_body: params.management_body,
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> TrainingInput {
        fields.read::<TrainingChange>().into()
    }
}
