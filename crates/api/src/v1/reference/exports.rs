//! Exports of all measures.

use std::io;

use app::{App, Error, catalogue::Records, measure};
use axum::{extract::State, response::Response};
use domain::moment::{Day, Moment};
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::dora::Measure;
use crate::{
    ApiError,
    extract::{LanguageParams, Reader, Spoken},
    reference::Reference as _,
    respond, stream,
    v1::wire::KeyedErrors,
};

/// All measures, with the time of the export and the version of the catalogue.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the body is joined from records written before")]
pub(crate) struct MeasureExport {
    data: Vec<Measure>,
    meta: ExportMeta,
}

/// About the export.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportMeta {
    count: u64,
    #[schema(value_type = String, format = DateTime)]
    exported_at: Moment,
    /// The version of the catalogue.
    #[schema(value_type = String, format = Date)]
    version: Day,
}

/// Exports all measures as CSV.
///
/// The file follows RFC 4180, in UTF-8 with a header row. Cells that a spreadsheet would execute are neutralised.
#[utoipa::path(get, path = "/api/v1/exports/measures/csv", operation_id = "exportMeasuresAsCsv",
    tag = "measures", params(LanguageParams),
    responses((status = 200, body = String, content_type = "text/csv"), KeyedErrors))]
pub(crate) async fn measures_csv(
    State(app): State<App>,
    _: Reader,
    Spoken(language): Spoken,
) -> Result<Response, ApiError> {
    let edition = app.catalogue()?;
    let body = stream::streamed(move |writer| measure::write_csv(&edition, language, writer));
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    Ok(respond::spoken(attached(response, "attachment; filename=\"measures.csv\""), language))
}

/// Exports all measures as JSON.
#[utoipa::path(get, path = "/api/v1/exports/measures/json", operation_id = "exportMeasuresAsJson",
    tag = "measures", params(LanguageParams),
    responses((status = 200, body = MeasureExport, description = "All measures."), KeyedErrors))]
pub(crate) async fn measures_json(
    State(app): State<App>,
    _: Reader,
    Spoken(language): Spoken,
) -> Result<Response, ApiError> {
    let edition = app.catalogue()?;
    let records = edition.records(&Measure::set(), language)?;
    let count = records.len() as u64;
    let meta = ExportMeta { count, exported_at: app.clock.now(), version: edition.version };
    let body = stream::streamed(move |writer| write_json(&records, &meta, writer).map_err(Error::internal));
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(respond::spoken(attached(response, "attachment; filename=\"measures.json\""), language))
}

fn write_json(records: &Records, meta: &ExportMeta, to: &mut impl io::Write) -> io::Result<()> {
    to.write_all(b"{\"data\":[")?;
    for (index, record) in records.iter().enumerate() {
        if index > 0 {
            to.write_all(b",")?;
        }
        to.write_all(record.as_bytes())?;
    }
    to.write_all(b"],\"meta\":")?;
    to.write_all(&respond::to_json(meta))?;
    to.write_all(b"}")
}

fn attached(mut response: Response, disposition: &'static str) -> Response {
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    response
}
