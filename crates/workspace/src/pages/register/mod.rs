//! The register of information in its official form: the templates, their rows, the results of the checks, and the
//! package.

mod correct;
mod difference;
mod filing;
mod filing_detail;
mod form;
mod import;
mod problems;
mod rows;
mod table;
mod table_form;
mod take_over;

use app::register::{ExportFormat, Overview, TemplateOverview};
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Path, State},
    response::Response,
    routing::{get, post},
};
use domain::{
    register::{
        Template,
        filing::{Scope, Severity},
        sheets::Companies,
    },
    right::{Resource, Right},
};
use http::{HeaderValue, header};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::register as texts,
    ui::{
        self,
        badge::{Tone, badge},
        notice::complaints,
        table::{Column, table},
    },
};

/// A little more than a file of the register may have.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::REGISTER);
    Router::new()
        .route(route::REGISTER, get(show))
        .route(&below("problems"), get(problems::list))
        .route(&below("export/{kind}"), get(export))
        .route(&below("take-over"), post(take_over::take))
        .route(
            route::REGISTER_IMPORT,
            get(import::ask).post(import::take).layer(DefaultBodyLimit::max(MAX_UPLOAD)),
        )
        .route(&below("filings"), get(filing::list).post(filing::create))
        .route(&below("filings/{id}"), get(filing_detail::show).post(filing_detail::change))
        .route(&below("filings/{id}/move"), post(filing_detail::make_move))
        .route(&below("filings/{id}/correct"), post(correct::save))
        .route(&below("filings/{id}/delete"), post(filing_detail::delete))
        .route(&below("filings/{id}/package"), get(filing_detail::package))
        .route(&below("filings/{id}/difference"), get(difference::show))
        .route(&below("filings/{id}/difference.csv"), get(difference::csv))
        .route(&below("filings/{id}/difference.xlsx"), get(difference::xlsx))
        .route(&below("filings/{id}/feedback"), post(filing_detail::take_feedback))
        .route(&below("{template}"), get(rows::list).post(form::create))
        .route(&below("{template}/new"), get(form::ask))
        .route(&below("{template}/table"), get(table::show).post(table::save))
        .route(&below("{template}/{id}"), get(form::edit).post(form::change))
        .route(&below("{template}/{id}/delete"), post(form::delete))
}

fn template_of(text: &str) -> Result<Template, PageError> {
    text.parse().map_err(|_| PageError::NotFound)
}

fn address_of(template: Template) -> String {
    format!("{}/{template}", route::REGISTER)
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Refused => Tone::Critical,
        Severity::Noted => Tone::Warning,
        Severity::Advice => Tone::Notice,
    }
}

fn severity_badge(view: &View, severity: Severity) -> Markup {
    badge(tone(severity), view.t(severity.label()))
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, &Form::default()).await?)
}

/// The page; `form` contains why a package could not be created.
async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    page_with(workspace, visit, form, &html! {}).await
}

/// The page with what was just done above it.
async fn page_with(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    outcome: &Markup,
) -> Result<Markup, PageError> {
    let overview = workspace.app.third_parties.register_standing(visit.caller()).await?;
    let filings = filing::glance(workspace, visit).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Register, Right::Write);
    let import = may_write.then(|| ui::link_button(route::REGISTER_IMPORT, t(texts::IMPORT), false));
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), import))
        (complaints(visit, form, &[("register", texts::REGISTER)]))
        (outcome)
        (take_over::offered(visit, &overview, may_write))
        (standing(visit, &overview))
        (filings)
        (ui::section(t(texts::TEMPLATES), &html! {
            (companies(visit, overview.companies))
            (templates(visit, &overview.templates))
        }))
        (ui::section(t(texts::EXPORT), &exports(visit)))
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

