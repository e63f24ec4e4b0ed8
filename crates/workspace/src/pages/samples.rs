//! Samples: the list, the form that draws one from a list, and one sample whose rows lead to its records.

use std::{collections::BTreeMap, pin::Pin};

use app::{
    Error,
    idempotency::Creation,
    records::{AnyKind, RecordKind},
    sample::{Population, Sample, SampleRow},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use domain::{
    change::Change,
    id::SampleId,
    right::{Resource, Right},
    sample::{MOST, SampleInput},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{PageKind, names::Names, page_by_id, record::list::RecordList};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::sample as texts,
    ui::{
        self,
        field::{Field, required_key},
        filter, history,
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::SAMPLES, get(list).post(draw))
        .route(route::NEW_SAMPLE, get(ask))
        .route(&format!("{}/{{id}}", route::SAMPLES), get(show))
}

/// The sample, or why it was refused; the page itself can fail, too.
pub(super) type Drawn = Result<Result<Creation, Error>, PageError>;
pub(super) type Drawing<'d> = Pin<Box<dyn Future<Output = Drawn> + Send + 'd>>;

/// Draws from the list at the address of the visit.
pub(super) type Draw = for<'d> fn(&'d Workspace, &'d Visit, &'d SampleInput) -> Drawing<'d>;

/// Draws from a list that is like those of most kinds.
pub(super) fn from_list<'d, K: RecordList>(
    workspace: &'d Workspace,
    list: &'d Visit,
    input: &'d SampleInput,
) -> Drawing<'d> {
    Box::pin(async move {
        let mut filter = K::filter(workspace, list)?;
        K::by_framework(workspace, list, &mut filter).await?;
        drawn::<K>(workspace, list, filter, input).await
    })
}

/// Draws from what a filter leaves.
pub(super) fn boxed<'d, K: RecordKind>(
    workspace: &'d Workspace,
    list: &'d Visit,
    filter: K::Filter,
    input: &'d SampleInput,
) -> Drawing<'d> {
    Box::pin(drawn::<K>(workspace, list, filter, input))
}

async fn drawn<K: RecordKind>(
    workspace: &Workspace,
    list: &Visit,
    filter: K::Filter,
    input: &SampleInput,
) -> Drawn {
    let query = list.address.split_once('?').map_or("", |(_, query)| query);
    let population = Population::<K> { filter, tag: filter::tag(list), named: filters_in(query) };
    Ok(workspace
        .app
        .records
        .draw_sample::<K>(list.caller(), population, input, None, |_| String::new())
        .await)
}

/// The parameters of a list that leave out records.
fn filters_in(query: &str) -> BTreeMap<String, String> {
    let shown = ["sort", "columns", "view", "offset", "limit", "done", "as_of"];
    let all = form_urlencoded::parse(query.as_bytes()).into_owned();
    let mut held = BTreeMap::<String, String>::new();
    for (name, value) in
        all.filter(|(name, value)| !value.trim().is_empty() && !shown.contains(&name.as_str()))
    {
        // A filter with several values has its name as often in the address; the API writes them with commas.
        let values = held.entry(name).or_default();
        if !values.is_empty() {
            values.push(',');
        }
        values.push_str(&value);
    }
    held
}

const NAMES: [(&str, Label); 5] = [
    ("list", texts::LIST),
    ("filter", texts::FILTER),
    ("size", texts::SIZE),
    ("seed", texts::SEED),
    ("purpose", texts::PURPOSE),
];

/// The name of a list of records.
fn list_name(view: &View, list: &str) -> String {
    AnyKind::of_table(list).map_or(list, |kind| view.t(kind.resource.label())).to_owned()
}

/// The form of the address: the list, and its filter as a query string.
async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Samples, Right::Write)?;
    let query = visit.address.split_once('?').map_or("", |(_, query)| query);
    let rest = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "list");
    let filter = form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish();
    let form = Form::filled([
        ("list", visit.query("list").unwrap_or_default()),
        ("filter", filter),
        ("size", "25".to_owned()),
    ]);
    respond::page(form_page(&workspace, &visit, &form).await?)
}

