//! The released versions of the management review, with their signatures.

use app::{App, period_report::ManagementReview as Released};
use axum::{extract::State, response::Response};
use domain::{
    moment::{Day, Moment},
    period_report::PeriodReportId,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{PageParams, PageQuery, Reader},
    respond::{self, List},
    v1::wire::KeyedErrors,
};

/// A released version of the management review. It never changes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManagementReview {
    /// Counted from 1.
    #[schema(minimum = 1)]
    number: i64,
    /// The report, whose content is the signed file.
    #[schema(value_type = String, example = "rep_01k9x14js0e00000000000000a")]
    report: PeriodReportId,
    #[schema(value_type = String, format = Date)]
    from: Day,
    #[schema(value_type = String, format = Date)]
    until: Day,
    #[schema(value_type = String, example = "en")]
    language: &'static str,
    #[schema(example = "apr_01k9x14js0e00000000000000a")]
    approval_id: String,
    /// The id of the user or API key that asked for the approval.
    asked_by: String,
    #[schema(value_type = String, format = DateTime)]
    asked_at: Moment,
    approved_by: String,
    #[schema(value_type = String, format = DateTime)]
    approved_at: Moment,
    bytes: u64,
    sha256: String,
    /// The public key that checks the signature, as at `/api/bundle-key`.
    key: String,
    /// Ed25519 (RFC 8032) in hexadecimal, of `tidewall document 1`, a line feed and the 32 bytes of the SHA-256.
    signature: String,
}

impl From<&Released> for ManagementReview {
    fn from(Released { report, document }: &Released) -> Self {
        let (wish, file) = (&report.wish, document.file(report.wish.language));
        Self {
            number: document.number,
            report: report.id,
            from: wish.from,
            until: wish.until,
            language: wish.language.as_str(),
            approval_id: document.approval.to_string(),
            asked_by: document.asked_by.clone(),
            asked_at: document.asked_at,
            approved_by: document.approved_by.clone(),
            approved_at: document.approved_at,
            bytes: file.map(|file| file.bytes).unwrap_or_default(),
            sha256: file.map(|file| file.sha256.clone()).unwrap_or_default(),
            key: document.signed_with.clone(),
            signature: file.map(|file| file.signature.clone()).unwrap_or_default(),
        }
    }
}

/// Lists the released management reviews.
///
/// The newest come first. A version is made when the approval of its report is granted, and never changes.
#[utoipa::path(get, path = "/api/v1/reports/management-reviews", operation_id = "listManagementReviews",
    tag = "reports", params(PageParams),
    responses((status = 200, body = List<ManagementReview>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.period_report.management_reviews(&caller, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<ManagementReview>::of(&page))))
}
