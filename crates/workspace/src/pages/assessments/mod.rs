//! Own assessments: how far each framework is met, the list of requirements, and the statement of applicability.

mod cell;
mod detail;
mod form;
mod list;
mod proof;
mod related;
mod statement_of_applicability;
mod statement_versions;

use app::{
    assessment::{AssessmentView, FrameworkSummary, PartSummary},
    catalogue::{Edition, framework::Requirement},
    report::Assessments,
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    assessment::{Assessment, AssessmentStatus},
    framework::Framework,
    right::Resource,
    rounding::Hundredths,
};
use maud::{Markup, html};

use super::record;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{assessment as texts, common, record as shared, reference as library},
    ui::{
        self,
        badge::{Tone, badge},
        chart::{self, Part},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::ASSESSMENTS);
    Router::new()
        .merge(record::import::router::<Assessments>())
        .route(route::ASSESSMENTS, get(overview))
        .route(&below("{framework}"), get(list::show).post(list::change))
        .route(&below("{framework}/{requirement}"), get(detail::show).post(detail::change))
        .route(&below("{framework}/{requirement}/cell"), post(cell::change))
        .route(&below("{framework}/{requirement}/approve"), post(detail::approve))
        .route(&below("{framework}/{requirement}/carry"), post(related::carry))
        .route(route::STATEMENT, get(statement_of_applicability::show))
        .route(&below("{framework}/assessments.csv"), get(list::csv))
        .route(&below("{framework}/assessments.xlsx"), get(list::xlsx))
        .route(&format!("{}.csv", route::STATEMENT), get(statement_of_applicability::csv))
        .route(&format!("{}.xlsx", route::STATEMENT), get(statement_of_applicability::xlsx))
        .route(&format!("{}.pdf", route::STATEMENT), get(statement_of_applicability::pdf))
        .route(
            &format!("{}/versions/{{number}}/{{language}}/content", route::STATEMENT),
            get(statement_versions::content),
        )
}

fn framework_address(framework: Framework) -> String {
    format!("{}/{framework}", route::ASSESSMENTS)
}

pub(super) fn address_of(requirement: &Requirement) -> String {
    format!("{}/{}/{}", route::ASSESSMENTS, requirement.framework, requirement.id)
}

/// A requirement by the two parts of its address.
fn known<'e>(edition: &'e Edition, framework: &str, id: &str) -> Result<&'e Requirement, PageError> {
    let found = edition.requirements.get(id);
    found.filter(|requirement| requirement.framework.as_str() == framework).ok_or(PageError::NotFound)
}

fn status_badge(view: &View, status: AssessmentStatus) -> Markup {
    badge(record::assessment_tone(status), view.t(status.label()))
}

