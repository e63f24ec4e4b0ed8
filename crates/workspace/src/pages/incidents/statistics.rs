//! Figures on the incidents of the last twelve months.

use app::{incident::IncidentStatistics, report::quarter_start};
use axum::extract::State;
use domain::{format, wording::Label};
use maud::{Markup, html};

use super::outcome_badge;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::file,
    respond::{self, Answer},
    route,
    texts::incident as texts,
    ui::{
        self,
        field::Field,
        notice::complaints,
        table::{Column, table},
    },
};

const NAMES: [(&str, Label); 2] = [("from", texts::FROM), ("until", texts::UNTIL)];

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let today = visit.zone.local(visit.now).day;
    let form = Form::filled([("from", quarter_start(today).to_string()), ("until", today.to_string())]);
    respond::page(page(&workspace, &visit, &form).await?)
}

/// The report to the management body for the days in the address.
pub(super) async fn board(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let sent = |name: &str| visit.query(name).unwrap_or_default();
    let mut form = Form::filled([("from", sent("from")), ("until", sent("until"))]);
    let (from, until) = (form.parse_optional("from"), form.parse_optional("until"));
    let made = match form.finish(Some(())) {
        Ok(()) => workspace.app.report.board_report_pdf(visit.caller(), from, until, visit.language).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(made) => file::pdf(made),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let counted = workspace.app.resilience.incident_statistics(visit.caller()).await?;
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::STATISTICS), t(texts::STATISTICS_INTRO), None))
        (complaints(visit, form, &NAMES))
        (period(visit, form))
        @if counted.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) } @else {
            @if counted.is_cut { p.hint { (t(texts::STATISTICS_CUT)) } }
            div.split {
                div { (ui::section(t(texts::BY_MONTH), &months(visit, &counted))) }
                div {
                    (ui::section(t(texts::FIGURES), &figures(visit, &counted)))
                    (ui::section(t(texts::BY_RESULT), &results(visit, &counted)))
                    (ui::section(t(texts::BY_CAUSE), &causes(visit, &counted)))
                }
            }
        }
    };
    Ok(ui::layout::page(visit, t(texts::STATISTICS), &content))
}

/// The form for the period of the report to the management body.
fn period(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        p.hint { (visit.t(texts::BOARD_REPORT_HELP)) }
        form method="get" action=(route::BOARD_REPORT) {
            div.columns {
                (Field::day(visit, form, "from", texts::FROM).render())
                (Field::day(visit, form, "until", texts::UNTIL).render())
            }
            div.form-end { button.button type="submit" { "PDF" } }
        }
    };
    ui::section(visit.t(texts::BOARD_REPORT), &content)
}

fn months(view: &View, counted: &IncidentStatistics) -> Markup {
    let columns = [
        Column::text(view.t(texts::MONTH)),
        Column::number(view.t(texts::TITLE)),
        Column::number(view.t(texts::OF_THEM_MAJOR)),
    ];
    let row = |month: &app::incident::MonthOfIncidents| {
        vec![html! { (month.month) }, html! { (month.all) }, html! { (month.major) }]
    };
    let rows: Vec<_> = counted.months.iter().rev().map(row).collect();
    table(view.t(texts::BY_MONTH), &columns, &rows)
}

fn figures(view: &View, counted: &IncidentStatistics) -> Markup {
    let span = |minutes: Option<u64>| {
        let text = minutes.map(|minutes| format::span(view.language, minutes));
        view.or_none(text)
    };
    html! {
        dl.facts {
            dt { (view.t(texts::TITLE)) } dd { (counted.total) }
            dt { (view.t(texts::STILL_OPEN)) } dd { (counted.open) }
            dt { (view.t(texts::CLASSIFIED_COUNT)) } dd { (counted.classified) }
            dt { (view.t(texts::MEDIAN_TIME)) } dd { (span(counted.median_minutes)) }
            dt { (view.t(texts::LONGEST_TIME)) } dd { (span(counted.longest_minutes)) }
            dt { (view.t(texts::IN_TIME)) } dd { (counted.reports_in_time) }
            dt { (view.t(texts::TOO_LATE)) } dd { (counted.reports_late) }
        }
    }
}

fn results(view: &View, counted: &IncidentStatistics) -> Markup {
    html! {
        dl.facts {
            @for (outcome, count) in &counted.results { dt { (outcome_badge(view, *outcome)) } dd { (count) } }
        }
    }
}

fn causes(view: &View, counted: &IncidentStatistics) -> Markup {
    html! {
        dl.facts {
            @for (cause, count) in &counted.causes { dt { (cause) } dd { (count) } }
            @if counted.without_cause > 0 {
                dt { span.quiet { (view.t(texts::NO_CAUSE)) } } dd { (counted.without_cause) }
            }
        }
    }
}