async fn form_page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let (t, named) = (|label| visit.t(label), form.value("list"));
    if PageKind::of_table(named).is_none_or(|kind| kind.draw.is_none()) {
        return Err(PageError::NotFound);
    }
    let filters = shown_filters(workspace, visit, &filters_in(form.value("filter"))).await?;
    let content = html! {
        (ui::head(t(texts::NEW), t(texts::NEW_INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::SAMPLES) {
            (visit.form_token())
            (required_key(visit))
            input type="hidden" name="list" value=(named);
            input type="hidden" name="filter" value=(form.value("filter"));
            dl.facts {
                dt { (t(texts::LIST)) } dd { (list_name(visit, named)) }
                dt { (t(texts::FILTER)) } dd { (filters) }
            }
            (Field::text(visit, form, "purpose", texts::PURPOSE).at_most(Name::MAX).render())
            div.columns {
                (Field::number(visit, form, "size", texts::SIZE, (1, MOST)).render())
                (Field::text(visit, form, "seed", texts::SEED).hint(texts::SEED_HINT).optional().at_most(64).render())
            }
            div.form-end { button.button.primary type="submit" { (t(texts::DRAW)) } }
        }
    };
    Ok(ui::layout::page(visit, t(texts::NEW), &content))
}

/// What the list was narrowed by, with names for ids.
async fn shown_filters(
    workspace: &Workspace,
    visit: &Visit,
    filters: &BTreeMap<String, String>,
) -> Result<String, PageError> {
    if filters.is_empty() {
        return Ok(visit.t(texts::NO_FILTER).to_owned());
    }
    let values: Vec<String> = filters.values().flat_map(|value| each(value)).map(str::to_owned).collect();
    let names = Names::of(workspace, visit, values.iter()).await?;
    let shown = filters.iter().map(|(name, value)| {
        let shown = each(value).map(|value| names.get(value).unwrap_or_else(|| value.to_owned()));
        format!("{name}: {}", shown.collect::<Vec<_>>().join(", "))
    });
    Ok(shown.collect::<Vec<_>>().join("; "))
}

/// The values of a filter that may have several.
fn each(value: &str) -> impl Iterator<Item = &str> {
    value.split(',')
}

async fn draw(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Samples, Right::Write)?;
    let kind = PageKind::of_table(form.value("list")).ok_or(PageError::NotFound)?;
    let draw = kind.draw.ok_or(PageError::NotFound)?;
    let list = visit.at(&format!("{}?{}", kind.address, form.value("filter")), html! {}, None);
    let input = SampleInput {
        size: form.value("size").trim().parse().map_or(Change::Set(0), Change::Set),
        seed: form.change("seed"),
        purpose: form.required_change("purpose"),
    };
    match draw(&workspace, &list, &input).await? {
        Ok(drawn) => {
            let address = format!("{}/{}", route::SAMPLES, drawn.subject);
            respond::go_to(&route::done(&address, "drawn"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(form_page(&workspace, &visit, &form).await?)
        }
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let t = |label| visit.t(label);
    let page = workspace.app.records.samples(visit.caller(), requested(&visit)).await?;
    let actors = page.items.iter().map(|row| row.sample.drawn_by.clone()).collect();
    let people = workspace.app.actor_names(visit.caller(), actors).await?;
    let columns = [
        Column::text(t(texts::PURPOSE)),
        Column::text(t(texts::LIST)),
        Column::tight(t(texts::DRAWN)),
        Column::person(t(texts::DRAWN_BY)),
        Column::tight(t(texts::DRAWN_AT)),
    ];
    let cells = |row: &SampleRow| {
        vec![
            html! { a href={ (route::SAMPLES) "/" (row.id) } { (row.sample.purpose.as_str()) } },
            html! { (list_name(&visit, &row.sample.list)) },
            html! { (drawn_of(&visit, row)) },
            html! { (history::author(&visit, people.get(&row.sample.drawn_by))) },
            visit.time(row.sample.drawn_at),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(cells).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        @if page.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn drawn_of(view: &View, row: &SampleRow) -> String {
    let (drawn, population) = (row.sample.drawn.len(), row.sample.population);
    view.fill(texts::DRAWN_OF, &[("drawn", &drawn), ("population", &population)])
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let id: SampleId = id.parse().map_err(|_| PageError::NotFound)?;
    let sample = workspace.app.records.sample(visit.caller(), id).await?;
    let filters = shown_filters(&workspace, &visit, &sample.row.sample.filter).await?;
    let (t, title) = (|label| visit.t(label), sample.row.sample.purpose.as_str());
    let columns = [Column::number(t(texts::NUMBER)), Column::text(t(texts::RECORD))];
    let rows: Vec<_> =
        sample.records.iter().enumerate().map(|(place, record)| cells(&visit, place, record)).collect();
    let content = html! {
        (ui::head(title, t(texts::SAMPLE), None))
        (ui::notice::done(&visit, &[("drawn", texts::WAS_DRAWN)]))
        section.card { (facts(&visit, &sample, &filters)) }
        (ui::section(t(texts::DRAWN), &table(t(texts::DRAWN), &columns, &rows)))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

fn cells(visit: &Visit, place: usize, (id, name): &(String, Option<String>)) -> Vec<Markup> {
    let page = page_by_id(id);
    vec![
        html! { (place + 1) },
        html! {
            @match (name, page) {
                (Some(name), Some(page)) => a href=(page) { (name) },
                (Some(name), None) => (name),
                (None, _) => span.quiet { (visit.t(texts::GONE)) },
            }
        },
    ]
}

fn facts(visit: &Visit, sample: &Sample, filters: &str) -> Markup {
    let (row, t) = (&sample.row.sample, |label| visit.t(label));
    html! {
        dl.facts {
            dt { (t(texts::LIST)) } dd { (list_name(visit, &row.list)) }
            dt { (t(texts::FILTER)) } dd { (filters) }
            dt { (t(texts::POPULATION)) } dd { (row.population) }
            dt { (t(texts::SIZE)) } dd { (row.size) }
            dt { (t(texts::SEED)) } dd { code { (row.seed.as_str()) } }
            dt { (t(texts::DRAWN_BY)) } dd { (history::author(visit, Some(&sample.drawn_by))) }
            dt { (t(texts::DRAWN_AT)) } dd { (visit.time(row.drawn_at)) }
        }
        p.hint { (t(texts::HOW)) }
    }
}
