//! Corrections of what was recorded as sent, submitted or performed: the body of every such route, and how they are
//! shown.

use app::{App, authz::Caller, pages::Precondition, records::Corrects};
use axum::response::Response;
use domain::{
    change::Change,
    correction::{Correction as Record, CorrectionInput},
    moment::Moment,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::Body,
    v1::record::{self, Noun},
};

/// A correction of what was recorded.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "field": "reference", "value": "BA-4712", "reason": "The reference was mistyped.",
}))]
pub(crate) struct NewCorrection {
    /// What is corrected: `submitted_at`, `reference`, `receipt`, `submitted`, `on`, `note`, `passed_on` or `score`, as
    /// far as it is recorded here.
    #[schema(nullable = false, required)]
    field: Option<Option<String>>,
    /// The right value: a text, or null. `submitted` is taken back with null or false.
    #[schema(value_type = Option<Value>)]
    value: Option<Option<Value>>,
    /// Why it is corrected.
    #[schema(max_length = 10_000, nullable = false, required)]
    reason: Option<Option<String>>,
}

/// A correction as it is kept, with the value that was recorded first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Correction {
    /// Which recorded fact: the stage of a report, the edition of a filing, the number of a performance.
    #[schema(example = "dora/initial/1")]
    place: String,
    #[schema(example = "reference")]
    field: &'static str,
    /// What was recorded before.
    first_value: Option<String>,
    value: Option<String>,
    reason: String,
    /// The id of who recorded it; null where that was not kept.
    recorded_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    recorded_at: Option<Moment>,
    corrected_by: String,
    #[schema(value_type = String, format = DateTime)]
    corrected_at: Moment,
}

impl From<&Record> for Correction {
    fn from(correction: &Record) -> Self {
        Self {
            place: correction.value.place.clone(),
            field: correction.field.as_str(),
            first_value: correction.value.before.clone(),
            value: correction.value.after.clone(),
            reason: correction.reason.to_string(),
            recorded_by: correction.value.recorded_by.clone(),
            recorded_at: correction.value.recorded_at,
            corrected_by: correction.corrected_by.clone(),
            corrected_at: correction.corrected_at,
        }
    }
}

impl From<NewCorrection> for CorrectionInput {
    fn from(correction: NewCorrection) -> Self {
        let text = |value: Value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let value: Change<Value> = correction.value.into();
        Self { field: correction.field.into(), value: value.map(text), reason: correction.reason.into() }
    }
}

/// Makes the correction that a body asks for and answers with the record.
pub(crate) async fn make<N: Noun + Corrects>(
    app: &App,
    caller: &Caller,
    (id, place): (N::Id, N::Place),
    precondition: Precondition,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: NewCorrection = fields.read();
    let input = fields.finish(Some(CorrectionInput::from(request)))?;
    let (detail, revision) =
        app.records.correct_record::<N>(caller, id, place, vec![input], precondition).await?;
    Ok(record::changed::<N>(app, &detail, revision))
}
