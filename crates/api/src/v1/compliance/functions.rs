//! Functions of the institution.

use app::{
    App,
    function::{FunctionFilter, FunctionView},
    history::Detail,
};
use domain::{
    function::{Function, FunctionInput},
    id::FunctionId,
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, PageQuery, Parsed, Search, Words},
    schema::body,
    v1::{
        Subject, WholeList,
        record::{AsOfParams, Noun, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, ORDER, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "functions",
    about: "Functions of the institution, how critical they are, and what refers to them.",
    list: Some(WholeList::all::<Function>()),
    routes: record_routes,
};

words! {
    FunctionCriticality = domain::function::FunctionCriticality, "Whether a function is critical or important (DORA Art. 3(22)).";
    DiscontinuingImpact = domain::function::DiscontinuingImpact, "What discontinuing a function would do.";
    FunctionSort = domain::function::FunctionSort, ORDER;
}

/// A function of the institution, as in template `B_06.01` of the register of information.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Function)]
pub(crate) struct FunctionItem {
    #[schema(value_type = String, example = "fun_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    id: FunctionId,
    /// The identifier in template `B_06.01`. If absent from a request, the service gives one.
    #[schema(example = "F1")]
    reference: String,
    /// Given once. It cannot change while programmes, test cases, arrangements or incidents refer to the function.
    #[schema(example = "Payments")]
    name: String,
    licensed_activity: Option<String>,
    criticality: FunctionCriticality,
    reasons: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    assessed_on: Option<Day>,
    /// Recovery time objective.
    #[schema(minimum = 0, maximum = 525_600, example = 240)]
    rto_minutes: Option<u32>,
    /// Recovery point objective.
    #[schema(minimum = 0, maximum = 525_600, example = 15)]
    rpo_minutes: Option<u32>,
    impact_of_discontinuing: DiscontinuingImpact,
    owner: Option<String>,
    counts: FunctionCounts,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// What refers to a function. A test case counts if it names the function itself, a finding if its test case does.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FunctionCounts {
    programmes: u64,
    arrangements: u64,
    test_cases: u64,
    open_findings: u64,
    risks: u64,
    incidents: u64,
}

body! {
    /// A new function.
    NewFunction from FunctionChange {
        required: ["name"],
        without: [],
        example: { "name": "Payments", "criticality": "critical_or_important", "rto_minutes": 240 }
    }
}

/// Changes to a function. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct FunctionChange {
    /// The identifier in template `B_06.01`, which no other function has. `null` returns to the one given by the service.
    #[schema(min_length = 1, max_length = 255)]
    reference: Option<Option<String>>,
    #[schema(nullable = false)]
    name: Option<Option<String>>,
    licensed_activity: Option<Option<String>>,
    #[schema(value_type = Option<FunctionCriticality>, nullable = false)]
    criticality: Option<Option<String>>,
    reasons: Option<Option<String>>,
    #[schema(format = Date)]
    assessed_on: Option<Option<String>>,
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 525_600)]
    rto_minutes: Option<Option<f64>>,
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 525_600)]
    rpo_minutes: Option<Option<f64>>,
    #[schema(value_type = Option<DiscontinuingImpact>, nullable = false)]
    impact_of_discontinuing: Option<Option<String>>,
    owner: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FunctionParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only functions of this criticality.
    #[param(value_type = Option<Vec<FunctionCriticality>>)]
    criticality: Option<Words<domain::function::FunctionCriticality>>,
    /// Only functions whose reference, name, licensed activity or owner contains this text; case is ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<FunctionSort>)]
    sort: Option<Parsed<domain::function::FunctionSort>>,
}

impl From<&FunctionView> for FunctionItem {
    fn from(function: &FunctionView) -> Self {
        let FunctionView { row, counts } = function;
        let record = &row.record;
        Self {
            id: row.id,
            reference: record.reference(),
            name: record.name.to_string(),
            licensed_activity: record.licensed_activity.as_ref().map(ToString::to_string),
            criticality: record.criticality.into(),
            reasons: record.reasons.as_ref().map(ToString::to_string),
            assessed_on: record.assessed_on,
            rto_minutes: record.rto_minutes,
            rpo_minutes: record.rpo_minutes,
            impact_of_discontinuing: record.impact_of_discontinuing.into(),
            owner: record.owner.as_ref().map(ToString::to_string),
            counts: FunctionCounts {
                programmes: counts.programmes,
                arrangements: counts.arrangements,
                test_cases: counts.test_cases,
                open_findings: counts.open_findings,
                risks: 0,
                incidents: counts.incidents,
            },
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<FunctionView>> for FunctionItem {
    fn from(detail: &Detail<FunctionView>) -> Self {
        Self::from(&detail.record)
    }
}

impl Noun for Function {
    type Item = FunctionItem;
    type Full = FunctionItem;

    const PATH: &'static str = "/api/v1/functions";

    fn filter(_: &App, query: &mut PageQuery) -> Result<FunctionFilter, ApiError> {
        let params: FunctionParams = query.read();
        Ok(FunctionFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            criticality: Words::any(params.criticality),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> FunctionInput {
        fields.read::<FunctionChange>().into()
    }
}

impl From<FunctionChange> for FunctionInput {
    fn from(change: FunctionChange) -> Self {
        Self {
            reference: change.reference.into(),
            name: change.name.into(),
            licensed_activity: change.licensed_activity.into(),
            criticality: change.criticality.into(),
            reasons: change.reasons.into(),
            assessed_on: change.assessed_on.into(),
            rto_minutes: change.rto_minutes.into(),
            rpo_minutes: change.rpo_minutes.into(),
            impact_of_discontinuing: change.impact_of_discontinuing.into(),
            owner: change.owner.into(),
        }
    }
}

record_routes! {
    Function, "a function", FunctionItem;

    /// Lists functions.
    ///
    /// The newest come first.
    list(FunctionItem; AsOfParams, TagParams, FunctionParams);
    create(NewFunction);
    /// Gets a function.
    get;
    /// Updates a function.
    ///
    /// Fields that are absent keep their values. The name cannot change while records refer to the function.
    patch(FunctionChange);
    /// Deletes a function that no record refers to.
    delete;
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}
