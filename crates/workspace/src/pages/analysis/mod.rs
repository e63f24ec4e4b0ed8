//! Concentration risk: the latest analysis with its bars, breaches and history, and making a new one.

mod simulation;

use app::analysis::{Analysis, AnalysisHead, AnalysisRequest, BreachRow, DimensionContent, EntryContent};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    concentration::{Basis, Dimension, Level, Scope},
    exact::Hundredths,
    page::{Page, PageRequest},
    permission::Permission,
    vocabulary::{Severity, Vocabulary},
    wording::Label,
};
use maud::{Markup, html};

use super::{arrangement, record};
use crate::{
    Workspace,
    charts::{self, Bar},
    form::Form,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::analysis as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::complaints,
        table::{Column, table},
    },
    visit::{Posted, View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::CONCENTRATION, get(show).post(analyse))
        .route(
            &format!("{}/simulate", route::CONCENTRATION),
            get(simulation::ask).merge(post(simulation::run)),
        )
}

const NAMES: [(&str, Label); 4] =
    [("basis", texts::BASIS), ("scope", texts::SCOPE), ("as_of", texts::AS_OF), ("rates", texts::RATES)];
/// Bars beyond these are told by the table alone.
const MOST_BARS: usize = 8;

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, &Form::default()).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Oops> {
    let (app, caller) = (&workspace.app, visit.caller());
    let analysis = app.analysis(caller).await?;
    let breaches = app.breaches(caller, None, PageRequest::default()).await?;
    let earlier = app.analyses(caller, PageRequest::new(Some(10), None).unwrap_or_default()).await?;
    let t = |label| visit.t(label);
    let actions = html! {
        @if analysis.is_some() {
            (ui::link_button(&format!("{}.pdf", route::CONCENTRATION), "PDF", false))
            (ui::link_button(&format!("{}/simulate", route::CONCENTRATION), t(texts::SIMULATION), false))
        }
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(actions)))
        (ui::notice::done(visit, &[("analysed", texts::WAS_ANALYSED)]))
        (complaints(visit, form, &NAMES))
        @match &analysis {
            None => (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP),
                Some(ui::link_button(route::ARRANGEMENTS, t(crate::texts::common::ARRANGEMENTS), false)))),
            Some(analysis) => {
                (figures(visit, analysis))
                (breach_part(visit, &breaches))
                @for dimension in &analysis.content.dimensions { (dimension_part(visit, analysis, dimension)) }
                (nodes_part(visit, analysis))
            }
        }
        @if caller.may(Permission::Write) { (ui::section(t(texts::NEW), &ask(visit, form))) }
        @if earlier.total > 1 { (ui::section(t(texts::HISTORY), &history(visit, &earlier))) }
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

pub(super) fn level_badge(view: &View, word: &str) -> Markup {
    let Some(level) = Level::find(word) else { return html! { (word) } };
    let tone = match level {
        Level::Low => Tone::Good,
        Level::Moderate => Tone::Notice,
        Level::High => Tone::Warning,
        Level::Critical => Tone::Critical,
    };
    badge(tone, view.t(level.label()))
}

/// Hundredths of a per cent as people read them.
fn percent(view: &View, hundredths: i64) -> String {
    view.percent(Hundredths::new(hundredths))
}

fn figures(view: &View, analysis: &Analysis) -> Markup {
    let (head, content) = (&analysis.head, &analysis.content);
    let t = |label| view.t(label);
    let review = content.next_review_on.parse().ok();
    html! {
        div.stats {
            div { span.quiet { (t(texts::LEVEL)) } span.figure { (level_badge(view, &head.level)) } }
            div { span.quiet { (t(texts::BREACHES)) } span.figure { (head.breaches) } }
            div { span.quiet { (t(texts::ARRANGEMENTS)) } span.figure { (head.arrangements) } }
            div { span.quiet { (t(texts::PROVIDERS)) } span.figure { (content.providers) } }
            div { span.quiet { (t(texts::NEXT_REVIEW)) } span { (view.day_or_none(review)) } }
        }
        p.hint {
            (t(texts::ANALYSED)) " " (view.time(head.analysed_at)) ", " (t(texts::AS_OF)) " " (view.day(head.as_of))
            ", " (t(head.basis.label())) ", " (t(head.scope.label()))
        }
        @if !content.thresholds.enabled { p.hint { (t(texts::THRESHOLDS_OFF)) } }
    }
}

