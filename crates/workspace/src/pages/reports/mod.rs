//! Reports over a period: what was asked for, how far it is, the files, and their release.

mod review;
mod template;

use std::collections::HashMap;

use app::{Error, audit::Who, period_report::PeriodReportRow};
use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    response::Response,
    routing::{get, post},
};
use domain::{
    evidence::attachment,
    period_report::{Covered, PeriodReportId, ReportKind, ReportState, ReportWish},
    right::{Resource, Right},
    wording::{Label, Language},
};
use http::{HeaderValue, header};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::approvals,
    respond::{self, Answer},
    route,
    texts::{common, report as texts},
    ui::{
        self, Confirm,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        filter, history,
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::REPORTS, get(list).post(ask))
        .route(&format!("{}/{{id}}/content", route::REPORTS), get(content))
        .route(&format!("{}/{{id}}/delete", route::REPORTS), post(delete))
        .route(&format!("{}/{{id}}/release", route::REPORTS), post(release))
        .merge(template::router())
}

const NAMES: [(&str, Label); 8] = [
    ("kind", texts::KIND),
    ("framework", texts::FRAMEWORK),
    ("from", texts::FROM),
    ("until", texts::UNTIL),
    ("language", texts::LANGUAGE),
    ("template", texts::TEMPLATE),
    ("paragraphs", texts::PARAGRAPHS),
    ("signatories", texts::SIGNATORIES),
];

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let (from, until) = Covered::Quarter.before(visit.zone.local(visit.now).day);
    let form = Form::filled([
        ("kind", ReportKind::Board.as_str().to_owned()),
        ("from", from.to_string()),
        ("until", until.to_string()),
        ("language", visit.language.as_str().to_owned()),
    ]);
    respond::page(page(&workspace, &visit, &form).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let t = |label| visit.t(label);
    let reports = workspace.app.period_report.reports(visit.caller(), requested(visit)).await?;
    let actors = reports.items.iter().flat_map(|report| {
        [Some(report.asked_by.clone()), report.released.as_ref().map(|released| released.by.clone())]
    });
    let people = workspace.app.actor_names(visit.caller(), actors.flatten().collect()).await?;
    let asked = review::asked(workspace, visit).await?;
    let rows: Vec<_> = reports.items.iter().map(|report| cells(visit, &people, &asked, report)).collect();
    let columns = [
        Column::text(t(texts::REPORT)),
        Column::text(t(texts::PERIOD)),
        Column::text(t(texts::STATE)),
        Column::text(t(texts::ASKED_BY)),
        Column::text(t(texts::RELEASED)),
        Column::actions(t(common::ACTIONS)),
    ];
    let done =
        [("asked", texts::WAS_ASKED), ("released", texts::WAS_RELEASED), ("deleted", texts::WAS_DELETED)];
    let templates = ui::link_button(route::REPORT_TEMPLATES, t(texts::TEMPLATES), false);
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(templates)))
        (ui::notice::done(visit, &done))
        @if visit.may(Resource::Reports, Right::Write) { (asking(workspace, visit, form).await?) }
        @if reports.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        @else {
            (counted(visit, reports.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(visit, &reports))
        }
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

async fn asking(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let mut frameworks = vec![Choice::new("", visit.t(texts::NO_FRAMEWORK))];
    frameworks.extend(filter::framework_choices(&*workspace.app.edition_of(visit.caller()).await?));
    let mut templates = vec![Choice::new("", visit.t(texts::NO_TEMPLATE))];
    let known = workspace.app.period_report.report_templates(visit.caller()).await?;
    templates.extend(known.iter().map(|row| Choice::new(row.id.to_string(), row.template.name.as_str())));
    let kinds = field::words::<ReportKind>(visit);
    Ok(html! {
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::REPORTS) {
            (visit.form_token())
            div.columns {
                (field::select(visit, form, "kind", texts::KIND, &kinds))
                (field::select(visit, form, "framework", texts::FRAMEWORK, &frameworks))
                (Field::day(visit, form, "from", texts::FROM).hint(texts::FROM_HINT).render())
                (Field::day(visit, form, "until", texts::UNTIL).hint(texts::UNTIL_HINT).render())
                (field::select(visit, form, "language", texts::LANGUAGE, &languages()))
                (field::select(visit, form, "template", texts::TEMPLATE, &templates))
            }
            (review::fields(visit, form))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::ASK)) } }
        }
    })
}

/// Each language by its own name.
fn languages() -> Vec<Choice> {
    vec![
        Choice::new(Language::German.as_str(), "Deutsch"),
        Choice::new(Language::English.as_str(), "English"),
    ]
}

/// What a report is called on the page.
fn name(view: &View, report: &PeriodReportRow) -> String {
    let kind = view.t(report.wish.kind.label());
    match report.wish.framework {
        Some(framework) => format!("{kind}: {}", framework.name()),
        None => kind.to_owned(),
    }
}

