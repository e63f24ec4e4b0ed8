//! Risks of the institution: the list with its filters.

mod appetite;
mod detail;
mod form;
mod library;
mod matrix;

use app::{
    report::{File, Format},
    risk::{RiskFilter, RiskView},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    archive::Archived,
    id::RiskId,
    right::{Resource, Right},
    risk::{Rating, Risk, RiskCategory, RiskLevel, RiskSort, RiskStatus},
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList, new_button},
    },
    reference::level_badge,
    requirements,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{own_risk as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    record::form::router::<Risk>()
        .merge(record::archive::router::<Risk>())
        .route(route::RISKS, get(record::list::list::<Risk>))
        .route(route::RISK_MATRIX, get(matrix::show))
        .route(route::ADOPT_RISKS, get(library::ask).post(library::adopt))
        .route(route::RISK_APPETITE, get(appetite::show).post(appetite::change))
        .route(&format!("{}/{{id}}", route::RISKS), get(record::form::show::<Risk>))
        .route(&format!("{}/{{id}}/move", route::RISKS), post(record::form::step::<Risk>))
        .route(&format!("{}/{{id}}/acceptance", route::RISKS), post(detail::propose))
        .merge(record::bulk::router::<Risk, _>(record::list::list::<Risk>))
        .merge(file::router::<Risk>(route::RISKS))
        .merge(record::import::router::<Risk>())
}

pub(super) const FOUND: Found =
    Found { name: texts::OWN_RISK, badge: |view, word| record::status_badge(view, word, tone) };

pub(super) fn address_of(id: RiskId) -> String {
    format!("{}/{id}", route::RISKS)
}

pub(super) fn tone(status: RiskStatus) -> Tone {
    match status {
        RiskStatus::Open => Tone::Notice,
        RiskStatus::Treating => Tone::Running,
        RiskStatus::Accepted => Tone::Warning,
        RiskStatus::Closed => Tone::Neutral,
    }
}

const DONE: [(&str, Label); 6] = [
    ("created", shared::WAS_CREATED),
    ("changed", shared::WAS_CHANGED),
    ("moved", shared::WAS_MOVED),
    ("deleted", shared::WAS_DELETED),
    ("adopted", texts::WAS_ADOPTED),
    ("proposed", texts::WAS_PROPOSED),
];

fn filter_of(view: &View) -> RiskFilter {
    RiskFilter {
        archived: record::archive_of(view),
        status: filter::any(view, "status"),
        level: filter::any(view, "level"),
        category: filter::any(view, "category"),
        owner: filter::any_name(view, "owner"),
        function: filter::any_name(view, "function"),
        keys: None,
        review_before: filter::any_day(view, "review_before"),
        cell: cell_of(view),
        above_appetite: view.query("appetite").is_some_and(|word| word == "above"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Risk {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let filter = RiskFilter { keys: requirements::keys(workspace, visit).await?, ..filter_of(visit) };
        Ok(workspace
            .app
            .report
            .list_file::<Risk>(visit.caller(), &filter, filter::reading(visit), format, visit.language)
            .await?)
    }
}

impl RecordList for Risk {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };
    const DONE: &'static [(&'static str, Label)] = &DONE;

    fn filter(_: &Workspace, view: &View) -> Result<Self::Filter, PageError> {
        Ok(filter_of(view))
    }

    async fn by_framework(
        workspace: &Workspace,
        visit: &Visit,
        filter: &mut Self::Filter,
    ) -> Result<(), PageError> {
        filter.keys = requirements::keys(workspace, visit).await?;
        Ok(())
    }

    fn everything(_: &Workspace) -> Self::Filter {
        RiskFilter { archived: Archived::All, ..RiskFilter::default() }
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let above = [Choice::new("above", visit.t(texts::ABOVE))];
        let mut filters = vec![
            filter::any_words::<RiskStatus>(visit, "status", Risk::STATUS.label),
            filter::any_words::<RiskLevel>(visit, "level", Risk::RESIDUAL_LEVEL.label),
            filter::any_words::<RiskCategory>(visit, "category", Risk::CATEGORY.label),
            filter::choice(visit, "appetite", texts::APPETITE, &above),
            filter::any_person(visit, "owner", Risk::OWNER.label),
            filter::before(visit, "review_before", texts::REVIEW_BEFORE),
            filter::order::<RiskSort>(visit),
            record::archive_filter(visit),
        ];
        filters.extend(requirements::filter(workspace, visit).await?);
        Ok(filters)
    }

    async fn actions(_: &Workspace, visit: &Visit, _: u64) -> Result<Markup, PageError> {
        Ok(html! {
            (ui::link_button(route::RISK_MATRIX, visit.t(texts::MATRIX), false))
            @if visit.may(Resource::Risks, Right::Write) {
                (ui::link_button(route::ADOPT_RISKS, visit.t(texts::ADOPT), false))
            }
            (new_button::<Self>(visit))
        })
    }

    fn narrowed(view: &View, filter: &RiskFilter) -> Markup {
        narrowed(view, filter)
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::RISK)),
            Column::tight(view.t(Risk::STATUS.label)).key("status"),
            Column::tight(view.t(Risk::INHERENT.label)).key("inherent"),
            Column::tight(view.t(Risk::RESIDUAL.label)).key("residual"),
            Column::person(view.t(Risk::OWNER.label)).key("owner"),
            Column::tight(view.t(Risk::REVIEW_ON.label)).key("review_on"),
        ]
    }

    fn cells(view: &View, risk: &RiskView) -> Vec<Markup> {
        let record = &risk.row.record;
        vec![
            html! {
                a href=(address_of(risk.row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (record.reference) " · " (view.t(record.category.label())) }
            },
            badge(tone(record.status), view.t(record.status.label())),
            rated_badge(view, record.inherent),
            html! {
                (rated_badge(view, record.residual))
                @if risk.exceeds.is_some() { br; span.quiet { (view.t(texts::ABOVE)) } }
            },
            view.person(record.owner.as_ref()),
            view.day_or_none(record.review_on),
        ]
    }
}

/// The level of a rating, or that there is none yet.
fn rated_badge(view: &View, rating: Option<Rating>) -> Markup {
    match rating {
        Some(rating) => level_badge(view, rating.level()),
        None => badge(Tone::Muted, view.t(texts::NOT_RATED)),
    }
}

/// One cell of the matrix, if the address names one.
fn cell_of(view: &View) -> Option<(bool, Rating)> {
    let number = |name: &str| view.query(name).and_then(|text| text.parse().ok());
    let rating = Rating::new(number("likelihood")?, number("impact")?)?;
    Some((view.query("rating").is_some_and(|rating| rating == "inherent"), rating))
}

/// Says that only one cell of the matrix is listed, with a link to all.
fn narrowed(view: &View, filter: &RiskFilter) -> Markup {
    let Some((_, rating)) = filter.cell else { return html! {} };
    let field =
        view.fill(texts::FIELD, &[("likelihood", &rating.likelihood()), ("impact", &rating.impact())]);
    html! {
        p { (view.fill(texts::IN_FIELD, &[("field", &field)])) " "
            a href=(route::RISKS) { (view.t(texts::ALL_FIELDS)) } }
    }
}