fn breach_part(view: &View, breaches: &Page<BreachRow>) -> Markup {
    let columns = [
        Column::text(view.t(texts::NAME)),
        Column::text(view.t(texts::DIMENSION)),
        Column::number(view.t(texts::SHARE)),
        Column::number(view.t(texts::EXCESS)),
        Column::tight(view.t(crate::texts::finding::SEVERITY)),
        Column::tight(view.t(texts::SINCE)),
    ];
    let rows: Vec<_> = breaches
        .items
        .iter()
        .map(|breach| {
            let severity = Severity::find(&breach.severity);
            vec![
                html! { (breach.name) },
                html! { (view.t(breach.dimension.label())) },
                html! { (percent(view, breach.share)) },
                html! { (percent(view, breach.excess)) },
                severity.map_or_else(|| html! { (breach.severity) }, |severity| record::severity_badge(view, severity)),
                view.time(breach.first_detected_at),
            ]
        })
        .collect();
    let part = if rows.is_empty() {
        html! { p { (badge(Tone::Good, view.t(texts::NO_BREACH))) } }
    } else {
        table(view.t(texts::BREACHES), &columns, &rows)
    };
    ui::section(view.t(texts::BREACHES), &part)
}

fn dimension_part(view: &View, analysis: &Analysis, dimension: &DimensionContent) -> Markup {
    let label = Dimension::find(&dimension.dimension).map_or(texts::DIMENSION, Dimension::label);
    let title = view.t(label);
    let bars: Vec<_> = dimension.entries.iter().take(MOST_BARS).map(|entry| bar(view, entry)).collect();
    let threshold = analysis.content.thresholds.enabled.then(|| f64::from(dimension.threshold));
    let columns = [
        Column::text(view.t(texts::NAME)),
        Column::number(view.t(texts::SHARE)),
        Column::number(view.t(texts::ARRANGEMENTS)),
        Column::number(view.t(texts::CRITICAL_FUNCTIONS)),
    ];
    let rows: Vec<_> = dimension.entries.iter().map(|entry| cells(view, entry)).collect();
    let part = html! {
        p.quiet {
            (view.fill(texts::THRESHOLD, &[("percent", &dimension.threshold)])) ", "
            (view.fill(texts::HHI, &[("hhi", &view.decimal(Hundredths::new(dimension.hhi)))]))
        }
        (charts::bars(title, &bars, threshold))
        details { summary.hint { (view.t(texts::NAME)) ", " (view.t(texts::SHARE)) }
            (table(title, &columns, &rows)) p.hint { (view.t(texts::HHI_HELP)) } }
    };
    ui::section(title, &part)
}

fn bar(view: &View, entry: &EntryContent) -> Bar {
    Bar {
        label: entry.name.clone(),
        percent: charts::percent(u64::try_from(entry.share).unwrap_or(0), 10_000),
        shown: percent(view, entry.share),
        tone: if entry.breach { Tone::Critical } else { Tone::Good },
    }
}

fn cells(view: &View, entry: &EntryContent) -> Vec<Markup> {
    vec![
        html! { (entry.name) },
        html! { (percent(view, entry.share)) },
        html! { (entry.arrangements) },
        html! { (entry.critical_functions) },
    ]
}

fn nodes_part(view: &View, analysis: &Analysis) -> Markup {
    let nodes = &analysis.content.common_nodes;
    if nodes.is_empty() {
        return html! {};
    }
    let columns = [
        Column::text(view.t(texts::NAME)),
        Column::text(view.t(texts::BEHIND)),
        Column::number(view.t(texts::CRITICAL_FUNCTIONS)),
    ];
    let rows: Vec<_> = nodes
        .iter()
        .map(|node| {
            vec![
                html! { (node.name) },
                html! { (node.behind.join(", ")) },
                html! { (node.critical_functions) },
            ]
        })
        .collect();
    let part = html! {
        p { (view.t(texts::COMMON_NODES_HELP)) }
        (table(view.t(texts::COMMON_NODES), &columns, &rows))
    };
    ui::section(view.t(texts::COMMON_NODES), &part)
}