fn cells(
    visit: &Visit,
    people: &HashMap<String, Who>,
    asked: &review::AskedFor,
    report: &PeriodReportRow,
) -> Vec<Markup> {
    let tone = match report.state {
        ReportState::Waiting | ReportState::Making => Tone::Notice,
        ReportState::Made => Tone::Good,
        ReportState::Failed => Tone::Critical,
    };
    let period = format!("{} – {}", visit.day(report.wish.from), visit.day(report.wish.until));
    vec![
        html! { (name(visit, report)) },
        html! { (period) " (" (report.wish.language.as_str()) ")" },
        html! {
            (badge(tone, visit.t(report.state.label())))
            @if let Some(problem) = &report.problem { br; span.quiet { (problem) } }
        },
        html! { (history::author(visit, people.get(&report.asked_by))) br; (visit.time(report.asked_at)) },
        html! {
            @if let Some(released) = &report.released {
                (history::author(visit, people.get(&released.by))) br; (visit.time(released.at))
                @if let Some(number) = released.version {
                    br; (visit.fill(texts::VERSION, &[("number", &number)]))
                }
            }
        },
        actions(visit, asked, report, &period),
    ]
}

fn actions(visit: &Visit, asked: &review::AskedFor, report: &PeriodReportRow, period: &str) -> Markup {
    let (address, decides) =
        (format!("{}/{}", route::REPORTS, report.id), visit.may(Resource::Reports, Right::Decide));
    let is_own = report.asked_by == visit.caller().actor().to_string();
    let about = format!("{}, {period}", name(visit, report));
    let is_review = report.wish.kind == ReportKind::ManagementReview;
    let may_delete = decides || (is_own && visit.may(Resource::Reports, Right::Write));
    html! {
        @if report.file.is_some() {
            a.button href={ (address) "/content" }
                aria-label=(visit.fill(texts::DOWNLOAD_OF, &[("report", &about)])) { (visit.t(texts::DOWNLOAD)) }
        }
        @if report.released.is_none() {
            @if is_review && report.file.is_some() { (review::approval(visit, asked, report.id, decides)) }
            @else if decides && report.file.is_some() {
                (Confirm {
                    action: &format!("{address}/release"),
                    opener: texts::RELEASE,
                    about: &about,
                    question: visit.fill(texts::RELEASE_ASK, &[("report", &about)]),
                    sure: texts::RELEASE_SURE,
                }.render(visit))
            }
            @if may_delete && report.state != ReportState::Making {
                (Confirm {
                    action: &format!("{address}/delete"),
                    opener: common::DELETE,
                    about: &about,
                    question: visit.fill(texts::DELETE_ASK, &[("report", &about)]),
                    sure: texts::DELETE_SURE,
                }.render(visit))
            }
        }
    }
}

fn report_id(id: &str) -> Result<PeriodReportId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    workspace.app.period_report.delete_report(posted.visit.caller(), report_id(&id)?).await?;
    respond::go_to(&route::done(route::REPORTS, "deleted"))
}

async fn release(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    match workspace.app.period_report.release_report(posted.visit.caller(), report_id(&id)?).await {
        Ok(_) => respond::go_to(&route::done(route::REPORTS, "released")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => Err(error.into()),
    }
}

async fn ask(State(workspace): State<Workspace>, Posted { visit, mut form }: Posted) -> Answer {
    visit.caller().require_right(Resource::Reports, Right::Write)?;
    let (kind, from, until) = (form.parse::<ReportKind>("kind"), form.parse("from"), form.parse("until"));
    let (language, template) = (form.parse::<Language>("language"), form.parse_optional("template"));
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let framework = match form.value("framework").trim().to_owned().as_str() {
        "" => None,
        id => form.checked("framework", |_| edition.framework_named(id)),
    };
    let own = form.keep_all(review::entered(&form, language.unwrap_or(visit.language)).read());
    let wish = kind.zip(language).zip(from.zip(until)).zip(own);
    let wish = wish.map(|(((kind, language), (from, until)), own)| ReportWish {
        kind,
        framework,
        from,
        until,
        language,
        template,
        own,
    });
    let asked = match form.finish(wish) {
        Ok(wish) => {
            workspace.app.period_report.ask_for_report(visit.caller(), wish, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match asked {
        Ok(_) => respond::go_to(&route::done(route::REPORTS, "asked")),
        Err(error) => {
            let error = match error {
                Error::Conflict(complaint) => Error::invalid("kind", complaint),
                error => error,
            };
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

/// The file as a download.
async fn content(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let content = workspace.app.period_report.report_content(visit.caller(), report_id(&id)?).await?;
    let header = |text: &str| HeaderValue::from_str(text).map_err(|_| PageError::Internal);
    let (named, kind) = (header(&attachment(&content.file.name))?, header(&content.file.media_type)?);
    let bytes = content.file.bytes;
    let mut response = Response::new(Body::from_stream(content.open(0..bytes).await?));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CONTENT_DISPOSITION, named);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("identity"));
    Ok(response)
}
