//! Lists and records as files, with the same filters as their pages.

use app::report::{Content, File, Format, TableFormat};
use axum::{Router, body::Body, extract::State, response::Response, routing::get};
use http::{HeaderValue, header};

use super::{
    arrangement, control, cra_report, drill_run, evidence, finding, function, incident, own_framework,
    own_risk, programme, provider, test_case,
};
use crate::{Workspace, error::PageError, extract::Visit, respond::Answer, route, ui::filter};

/// The lists that can be exported.
#[derive(Debug, Clone, Copy)]
enum List {
    Findings,
    TestCases,
    Programmes,
    CraReports,
    Incidents,
    Functions,
    OwnFrameworks,
    Risks,
    Evidence,
    Controls,
    Arrangements,
    DrillRuns,
    Providers,
}

impl List {
    const ALL: [Self; 13] = [
        Self::Findings,
        Self::TestCases,
        Self::Programmes,
        Self::CraReports,
        Self::Incidents,
        Self::Functions,
        Self::OwnFrameworks,
        Self::Risks,
        Self::Evidence,
        Self::Controls,
        Self::Arrangements,
        Self::DrillRuns,
        Self::Providers,
    ];

    fn address(self) -> &'static str {
        match self {
            Self::Findings => route::FINDINGS,
            Self::TestCases => route::TEST_CASES,
            Self::Programmes => route::PROGRAMMES,
            Self::CraReports => route::CRA_REPORTS,
            Self::Incidents => route::INCIDENTS,
            Self::Functions => route::FUNCTIONS,
            Self::OwnFrameworks => route::OWN_FRAMEWORKS,
            Self::Risks => route::RISKS,
            Self::Evidence => route::EVIDENCE,
            Self::Controls => route::CONTROLS,
            Self::Arrangements => route::ARRANGEMENTS,
            Self::DrillRuns => route::DRILL_RUNS,
            Self::Providers => route::PROVIDERS,
        }
    }

    fn has_report(self) -> bool {
        matches!(
            self,
            Self::Findings
                | Self::TestCases
                | Self::Programmes
                | Self::CraReports
                | Self::Incidents
                | Self::Functions
                | Self::Risks
                | Self::Evidence
                | Self::Controls
        )
    }
}

pub(crate) fn router() -> Router<Workspace> {
    let mut router = Router::new();
    for list in List::ALL {
        let table = |format| {
            let show = move |State(workspace): State<Workspace>, visit: Visit| async move {
                table(made(&workspace, &visit, list, Format::Table(format)).await?, format)
            };
            get(show)
        };
        router = router
            .route(&format!("{}.csv", list.address()), table(TableFormat::Csv))
            .route(&format!("{}.xlsx", list.address()), table(TableFormat::Xlsx));
        if list.has_report() {
            let show = move |State(workspace): State<Workspace>, visit: Visit| async move {
                pdf(made(&workspace, &visit, list, style(&visit)).await?)
            };
            router = router.route(&format!("{}.pdf", list.address()), get(show));
        }
    }
    router
}

/// The file of a list with the filters in the address.
async fn made(workspace: &Workspace, visit: &Visit, list: List, format: Format) -> Result<File, PageError> {
    let (app, caller, language) = (&workspace.app, visit.caller(), visit.language);
    let rows = match format {
        Format::Table(format) => format,
        Format::Pdf | Format::LongPdf => TableFormat::Csv,
    };
    let as_of = filter::as_of(visit);
    let file = match list {
        List::Findings => app.findings_file(caller, finding::filter_of(visit), as_of, format, language).await,
        List::TestCases => app.test_cases_file(caller, test_case::filter_of(visit), format, language).await,
        List::Programmes => app.programmes_file(caller, programme::filter_of(visit), format, language).await,
        List::CraReports => {
            app.cra_reports_file(caller, cra_report::filter_of(visit), format, language).await
        }
        List::Incidents => {
            app.incidents_file(caller, incident::filter_of(visit), as_of, format, language).await
        }
        List::Functions => app.functions_file(caller, &function::filter_of(visit), format, language).await,
        List::Risks => app.risks_file(caller, &own_risk::filter_of(visit), as_of, format, language).await,
        List::Evidence => {
            app.evidence_file(caller, &evidence::filter_of(workspace, visit), format, language).await
        }
        List::OwnFrameworks => app.own_frameworks_file(caller, &own_framework::filter_of(visit), rows).await,
        List::Controls => {
            let filter = control::filter_of(workspace, visit).await?;
            app.controls_file(caller, &filter, as_of, format, language).await
        }
        List::Arrangements => {
            app.arrangements_file(caller, &arrangement::filter_of(visit), as_of, rows).await
        }
        List::Providers => app.providers_file(caller, &provider::filter_of(visit), rows).await,
        List::DrillRuns => app.drill_runs_file(caller, &drill_run::filter_of(visit), rows).await,
    };
    Ok(file?)
}

/// A report, displayed in the browser if it can.
pub(super) fn pdf(file: File) -> Answer {
    served(file, "application/pdf", "inline")
}

pub(super) fn csv(file: File) -> Answer {
    served(file, "text/csv; charset=utf-8", "attachment")
}

/// A table, as a download.
pub(super) fn table(file: File, format: TableFormat) -> Answer {
    match format {
        TableFormat::Csv => csv(file),
        TableFormat::Xlsx => {
            served(file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment")
        }
    }
}

pub(super) fn json(file: File) -> Answer {
    served(file, "application/json", "attachment")
}

fn served(file: File, kind: &'static str, disposition: &str) -> Answer {
    let named = format!("{disposition}; filename=\"{}\"", file.name);
    let named = HeaderValue::from_str(&named).map_err(|_| PageError::Internal)?;
    let mut response = Response::new(match file.content {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Stored(file) => Body::from_stream(app::report::chunks(file)),
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
