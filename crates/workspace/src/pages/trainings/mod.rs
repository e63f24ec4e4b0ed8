//! Trainings of people: the list with its figures, assigning, taking and recording.

mod assign;
mod detail;
mod form;
mod quiz;

use app::{
    report::{File, Format},
    training::{TrainingCounts, TrainingFilter, TrainingTotals, TrainingView, seen_by, sees_all},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    id::{TrainingId, UserId},
    right::{Resource, Right},
    rounding::Hundredths,
    training::{Training, TrainingSort, TrainingState},
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{page_of, tag_filter},
    },
    reference::edition,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{custom_field::OwnColumns, views},
    respond::{self, Answer},
    route,
    texts::{bulk, common, record as shared, training as texts},
    ui::{
        self,
        badge::{Tone, badge},
        columns::chosen_table,
        field::Choice,
        filter,
        pager::{counted, pager},
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::TRAININGS);
    record::form::change_router::<Training>()
        .merge(record::archive::router::<Training>())
        .route(route::TRAININGS, get(list).post(assign::assign))
        .route(route::NEW_TRAINING, get(assign::ask))
        .route(&one, get(record::form::show::<Training>))
        .route(&format!("{one}/quiz"), get(quiz::ask).post(quiz::answer))
        .route(&format!("{one}/result"), get(quiz::result).post(detail::record_result))
        .route(&format!("{one}/correct"), post(detail::correct))
        .route(&format!("{one}/certificate.pdf"), get(certificate))
        .merge(record::bulk::router::<Training, _>(list))
        .merge(file::router::<Training>(route::TRAININGS))
        .merge(record::import::router::<Training>())
}

fn address_of(id: TrainingId) -> String {
    format!("{}/{id}", route::TRAININGS)
}

fn training_id(id: &str) -> Result<TrainingId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

const DONE: [(&str, Label); 8] = [
    ("created", texts::WAS_ASSIGNED),
    ("changed", shared::WAS_CHANGED),
    ("moved", shared::WAS_MOVED),
    ("deleted", shared::WAS_DELETED),
    ("archived", shared::WAS_ARCHIVED),
    ("restored", shared::WAS_RESTORED),
    ("recorded", texts::WAS_RECORDED),
    ("corrected", crate::texts::correction::WAS_CORRECTED),
];

/// What the address asks for, of what the reader may see.
pub(super) fn filter_of(visit: &Visit) -> TrainingFilter {
    let filter = TrainingFilter {
        state: filter::any(visit, "state"),
        today: Some(visit.now.day()),
        person: visit.query("person").and_then(|id| id.parse::<UserId>().ok()),
        module: filter::any_name(visit, "module"),
        management_body: visit.query("management_body").and_then(|word| word.parse().ok()),
        archived: record::archive_of(visit),
        search: filter::search(visit),
        sort: filter::word(visit, "sort"),
    };
    seen_by(visit.caller(), filter)
}

