//! Arrangements that stand in no template are taken over into the templates.

use app::{App, register::TakeOver as AppTakeOver};
use axum::{extract::State, response::Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::rows::ProblemCounts;
use crate::{
    ApiError,
    extract::{OptionalBody, Writer},
    respond::{self, Data},
    v1::wire::{BodyErrors, KeyedErrors},
};

/// What was taken over into the templates.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterTakeOver)]
pub(crate) struct TakeOver {
    /// The number of arrangements that got rows.
    arrangements: u64,
    /// The number of rows that were added.
    rows: u64,
    /// The number of arrangements that were left out.
    left: u64,
    /// The first 200 of them.
    left_out: Vec<LeftOut>,
    #[schema(minimum = 0, maximum = 100)]
    readiness_pct: u8,
    /// The problems of the register afterwards.
    problems: ProblemCounts,
}

/// An arrangement that could not be taken over.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterLeftOut)]
pub(crate) struct LeftOut {
    reference: String,
    /// The provider that has neither a LEI nor a row in `B_05.01`.
    company: String,
}

impl From<AppTakeOver> for TakeOver {
    fn from(taken: AppTakeOver) -> Self {
        let left_out = taken.left_out.into_iter();
        Self {
            arrangements: taken.arrangements,
            rows: taken.rows,
            left: taken.left,
            left_out: left_out
                .map(|left| LeftOut { reference: left.reference, company: left.company })
                .collect(),
            readiness_pct: taken.readiness_pct,
            problems: taken.problems.into(),
        }
    }
}

/// Takes over arrangements into the templates.
///
/// Every arrangement that stands in no template gets its rows, as far as it says what they need; the checks name the cells
/// that are still empty. Arrangements that have rows, and rows that are there, stay as they are.
#[utoipa::path(post, path = "/api/v1/register/take-over", operation_id = "takeOverArrangements",
    tag = "register of information",
    responses((status = 200, body = Data<TakeOver>), KeyedErrors, BodyErrors))]
pub(crate) async fn take_over(
    State(app): State<App>,
    Writer(caller): Writer,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    let taken = app.third_parties.take_over_arrangements(&caller).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: TakeOver::from(taken) })))
}
