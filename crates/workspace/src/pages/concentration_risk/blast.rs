//! "Provider X fails": which functions fail with it, and through which providers.

use app::analysis::{Analysis, AnalysisRequest};
use axum::extract::State;
use domain::concentration::{Basis, BlastRadius, LostFunction};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::ict_arrangements,
    respond::{self, Answer},
    route,
    texts::analysis as texts,
    ui::{
        self,
        badge::Tone,
        chart::{self, Part},
        notice::notice,
        table::{Column, table},
    },
};

/// The page about one provider or subcontractor.
pub(in crate::pages) fn address_of(provider: &str) -> String {
    let query: String =
        form_urlencoded::Serializer::new(String::new()).append_pair("provider", provider).finish();
    format!("{}/blast-radius?{query}", route::CONCENTRATION)
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let t = |label| visit.t(label);
    let provider = visit.query("provider").filter(|name| !name.trim().is_empty());
    let whole_group = visit.query("group").is_some();
    let known = known(&workspace, &visit).await?;
    let outcome = match &provider {
        None => html! {},
        Some(provider) => outcome(&workspace, &visit, provider, whole_group).await?,
    };
    let content = html! {
        (ui::head(t(texts::BLAST), t(texts::BLAST_INTRO), None))
        (ask(&visit, &known, provider.as_deref().unwrap_or_default(), whole_group))
        (outcome)
    };
    respond::page(ui::layout::page(&visit, t(texts::BLAST), &content))
}

/// Suggested names: direct providers, and those behind several of them.
async fn known(workspace: &Workspace, visit: &Visit) -> Result<Vec<String>, PageError> {
    let Some(Analysis { content, .. }) = workspace.app.third_parties.analysis(visit.caller()).await? else {
        return Ok(Vec::new());
    };
    let direct = content.dimensions.first().into_iter().flat_map(|providers| &providers.entries);
    let direct = direct.map(|entry| entry.name.clone());
    Ok(direct.chain(content.common_nodes.iter().map(|node| node.name.clone())).collect())
}

fn ask(view: &View, known: &[String], provider: &str, whole_group: bool) -> Markup {
    html! {
        form.card method="get" action=(view.path()) {
            div.field {
                label for="provider" { (view.t(texts::PROVIDER)) }
                p.hint #provider-hint { (view.t(texts::PROVIDER_HINT)) }
                input #provider name="provider" list="providers" value=(provider) required autocomplete="off"
                    aria-describedby="provider-hint";
                datalist #providers { @for name in known { option value=(name) {} } }
            }
            div.choice {
                input #group type="checkbox" name="group" value="1" checked[whole_group];
                label for="group" { (view.t(texts::WHOLE_GROUP)) }
            }
            div.form-end { button.button.primary type="submit" { (view.t(texts::BLAST_SUBMIT)) } }
        }
    }
}

async fn outcome(
    workspace: &Workspace,
    visit: &Visit,
    provider: &str,
    whole_group: bool,
) -> Result<Markup, PageError> {
    // Arrangements are counted, not their cost, because costs need exchange rates.
    let request = AnalysisRequest { basis: Basis::Arrangements, ..AnalysisRequest::default() };
    let found = workspace
        .app
        .third_parties
        .blast_radius(visit.caller(), request, provider.to_owned(), whole_group)
        .await;
    match found {
        Ok(Some(radius)) => Ok(shown(visit, &radius)),
        // An empty register has no provider either.
        Ok(None) | Err(app::Error::Invalid(_)) => {
            let help = html! { p { (visit.t(texts::BLAST_UNKNOWN_HELP)) } };
            Ok(notice(Tone::Warning, visit.t(texts::BLAST_UNKNOWN), &help))
        }
        Err(error) => Err(error.into()),
    }
}

fn shown(view: &View, radius: &BlastRadius) -> Markup {
    let t = |label| view.t(label);
    let (critical, others) = (radius.critical_functions.part, radius.functions.len() as u64);
    let down = [
        Part {
            label: t(texts::CRITICAL_DOWN).to_owned(),
            weight: critical,
            shown: format!("{critical} / {}", radius.critical_functions.whole),
            tone: Tone::Critical,
        },
        Part {
            label: t(texts::STILL_UP).to_owned(),
            weight: radius.critical_functions.whole.saturating_sub(critical),
            shown: radius.critical_functions.whole.saturating_sub(critical).to_string(),
            tone: Tone::Good,
        },
    ];
    let columns = [Column::text(t(texts::CRITICAL_FUNCTIONS)), Column::number(t(texts::SHARE))];
    let rows: Vec<_> = down.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    let name = t(texts::CRITICAL_DOWN);
    html! {
        div.stats {
            div { span.quiet { (t(texts::FUNCTIONS_DOWN)) } span.figure { (others) } }
            div { span.quiet { (t(texts::CRITICAL_DOWN)) } span.figure { (view.percent(radius.critical_functions.percent())) } }
            div { span.quiet { (t(texts::ARRANGEMENTS_DOWN)) } span.figure { (radius.arrangements) }
                span.hint { (view.percent(radius.share.percent())) } }
        }
        (ui::section(t(texts::FAILING), &html! {
            p { (radius.failing.iter().map(|name| &**name).collect::<Vec<_>>().join(", ")) }
            (chart::figure(view, name, &chart::stack(name, &down), &columns, &rows))
        }))
        @if !radius.functions.is_empty() { (functions(view, &radius.functions)) }
    }
}

fn functions(view: &View, functions: &[LostFunction]) -> Markup {
    let columns = [
        Column::text(view.t(texts::FUNCTION)),
        Column::text(view.t(texts::PATH)),
        Column::number(view.t(texts::ARRANGEMENTS)),
    ];
    let rows: Vec<_> = functions
        .iter()
        .map(|function| {
            let path = function.path.iter().map(|name| &**name).collect::<Vec<_>>().join(" → ");
            vec![
                html! {
                    (function.name)
                    @if function.critical { " " (ict_arrangements::critical_badge(view)) }
                },
                html! { (path) },
                html! { a href=(ict_arrangements::searched(&function.name)) { (function.arrangements.len()) } },
            ]
        })
        .collect();
    ui::section(view.t(texts::FUNCTIONS_DOWN), &table(view.t(texts::FUNCTIONS_DOWN), &columns, &rows))
}
