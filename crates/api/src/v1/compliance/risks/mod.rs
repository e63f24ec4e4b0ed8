//! Risks of the institution.

pub(crate) mod wire;

use app::{App, risk::RiskMatrix as AppMatrix};
use axum::{extract::State, response::Response};
use domain::{
    id::RiskId,
    risk::{Appetite, Rating as Rated, Risk, RiskLevel},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::routes;

use self::wire::{NewRisk, RiskChange, RiskDetail, RiskItem, RiskParams};
use crate::{
    ApiError,
    extract::{Body, LanguageParams, Reader, Spoken, Writer},
    respond::{self, Data},
    schema::word,
    v1::{
        Subject, WholeList,
        record::{AsOfParams, RequirementParams, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "risks",
    about: "The institution's own risks: ratings, treatment, acceptance, appetite and matrix.",
    list: Some(WholeList::all::<Risk>()),
    routes: |router| record_routes(router).routes(routes!(adopt)).routes(routes!(matrix)),
};

record_routes! {
    Risk, "a risk", RiskDetail;

    /// Lists the institution's risks.
    ///
    /// The newest come first.
    list as "listOwnRisks"(RiskItem; AsOfParams, TagParams, RequirementParams, RiskParams);
    create(NewRisk);
    get;
    /// Updates a risk.
    ///
    /// Fields that are absent keep their values. A risk is accepted with the status `accepted` and an acceptance; from the
    /// level `second_person_from` of the matrix on, one key or person saves the acceptance and another sets the status.
    patch(RiskChange);
    /// Deletes a risk that is not accepted.
    delete;
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}

/// Adopts risks of the catalogue.
///
/// Each becomes a risk of the institution, in the language of the request, with the catalogue's inherent rating. Risks
/// that were adopted before are skipped.
#[utoipa::path(post, path = "/api/v1/risks/adopt", operation_id = "adoptRisks",
    tag = "risks", request_body = AdoptRisks,
    params(LanguageParams),
    responses((status = 200, body = Data<AdoptedRisks>), KeyedErrors, BodyErrors))]
pub(crate) async fn adopt(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(language): Spoken,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("risks");
    let request: AdoptRisks = fields.read();
    let ids = fields.finish(request.risks)?;
    let done = app.compliance.adopt_risks(&caller, &ids, language).await?;
    let created = done.created.len() as u64;
    let data = AdoptedRisks { created, skipped: done.skipped, risks: done.created };
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Counts the risks by cell of the matrix.
#[utoipa::path(get, path = "/api/v1/risks/matrix", operation_id = "getRiskMatrix", tag = "risks",
    responses((status = 200, body = Data<RiskMatrix>), KeyedErrors))]
pub(crate) async fn matrix(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let (matrix, appetite) =
        (app.compliance.risk_matrix(&caller).await?, app.compliance.risk_appetite(&caller).await?);
    let data = RiskMatrix::new(&matrix, &appetite);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// Risks of the catalogue to make own risks of.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = RisksToAdopt, example = json!({ "risks": ["risk-data-centre-failure"] }))]
pub(crate) struct AdoptRisks {
    /// Ids of risks of the catalogue.
    #[schema(required = true, nullable = false, min_items = 1, max_items = 500)]
    risks: Option<Vec<String>>,
}

/// What adopting did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdoptedRisks {
    /// How many risks were created.
    pub(crate) created: u64,
    /// How many had been adopted before and were left as they are.
    pub(crate) skipped: u64,
    /// The ids of the created risks.
    #[schema(value_type = Vec<String>)]
    pub(crate) risks: Vec<RiskId>,
}

/// The number of risks by cell, and the appetite. Closed risks do not count.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskMatrix)]
pub(crate) struct RiskMatrix {
    inherent: Vec<MatrixCell>,
    residual: Vec<MatrixCell>,
    /// How many have no residual rating yet.
    unrated: u64,
    appetite: RiskAppetite,
}

/// A cell of the matrix. All 25 cells are listed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnRiskMatrixCell)]
pub(crate) struct MatrixCell {
    likelihood: u8,
    impact: u8,
    #[schema(value_type = word::Level)]
    level: RiskLevel,
    count: u64,
}

/// How much risk the institution bears, as an administrator has set it in the workspace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RiskAppetite {
    /// The highest residual level by category. A category that is absent has no limit.
    #[schema(value_type = BTreeMap<String, String>)]
    levels: BTreeMap<&'static str, RiskLevel>,
    /// From this residual level on, another person or key than the one that proposed it must accept a risk.
    #[schema(value_type = word::Level)]
    second_person_from: RiskLevel,
}

impl RiskMatrix {
    pub(crate) fn new(matrix: &AppMatrix, appetite: &Appetite) -> Self {
        Self {
            inherent: cells(&matrix.inherent),
            residual: cells(&matrix.residual),
            unrated: matrix.unrated,
            appetite: RiskAppetite {
                levels: appetite.levels.iter().map(|(category, level)| (category.as_str(), *level)).collect(),
                second_person_from: appetite.second_person_from,
            },
        }
    }
}

fn cells(counts: &[[u64; 5]; 5]) -> Vec<MatrixCell> {
    let rows = (1..).zip(counts);
    let cells =
        rows.flat_map(|(likelihood, row)| (1..).zip(row).map(move |(impact, n)| (likelihood, impact, *n)));
    let cell = |(likelihood, impact, count): (i64, i64, u64)| {
        let rating = Rated::new(likelihood, impact)?;
        let (likelihood, impact) = (rating.likelihood(), rating.impact());
        Some(MatrixCell { likelihood, impact, level: rating.level(), count })
    };
    cells.filter_map(cell).collect()
}
