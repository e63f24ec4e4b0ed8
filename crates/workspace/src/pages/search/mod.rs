//! Search across everything: a plain page that needs no script, and the same as suggestions for the command palette.

mod own;

use app::{
    catalogue::Edition,
    search::{Hit, Kind, Question},
};
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use domain::page::{Page, PageRequest};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::{
    analysis, compliance,
    reference::{self, edition},
};
use crate::{
    Workspace,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::search as texts,
    ui::{
        self,
        badge::{Tone, badge},
        pager::{pager, requested},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::SEARCH, get(show))
        .route(&format!("{}/suggestions", route::SEARCH), get(suggest))
}

/// How many records of the catalogue, and of each own kind, the palette shows.
const SUGGESTIONS: u64 = 8;
const OWN_SUGGESTIONS: u64 = 3;
/// How many of each own kind the page shows; their lists have them all.
const OWN: u64 = 5;

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let t = |label| visit.t(label);
    let asked = visit.query("q").unwrap_or_default();
    let found = match Question::parse(Some(&asked)) {
        Ok(question) => {
            let (caller, request) = (visit.caller(), requested(&visit));
            let page = workspace.app.search(caller, question, visit.language, request).await?;
            // The first page alone begins with the tenant's own.
            let own = if request.offset() == 0 {
                own::found(&workspace, &visit, &asked, OWN).await?
            } else {
                Vec::new()
            };
            Some((own, page))
        }
        Err(_) => None,
    };
    let edition = edition(&workspace)?;
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (ask(&visit, &asked))
        @if let Some((own, page)) = &found {
            @if own.is_empty() && page.items.is_empty() {
                (ui::empty(t(texts::NOTHING), t(texts::NOTHING_HELP), None))
            }
            (own_hits(&visit, own))
            (hits(&visit, &edition, page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn ask(view: &View, asked: &str) -> Markup {
    html! {
        form.filters role="search" method="get" action=(route::SEARCH) {
            div.field.search {
                label for="q" { (view.t(texts::WORDS)) }
                input #q type="search" name="q" value=(asked) maxlength=(Question::LONGEST) autofocus[asked.is_empty()];
            }
            button.button.primary type="submit" { (view.t(texts::SUBMIT)) }
        }
    }
}

fn own_hits(view: &View, own: &[own::Own]) -> Markup {
    html! {
        @if !own.is_empty() {
            h2 { (view.t(texts::OWN)) }
            ol.hits {
                @for hit in own {
                    li.row { a href=(hit.address) { (hit.title) } (badge(Tone::Muted, view.t(hit.kind))) }
                }
            }
        }
    }
}

fn hits(view: &View, edition: &Edition, page: &Page<Hit>) -> Markup {
    html! {
        @if !page.items.is_empty() {
            h2 { (view.t(texts::CATALOGUE)) }
            p.quiet role="status" { (view.fill(texts::FOUND, &[("total", &page.total)])) }
            ol.hits {
                @for hit in &page.items {
                    li {
                        div.row {
                            a href=(address_of(edition, hit)) { (hit.title) }
                            (badge(Tone::Muted, view.t(reference::kind_name(hit.kind))))
                        }
                        // Escaped where it is made; only the hits are marked.
                        p.hint { (PreEscaped(&hit.snippet)) }
                    }
                }
            }
            (pager(view, page))
        }
    }
}

/// Where a record is shown: its own page, or its place in a list.
fn address_of(edition: &Edition, hit: &Hit) -> String {
    let id = hit.id.as_str();
    let below = |page: &str| format!("{page}/{id}");
    let otherwise = || route::COMPLIANCE.to_owned();
    match hit.kind {
        Kind::Measure => reference::measure_address(id),
        Kind::Framework => below(route::COMPLIANCE),
        Kind::Requirement => edition
            .requirements
            .get(id)
            .map_or_else(otherwise, |found| compliance::requirement_address(found.framework, id)),
        Kind::Gap => edition
            .gaps
            .get(id)
            .map_or_else(otherwise, |found| format!("{}#{id}", compliance::gap_address(found.framework))),
        Kind::Evidence => {
            let measure =
                edition.measures.iter().find(|measure| measure.evidence.iter().any(|own| &**own == id));
            measure
                .map_or_else(otherwise, |measure| format!("{}#{id}", reference::measure_address(&measure.id)))
        }
        Kind::Section => edition
            .sections
            .get(id)
            .map_or_else(otherwise, |found| compliance::framework_address(found.framework)),
        Kind::Reference => edition
            .references
            .get(id)
            .map_or_else(otherwise, |found| compliance::framework_address(found.framework)),
        Kind::Risk => below(route::RISK_REGISTER),
        Kind::Vendor => below(route::VENDOR_SCORECARD),
        Kind::Drill => below(route::DRILLS),
        Kind::Training => below(route::TRAINING),
        Kind::Milestone => format!("{}#{id}", route::TIMELINE),
        Kind::Signal => format!("{}#{id}", route::RADAR),
        Kind::Provider => analysis::blast_address(&hit.title),
        Kind::Clock => route::DRILLS.to_owned(),
        Kind::Category => route::RISK_REGISTER.to_owned(),
        Kind::Dimension | Kind::Question => route::VENDOR_SCORECARD.to_owned(),
        Kind::Widget => route::HOME.to_owned(),
    }
}

/// The best few as JSON, for the palette.
async fn suggest(State(workspace): State<Workspace>, visit: Visit) -> Result<Response, Oops> {
    let asked = visit.query("q").unwrap_or_default();
    let Ok(question) = Question::parse(Some(&asked)) else { return Ok(Json(json!([])).into_response()) };
    let few = PageRequest::new(Some(SUGGESTIONS), None).unwrap_or_default();
    let page = workspace.app.search(visit.caller(), question, visit.language, few).await?;
    let edition = edition(&workspace)?;
    let own = own::found(&workspace, &visit, &asked, OWN_SUGGESTIONS).await?;
    let own =
        own.iter().map(|hit| json!({ "title": hit.title, "kind": visit.t(hit.kind), "url": hit.address }));
    let found = page.items.iter().map(|hit| {
        let kind = visit.t(reference::kind_name(hit.kind));
        json!({ "title": hit.title, "kind": kind, "url": address_of(&edition, hit) })
    });
    Ok(Json(own.chain(found).collect::<Vec<_>>()).into_response())
}