async fn overview(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let summaries =
        workspace.app.compliance.assessment_summary(visit.caller(), None, filter::as_of(&visit)).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        (ui::link_button(route::STATEMENT, t(texts::STATEMENT), false))
        (ui::link_button(route::CONTROLS, t(texts::CONTROLS), false))
        (ui::link_button(route::COMPLIANCE, t(texts::CATALOGUE), false))
        (import_link(&visit))
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        form.filters method="get" action=(visit.path()) data-live {
            (filter::as_of_field(&visit))
            button.button type="submit" data-live-submit { (t(shared::APPLY)) }
        }
        (filter::as_of_notice(&visit))
        div.cards { @for summary in &summaries { (card(&visit, summary)) } }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn import_link(visit: &Visit) -> Markup {
    record::import::link(visit, route::ASSESSMENTS, Resource::Assessments)
}

fn card(view: &View, summary: &FrameworkSummary) -> Markup {
    let name = summary.framework.name();
    let address = framework_address(summary.framework);
    html! {
        section.card.framework {
            h2 { a href={ (address) @if let Some(day) = filter::as_of(view) { "?as_of=" (day) } } { (name) } }
            (figure(view, &name, &summary.whole))
            @if summary.whole.tally.is_started() {
                p { a href={ (address) "?status=not_met" } { (view.t(texts::GAPS_ONLY)) span.unseen { " " (name) } } }
            }
        }
    }
}

/// A part as one bar by status, with its percentages once there is any assessment.
fn figure(view: &View, name: &str, part: &PartSummary) -> Markup {
    let tally = &part.tally;
    let bar = |status: &AssessmentStatus| Part {
        label: view.t(status.label()).to_owned(),
        weight: tally.with_status(*status),
        shown: tally.with_status(*status).to_string(),
        tone: record::assessment_tone(*status),
    };
    let parts: Vec<Part> = AssessmentStatus::ALL.iter().map(bar).collect();
    let columns = [Column::text(view.t(common::STATUS)), Column::number(view.t(library::REQUIREMENTS))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    let met = tally.with_status(AssessmentStatus::Met);
    let counts: [(&str, &dyn std::fmt::Display); 3] =
        [("met", &met), ("total", &tally.applicable), ("approved", &tally.approved)];
    let sentence = if tally.is_started() {
        html! { p {
                strong { (view.fill(texts::COUNTED_OF, &counts)) } " "
                span.quiet { (view.fill(texts::MET_SHARE, &[("share", &share(view, tally.met_pct()))])) }
            }
            @if tally.in_doubt > 0 {
                p { (badge(Tone::Warning, &view.fill(texts::DOUBTED, &[("count", &tally.in_doubt)]))) }
            }
        }
    } else {
        html! { p.hint { (view.t(texts::NOT_STARTED)) } }
    };
    let title = format!("{name}: {}", view.t(texts::BY_STATUS));
    html! { (sentence) (chart::figure(view, &title, &chart::stack(&title, &parts), &columns, &rows)) }
}

/// Whether a second person approved it, and whether the approval is still valid.
fn approval_badge(view: &View, item: &AssessmentView) -> Markup {
    let (tone, label) = match (item.row.assessment.approved.is_some(), item.is_in_doubt()) {
        (false, _) => return html! {},
        (true, true) => (Tone::Warning, Assessment::IN_DOUBT.label),
        (true, false) => (Tone::Good, texts::APPROVED),
    };
    html! { br; (badge(tone, view.t(label))) }
}

fn share(view: &View, percent: Option<Hundredths>) -> String {
    percent.map(|percent| view.percent(percent)).unwrap_or_default()
}

/// A badge for requirements that do not apply.
/// That the requirement changed after it was assessed.
fn confirm_badge(view: &View, item: &AssessmentView) -> Markup {
    html! {
        @if let Some(day) = item.changed_on {
            (badge(Tone::Warning, &view.fill(texts::CONFIRM_AGAIN, &[("day", &view.day(day))])))
        }
    }
}

/// The same with what changed, before and after.
fn to_confirm(view: &View, edition: &Edition, item: &AssessmentView) -> Markup {
    let Some(day) = item.changed_on else { return html! {} };
    let assessed = item.row.assessment.assessed.as_ref().map(|signed| signed.at.day());
    let since = edition.changes_of(&item.row.requirement).filter(|change| Some(change.date) > assessed);
    html! {
        p { (confirm_badge(view, item)) }
        p.hint { (view.fill(texts::CONFIRM_HELP, &[("day", &view.day(day))])) }
        @for change in since {
            p.hint { strong { (change.title.get(view.language)) } " " (change.summary.get(view.language)) }
            @for was in change.requirements.iter().filter(|one| *one.requirement == item.row.requirement) {
                @if let Some(was) = &was.was { p.hint { (view.t(texts::WAS)) " " (was.get(view.language)) } }
            }
        }
    }
}

fn applies_badge(view: &View, item: &AssessmentView) -> Markup {
    html! {
        @if let Some(day) = item.begins_on() {
            (badge(Tone::Muted, &view.fill(texts::APPLIES_FROM, &[("day", &view.day(day))])))
        } @else if !item.applies() { (badge(Tone::Muted, view.t(texts::DOES_NOT_APPLY))) }
    }
}

/// The catalogue with the institution's own frameworks.
async fn edition(workspace: &Workspace, visit: &Visit) -> Result<std::sync::Arc<Edition>, PageError> {
    Ok(workspace.app.edition_of(visit.caller()).await?)
}