fn standing(view: &View, overview: &Overview) -> Markup {
    let t = |label| view.t(label);
    let ready = overview.rows > 0 && overview.problems.refused == 0 && overview.waiting == 0;
    let figures = [
        (texts::REFUSED, overview.problems.refused, Severity::Refused),
        (texts::NOTED, overview.problems.noted, Severity::Noted),
        (texts::ADVICE, overview.problems.advice, Severity::Advice),
    ];
    html! {
        section.card {
            div.stats {
                div {
                    span.quiet { (t(texts::READINESS)) }
                    span.figure { (t(if ready { texts::READY_YES } else { texts::READY_NO })) }
                    span.hint { (verdict(view, overview.rows, overview.problems.refused, overview.waiting > 0)) }
                }
                @for (label, count, severity) in figures {
                    div {
                        span.quiet { (t(label)) }
                        span.figure { (count) }
                        @if count > 0 {
                            a href={ (route::REGISTER) "/problems?severity=" (severity.as_str()) } {
                                (t(texts::PROBLEMS)) span.unseen { ": " (t(label)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Whether the register can be filed, and what is in the way. A share of good rows would look nearly done, although one
/// refusal refuses the file.
fn verdict(view: &View, rows: u64, refused: u64, are_missing: bool) -> String {
    match refused {
        _ if rows == 0 => view.t(texts::NO_ROWS_YET).to_owned(),
        1 => view.t(texts::TO_FIX_ONE).to_owned(),
        2.. => view.fill(texts::TO_FIX, &[("count", &refused)]),
        0 if are_missing => view.t(texts::ROWS_MISSING).to_owned(),
        0 => view.t(texts::READY).to_owned(),
    }
}

/// Why the register lists more companies than there are providers.
pub(super) fn companies(view: &View, found: Companies) -> Markup {
    let Companies { providers, others } = found;
    let places: [(&str, &dyn std::fmt::Display); 3] =
        [("all", &(providers + others)), ("providers", &providers), ("others", &others)];
    html! { @if others > 0 { p.hint { (view.fill(texts::COMPANIES, &places)) } } }
}

fn templates(view: &View, templates: &[TemplateOverview]) -> Markup {
    let t = |label| view.t(label);
    let columns = [
        Column::text(t(texts::TEMPLATE)),
        Column::number(t(texts::ROWS)),
        Column::number(t(texts::REFUSED)),
        Column::number(t(texts::NOTED)),
        Column::number(t(texts::ADVICE)),
    ];
    let rows: Vec<_> = templates.iter().map(|each| template_cells(view, each)).collect();
    table(t(texts::TEMPLATES), &columns, &rows)
}

fn template_cells(view: &View, overview: &TemplateOverview) -> Vec<Markup> {
    let (template, problems) = (overview.template, overview.problems);
    let count = |count: u64, severity: Severity| {
        if count == 0 {
            html! { span.quiet { "0" } }
        } else {
            badge(tone(severity), &count.to_string())
        }
    };
    vec![
        html! {
            div {
                a href=(address_of(template)) { (template.id()) }
                br;
                span.quiet { (view.t(template.label())) }
            }
        },
        html! { (overview.rows) },
        count(problems.refused, Severity::Refused),
        count(problems.noted, Severity::Noted),
        count(problems.advice, Severity::Advice),
    ]
}

fn exports(view: &View) -> Markup {
    let below = |kind: &str| format!("{}/export/{kind}", route::REGISTER);
    html! {
        p.hint { (view.t(texts::EXPORT_HELP)) " " (view.t(texts::EXPORT_XLSX_HELP)) }
        div.row {
            (ui::link_button(&below("individual"), view.t(texts::EXPORT_INDIVIDUAL), false))
            (ui::link_button(&below("consolidated"), view.t(texts::EXPORT_CONSOLIDATED), false))
            (ui::link_button(&below("xlsx"), view.t(texts::EXPORT_XLSX), false))
            (ui::link_button(&below("csv"), view.t(texts::EXPORT_CSV), false))
        }
    }
}

async fn export(State(workspace): State<Workspace>, Path(kind): Path<String>, visit: Visit) -> Answer {
    let package = |scope| ExportFormat::Package { scope, reference_date: None };
    let format = match kind.as_str() {
        "individual" => package(Scope::Individual),
        "consolidated" => package(Scope::Consolidated),
        "csv" => ExportFormat::Tables,
        "xlsx" => ExportFormat::Workbook(visit.language),
        name => ExportFormat::Table(template_of(name)?),
    };
    match workspace.app.third_parties.export_register(visit.caller(), format).await {
        Ok(file) => {
            let named = format!("attachment; filename=\"{}\"", file.name);
            let named = HeaderValue::from_str(&named).map_err(|_| PageError::Internal)?;
            let mut response = Response::new(Body::from(file.bytes));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
            headers.insert(header::CONTENT_DISPOSITION, named);
            Ok(response)
        }
        Err(error) => {
            let mut form = Form::default();
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}