impl Exported for Training {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        Ok(workspace
            .app
            .report
            .trainings_file(visit.caller(), &filter_of(visit), filter::reading(visit), format, visit.language)
            .await?)
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    if let Some(address) = record::list::led_on::<Training>(&workspace, &visit).await? {
        return respond::go_to(&address);
    }
    let visit = record::cell::opened::<Training>(&workspace, visit).await?;
    let page = page_of::<Training>(&workspace, &visit, &filter_of(&visit)).await?;
    let sees_all = sees_all(visit.caller());
    let figures = if sees_all {
        figures(&visit, &workspace.app.compliance.training_totals(visit.caller()).await?)
    } else {
        html! {}
    };
    let own = OwnColumns::of::<Training>(&workspace, &visit).await?;
    let mut filters = filters(&workspace, &visit, sees_all).await?;
    filters.extend(own.filters(&visit));
    let may_choose = record::bulk::is_open::<Training>(&visit);
    let mut columns: Vec<Column<'_>> = columns(&visit);
    columns.extend(own.columns(&visit));
    if may_choose {
        columns.insert(0, Column::choose(visit.t(bulk::CHOOSE)));
    }
    let views = views::row(&workspace, &visit, "trainings", &columns).await?;
    let (is_past, t) = (filter::as_of(&visit).is_some(), |label| visit.t(label));
    let rows: Vec<_> = page
        .items
        .iter()
        .map(|training| {
            let mut cells = chosen_cells(&visit, training, may_choose);
            cells.extend(own.cells(&visit, &training.row.custom));
            record::cell::wrapped(&visit, &columns, &training.row, cells)
        })
        .collect();
    let is_filtered = visit.address.contains('?');
    let actions = html! {
        (filter::exports(&visit, Training::FILES))
        @if filter::as_of(&visit).is_none() { (record::import::button::<Training>(&visit)) }
        @if visit.may(Resource::Trainings, Right::Write) && !is_past {
            (ui::link_button(route::NEW_TRAINING, t(texts::NEW), true))
        }
    };
    let intro = if sees_all { texts::INTRO } else { texts::OWN_INTRO };
    let content = html! {
        (ui::head(t(texts::TITLE), t(intro), Some(actions)))
        (ui::notice::done(&visit, &DONE))
        (record::cell::left_over(&visit, page.items.iter().map(|training| &training.row)))
        (figures)
        (views)
        (filter::bar(&visit, &filters))
        (filter::as_of_notice(&visit))
        @if page.items.is_empty() {
            (record::nothing(&visit, is_filtered, (texts::EMPTY, texts::EMPTY_HELP)))
        } @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (chosen_table(&visit, t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
            @if may_choose { (record::bulk::bar::<Training>(&visit)) }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

async fn filters(
    workspace: &Workspace,
    visit: &Visit,
    sees_all: bool,
) -> Result<Vec<filter::Filter>, PageError> {
    let modules = module_choices(workspace, visit)?;
    let mut filters = vec![
        filter::any_words::<TrainingState>(visit, "state", Training::STATE.label),
        filter::any_choice(visit, "module", Training::MODULE.label, &modules),
    ];
    if sees_all {
        let people = workspace.app.compliance.assignable_people(visit.caller()).await?;
        let people: Vec<Choice> =
            people.iter().map(|person| Choice::new(person.id.to_string(), person.name.as_str())).collect();
        let marked = [Choice::new("true", visit.t(common::YES)), Choice::new("false", visit.t(common::NO))];
        filters.push(filter::choice(visit, "person", Training::PERSON.label, &people));
        filters.push(filter::choice(visit, "management_body", Training::MANAGEMENT_BODY.label, &marked));
    }
    filters.push(filter::order::<TrainingSort>(visit));
    filters.push(record::archive_filter(visit));
    filters.push(filter::as_of_field(visit));
    filters.extend(tag_filter::<Training>(workspace, visit).await?);
    Ok(filters)
}

/// The modules of the catalogue to choose from.
fn module_choices(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, PageError> {
    let edition = edition(workspace)?;
    let choice = |module: &app::catalogue::training::Training| {
        Choice::new(module.id.to_string(), module.title.get(visit.language))
    };
    Ok(edition.trainings.iter().map(choice).collect())
}

fn columns(view: &View) -> Vec<Column<'static>> {
    vec![
        Column::text(view.t(texts::TRAINING)),
        Column::text(view.t(Training::PERSON.label)).key("person"),
        Column::tight(view.t(Training::DUE_ON.label)).key("due_on"),
        Column::tight(view.t(Training::STATE.label)).key("state"),
        Column::tight(view.t(Training::SCORE.label)).key("score"),
        Column::number(view.t(Training::ATTEMPTS.label)).key("attempts"),
    ]
}

/// The cells of a row with the box that chooses it. Archived trainings cannot be changed.
fn chosen_cells(visit: &Visit, training: &TrainingView, may_choose: bool) -> Vec<Markup> {
    let row = &training.row;
    let box_of = || {
        html! {
            @if row.archived_at.is_none() {
                (record::bulk::tick(visit, &row.id.to_string(), &training.title))
            }
        }
    };
    may_choose.then(box_of).into_iter().chain(cells(visit, training)).collect()
}

fn cells(view: &View, training: &TrainingView) -> Vec<Markup> {
    let record = &training.row.record;
    vec![
        html! {
            a href=(address_of(training.row.id)) { (training.title) }
            br;
            span.quiet { (record.reference) }
        },
        html! {
            (training.person)
            @if record.management_body { br; (badge(Tone::Muted, view.t(Training::MANAGEMENT_BODY.label))) }
        },
        html! { (view.day(record.due_on)) },
        state_badge(view, training.state),
        score(view, record),
        html! { (record.attempts) },
    ]
}

fn state_badge(view: &View, state: TrainingState) -> Markup {
    badge(state.tone(), view.t(state.label()))
}

fn score(view: &View, record: &Training) -> Markup {
    view.or_none(record.score.map(|score| view.fill(texts::PERCENT, &[("score", &score)])))
}

/// The figures of all people and of the management body; each leads to its trainings.
fn figures(view: &View, totals: &TrainingTotals) -> Markup {
    if totals.all.total() == 0 {
        return html! {};
    }
    html! {
        (counts(view, texts::ALL_PEOPLE, &totals.all, ""))
        (counts(view, texts::MANAGEMENT_BODY, &totals.management_body, "&management_body=true"))
    }
}

fn counts(view: &View, label: Label, counts: &TrainingCounts, narrowed: &str) -> Markup {
    html! {
        h2.part { (view.t(label)) }
        div.stats {
            a href=(address_with("passed", narrowed)) {
                span.quiet { (view.t(texts::SHARE)) }
                span.figure { (share(view, counts)) }
            }
            @for state in TrainingState::ALL.iter().copied() {
                a href=(address_with(state.as_str(), narrowed)) {
                    span.quiet { (view.t(state.label())) }
                    span.figure { (counts.of(state)) }
                }
            }
        }
    }
}

fn address_with(state: &str, narrowed: &str) -> String {
    format!("{}?state={state}{narrowed}", route::TRAININGS)
}

/// The share of passed trainings; a dash without any.
pub(super) fn share(view: &View, counts: &TrainingCounts) -> String {
    match counts.total() {
        0 => "–".to_owned(),
        total => view.percent(Hundredths::percent(counts.passed, total)),
    }
}

/// The figures of the start page, of those who see the trainings of all people.
pub(super) fn glance(view: &View, totals: &TrainingTotals) -> Markup {
    let shown = [
        (texts::PASSED_SHARE, share(view, &totals.all), address_with("passed", "")),
        (
            texts::PASSED_SHARE_OF_MEMBERS,
            share(view, &totals.management_body),
            address_with("passed", "&management_body=true"),
        ),
        (texts::LATE_TRAININGS, totals.all.late.to_string(), address_with("late", "")),
    ];
    html! {
        @if totals.all.total() > 0 {
            @for (label, figure, address) in shown {
                a href=(address) { span.quiet { (view.t(label)) } span.figure { (figure) } }
            }
        }
    }
}

async fn certificate(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let id = training_id(&id)?;
    file::pdf(workspace.app.report.training_certificate(visit.caller(), id, visit.language).await?)
}
