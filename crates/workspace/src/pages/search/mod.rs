//! Search across everything: a plain page that needs no script, and suggestions for the command palette.

mod lists;
mod reference;

use app::{
    catalogue::Edition,
    search::{Group, Grouped, Hit, HitKind, Kind, SearchText},
};
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use domain::wording::{Label, Language};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use self::reference::named;
use super::{PageKind, assessments, comments, compliance, concentration_risk, reference as library};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{own_framework, record, search as texts},
    ui::{
        self,
        pager::{counted, pager, requested},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::SEARCH, get(show))
        .route(&format!("{}/suggestions", route::SEARCH), get(suggest))
}

/// The maximum number of records in the palette.
const SUGGESTIONS: usize = 12;
/// How many of each kind are shown initially.
const FEW: u32 = 5;

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let t = |label| visit.t(label);
    let asked = visit.query("q").unwrap_or_default();
    let found = if let Ok(question) = SearchText::parse(Some(&asked)) {
        let lists = lists::found(&workspace, &visit, question.clone()).await?;
        html! { (lists::section(&visit, &lists)) (found(&workspace, &visit, question).await?) }
    } else {
        html! {}
    };
    let record = named(&workspace, &visit, &asked).await?;
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (ask(&visit, &asked))
        @if let Some(record) = &record { (record.section(&visit)) }
        (found)
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

/// Everything by kind, or all of one kind.
async fn found(workspace: &Workspace, visit: &Visit, question: SearchText) -> Result<Markup, PageError> {
    let (app, caller, language) = (&workspace.app, visit.caller(), visit.language);
    let results = Results { visit, edition: &*app.edition_of(caller).await? };
    let grouped = app.reference.search_by_kind(caller, question.clone(), language, FEW).await?;
    let Some(kind) = visit.query("type").filter(|kind| !kind.is_empty()) else {
        return Ok(results.grouped(&grouped));
    };
    let page = app.reference.search_one_kind(caller, question, language, kind, requested(visit)).await?;
    Ok(html! {
        (results.kinds(&grouped))
        @if page.items.is_empty() { (results.nothing()) } @else {
            (counted(visit, page.total, texts::ONE, texts::MANY))
            (results.hits(&page.items))
            (pager(visit, &page))
        }
    })
}

fn ask(view: &View, asked: &str) -> Markup {
    html! {
        form.filters role="search" method="get" action=(route::SEARCH) {
            div.field.search {
                label for="q" { (view.t(texts::WORDS)) }
                input #q type="search" name="q" value=(asked) maxlength=(SearchText::LONGEST) autofocus[asked.is_empty()];
            }
            button.button.primary type="submit" { (view.t(texts::SUBMIT)) }
        }
    }
}

/// The search results for a reader.
struct Results<'r> {
    visit: &'r Visit,
    edition: &'r Edition,
}

impl Results<'_> {
    fn nothing(&self) -> Markup {
        ui::empty(self.visit.t(texts::NOTHING), self.visit.t(texts::NOTHING_HELP), None)
    }

    /// Own records under their kinds, then the library under its kinds.
    fn grouped(&self, found: &Grouped) -> Markup {
        if found.groups.is_empty() {
            return self.nothing();
        }
        let (own, library): (Vec<_>, Vec<_>) = found.groups.iter().partition(|group| group.kind.is_own());
        html! {
            (counted(self.visit, found.total(), texts::ONE, texts::MANY))
            @if found.has_more { p.hint { (self.visit.t(texts::MORE_THAN_COUNTED)) } }
            (self.kinds(found))
            @for (label, groups) in [(texts::OWN, own), (texts::LIBRARY, library)] {
                @if !groups.is_empty() {
                    h2 { (self.visit.t(label)) }
                    @for group in groups { (self.group(group)) }
                }
            }
        }
    }

    fn group(&self, group: &Group) -> Markup {
        html! {
            section.card {
                h3 { (self.visit.t(kind_name(group.kind))) " " span.quiet { (group.total) } }
                (self.hits(&group.hits))
                @if group.total > group.hits.len() as u64 {
                    p { a href=(self.address(Some(group.kind))) {
                        (self.visit.fill(texts::ALL_OF_KIND, &[("count", &group.total)]))
                        span.unseen { ": " (self.visit.t(kind_name(group.kind))) }
                    } }
                }
            }
        }
    }

    /// The kinds with results, as links that narrow them down.
    fn kinds(&self, found: &Grouped) -> Markup {
        let chosen = self.visit.query("type").unwrap_or_default();
        let current = |word: &str| (chosen == word).then_some("true");
        html! {
            nav.row aria-label=(self.visit.t(texts::TYPE)) {
                a.choice-link href=(self.address(None)) aria-current=[current("")] {
                    (self.visit.t(record::ANY)) " " span.quiet { (found.total()) }
                }
                @for group in &found.groups {
                    a.choice-link href=(self.address(Some(group.kind))) aria-current=[current(group.kind.as_str())] {
                        (self.visit.t(kind_name(group.kind))) " " span.quiet { (group.total) }
                    }
                }
            }
        }
    }

    /// This search, of everything or of one kind.
    fn address(&self, kind: Option<HitKind>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("q", &self.visit.query("q").unwrap_or_default());
        if let Some(kind) = kind {
            query.append_pair("type", kind.as_str());
        }
        format!("{}?{}", route::SEARCH, query.finish())
    }

    fn hits(&self, hits: &[Hit]) -> Markup {
        html! {
            ol.hits {
                @for hit in hits {
                    li {
                        div.row {
                            a href=(address_of(self.edition, hit)) { (hit.title) }
                            @if let Some(badge) = status_badge(self.visit, hit) { (badge) }
                        }
                        // Escaped by the search itself; only the matches are marked.
                        @if self.may_quote(hit) { p.hint lang=[self.foreign(hit)] { (PreEscaped(&hit.snippet)) } }
                    }
                }
            }
        }
    }

    /// The language of a passage in another language than the page, as its `lang` attribute.
    fn foreign(&self, hit: &Hit) -> Option<&'static str> {
        hit.snippet_language.filter(|language| *language != self.visit.language).map(Language::as_str)
    }

    /// A passage of a drill may reveal what its participants must not know.
    fn may_quote(&self, hit: &Hit) -> bool {
        hit.kind != HitKind::Catalogue(Kind::Drill) || self.visit.caller().may_prepare_drills()
    }
}

