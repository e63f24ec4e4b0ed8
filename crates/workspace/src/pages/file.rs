//! Lists and records as files: the same filters as the page they belong to.

use app::report::{Content, File, Format};
use axum::{Router, body::Body, extract::State, response::Response, routing::get};
use http::{HeaderValue, header};

use super::{cra_report, finding, programme, test_case};
use crate::{Workspace, oops::Oops, respond::Answer, route, visit::Visit};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(&format!("{}.pdf", route::FINDINGS), get(findings_pdf))
        .route(&format!("{}.csv", route::FINDINGS), get(findings_csv))
        .route(&format!("{}.pdf", route::TEST_CASES), get(test_cases_pdf))
        .route(&format!("{}.csv", route::TEST_CASES), get(test_cases_csv))
        .route(&format!("{}.pdf", route::PROGRAMMES), get(programmes_pdf))
        .route(&format!("{}.csv", route::PROGRAMMES), get(programmes_csv))
        .route(&format!("{}.pdf", route::CRA_REPORTS), get(cra_reports_pdf))
        .route(&format!("{}.csv", route::CRA_REPORTS), get(cra_reports_csv))
}

/// A report, to be opened where the browser shows such files.
pub(super) fn pdf(file: File) -> Answer {
    served(file, "application/pdf", "inline")
}

pub(super) fn csv(file: File) -> Answer {
    served(file, "text/csv; charset=utf-8", "attachment")
}

fn served(file: File, kind: &'static str, disposition: &str) -> Answer {
    let named = format!("{disposition}; filename=\"{}\"", file.name);
    let named = HeaderValue::from_str(&named).map_err(|_| Oops::Internal)?;
    let mut response = Response::new(match file.content {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Stored(file) => Body::from_stream(app::report::pieces(file)),
    });
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, named);
    Ok(response)
}

/// A table unless the address asks for every record in full.
fn style(visit: &Visit) -> Format {
    if visit.query("style").as_deref() == Some("long") { Format::LongPdf } else { Format::Pdf }
}

async fn findings_pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = finding::filter_of(&visit);
    pdf(workspace.app.findings_file(visit.caller(), filter, style(&visit), visit.language).await?)
}

async fn findings_csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = finding::filter_of(&visit);
    csv(workspace.app.findings_file(visit.caller(), filter, Format::Csv, visit.language).await?)
}

async fn test_cases_pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = test_case::filter_of(&visit);
    pdf(workspace.app.test_cases_file(visit.caller(), filter, style(&visit), visit.language).await?)
}

async fn test_cases_csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = test_case::filter_of(&visit);
    csv(workspace.app.test_cases_file(visit.caller(), filter, Format::Csv, visit.language).await?)
}

async fn programmes_pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = programme::filter_of(&visit);
    pdf(workspace.app.programmes_file(visit.caller(), filter, style(&visit), visit.language).await?)
}

async fn programmes_csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = programme::filter_of(&visit);
    csv(workspace.app.programmes_file(visit.caller(), filter, Format::Csv, visit.language).await?)
}

async fn cra_reports_pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = cra_report::filter_of(&visit);
    pdf(workspace.app.cra_reports_file(visit.caller(), filter, style(&visit), visit.language).await?)
}

async fn cra_reports_csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let filter = cra_report::filter_of(&visit);
    csv(workspace.app.cra_reports_file(visit.caller(), filter, Format::Csv, visit.language).await?)
}