/// The question an analysis answers.
pub(super) fn question(visit: &Visit, form: &Form) -> Markup {
    let bases: Vec<_> = Basis::ALL.iter().map(|basis| Choice::new(basis.as_str(), visit.t(basis.label()))).collect();
    let scopes: Vec<_> = Scope::ALL.iter().map(|scope| Choice::new(scope.as_str(), visit.t(scope.label()))).collect();
    html! {
        div.columns {
            (field::select(visit, form, "basis", texts::BASIS, &bases))
            (field::select(visit, form, "scope", texts::SCOPE, &scopes))
            (Field::day(visit, form, "as_of", texts::AS_OF).hint(texts::AS_OF_HINT).optional().render())
        }
        (field::area(visit, form, "rates", texts::RATES, Some(texts::RATES_HINT)))
    }
}

fn ask(visit: &Visit, form: &Form) -> Markup {
    html! {
        form method="post" action=(route::CONCENTRATION) {
            (visit.form_token())
            (question(visit, form))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::ANALYSE)) } }
        }
    }
}

/// What was asked, as the application takes it.
pub(super) fn request(form: &mut Form) -> Result<AnalysisRequest, app::Error> {
    let basis = if form.value("basis").is_empty() { Some(Basis::default()) } else { form.parse("basis") };
    let scope = if form.value("scope").is_empty() { Some(Scope::default()) } else { form.parse("scope") };
    let as_of = form.parse_optional("as_of");
    let rates = match form.lines("rates") {
        domain::change::Change::Set(lines) => lines.iter().map(|line| rate(line)).collect(),
        _ => Vec::new(),
    };
    let request = (|| Some(AnalysisRequest { basis: basis?, scope: scope?, as_of, currency: None, rates }))();
    form.finish(request)
}

/// `USD 0.92` as a currency and its rate; whether both make sense is judged where they are used.
fn rate(line: &str) -> (String, String) {
    let (currency, rate) = line.split_once([' ', '=', ':']).unwrap_or((line, ""));
    (currency.trim().to_uppercase(), rate.trim().replace(',', "."))
}

async fn analyse(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let analysed = match request(&mut form) {
        Ok(request) => workspace.app.analyse(visit.caller(), request, None, |_| String::new()).await,
        Err(error) => Err(error),
    };
    match analysed {
        Ok(_) => respond::go_to(&route::done(route::CONCENTRATION, "analysed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

fn history(view: &View, analyses: &Page<AnalysisHead>) -> Markup {
    let columns = [
        Column::text(view.t(texts::ANALYSED)),
        Column::tight(view.t(texts::LEVEL)),
        Column::number(view.t(texts::BREACHES)),
        Column::number(view.t(texts::ARRANGEMENTS)),
        Column::text(view.t(texts::BASIS)),
    ];
    let rows: Vec<_> = analyses
        .items
        .iter()
        .map(|head| {
            vec![
                view.time(head.analysed_at),
                level_badge(view, &head.level),
                html! { (head.breaches) },
                html! { (head.arrangements) },
                html! { (view.t(head.basis.label())) ", " (view.t(head.scope.label())) },
            ]
        })
        .collect();
    table(view.t(texts::HISTORY), &columns, &rows)
}

/// Arrangements as choices for the simulation.
async fn arrangement_choices(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, Oops> {
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.arrangements(visit.caller(), &Default::default(), all).await?;
    Ok(page
        .items
        .into_iter()
        .map(|row| {
            let name = format!("{}: {} ({})", row.content.reference, row.content.provider.name, row.content.service);
            Choice::new(row.id.to_string(), name)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_currency_and_a_number() {
        assert_eq!(rate("usd 0,92"), ("USD".into(), "0.92".into()));
        assert_eq!(rate("GBP=1.17"), ("GBP".into(), "1.17".into()));
        assert_eq!(rate("CHF"), ("CHF".into(), String::new()));
    }
}