/// How records of a kind are shown as results.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) name: Label,
    /// The badge of a status.
    pub(crate) badge: fn(&View, &str) -> Markup,
}

impl Found {
    /// How results of this kind are shown, and the address above them.
    fn of(kind: HitKind) -> Option<(&'static Self, &'static str)> {
        if kind == HitKind::COMMENT {
            return Some((&comments::FOUND, route::COMMENTS));
        }
        let kind = PageKind::found_as(kind.as_str())?;
        Some((kind.found.as_ref()?, kind.address))
    }
}

fn status_badge(view: &View, hit: &Hit) -> Option<Markup> {
    Some((Found::of(hit.kind)?.0.badge)(view, hit.status?))
}

fn kind_name(kind: HitKind) -> Label {
    match kind {
        HitKind::Catalogue(kind) => library::kind_name(kind),
        own @ HitKind::Own(_) => {
            Found::of(own).map_or(own_framework::OWN_REQUIREMENT, |(found, _)| found.name)
        }
    }
}

/// The address of a record: its own page, or its position in a list.
fn address_of(edition: &Edition, hit: &Hit) -> String {
    let id = hit.id.as_str();
    let below = |page: &str| format!("{page}/{id}");
    let otherwise = || route::COMPLIANCE.to_owned();
    if let Some((_, address)) = Found::of(hit.kind) {
        return below(address);
    }
    let HitKind::Catalogue(kind) = hit.kind else {
        let found = edition.requirements.get(id);
        return found.map_or_else(|| route::ASSESSMENTS.to_owned(), assessments::address_of);
    };
    match kind {
        Kind::Measure => library::measure_address(id),
        Kind::Framework => below(route::COMPLIANCE),
        Kind::Requirement => edition
            .requirements
            .get(id)
            .map_or_else(otherwise, |found| compliance::requirement_address(found.framework, id)),
        Kind::Gap => {
            edition.gaps.get(id).map_or_else(otherwise, |found| compliance::address_of_gap(edition, found))
        }
        Kind::Evidence => {
            let measure =
                edition.measures.iter().find(|measure| measure.evidence.iter().any(|own| &**own == id));
            measure
                .map_or_else(otherwise, |measure| format!("{}#{id}", library::measure_address(&measure.id)))
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
        Kind::Act | Kind::Crosswalk | Kind::Change => route::COMPLIANCE.to_owned(),
        Kind::Provider => concentration_risk::blast_address(&hit.title),
        Kind::Clock => route::DRILLS.to_owned(),
        Kind::Category => route::RISK_REGISTER.to_owned(),
        Kind::Dimension => route::VENDOR_SCORECARD.to_owned(),
        Kind::Question => format!("{}#{id}", route::PROVIDER_QUESTIONS),
        Kind::Widget => route::HOME.to_owned(),
    }
}

/// The best few as JSON, for the palette: lists by tag and region, then own records. A reference gives its record
/// alone.
async fn suggest(State(workspace): State<Workspace>, visit: Visit) -> Result<Response, PageError> {
    let asked = visit.query("q").unwrap_or_default();
    let Ok(question) = SearchText::parse(Some(&asked)) else { return Ok(Json(json!([])).into_response()) };
    if let Some(record) = named(&workspace, &visit, &asked).await? {
        let kind = visit.t(record.kind);
        let hit = json!({ "title": record.title, "kind": kind, "url": record.address });
        return Ok(Json(json!([hit])).into_response());
    }
    let lists = lists::found(&workspace, &visit, question.clone()).await?;
    let lists = lists.iter().map(|list| {
        let kind = lists::about(&visit, list);
        json!({ "title": list.value, "kind": kind, "url": lists::address(list) })
    });
    let grouped =
        workspace.app.reference.search_by_kind(visit.caller(), question, visit.language, FEW).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let hits = grouped.groups.iter().flat_map(|group| &group.hits).take(SUGGESTIONS);
    let found = hits.map(|hit| {
        let kind = visit.t(kind_name(hit.kind));
        json!({ "title": hit.title, "kind": kind, "url": address_of(&edition, hit) })
    });
    Ok(Json(lists.chain(found).collect::<Vec<_>>()).into_response())
}
