//! Lists of records of every kind: filters, table and pager. A kind implements [`RecordList`] with what is specific
//! to it.

use app::records::RecordKind;
use axum::extract::State;
use domain::{
    page::{Page, PageRequest},
    right::Right,
    wording::Label,
};
use maud::{Markup, html};

use super::{DONE, bulk, cell, form::RecordForm, import, nothing};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{
        custom_field::{OwnColumns, as_stored},
        file::Exported,
        views,
    },
    respond::{self, Answer},
    texts::bulk as bulk_texts,
    ui::{
        self,
        columns::chosen_table,
        filter::{self, Filter},
        pager::{counted, pager, requested},
        table::Column,
    },
};

/// The introduction of a list, the words for its counts, and the text of an empty list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListTexts {
    pub(crate) intro: Label,
    pub(crate) one: Label,
    pub(crate) many: Label,
    pub(crate) empty: (Label, Label),
}

/// What is specific to the list of a kind of record.
pub(crate) trait RecordList: RecordForm + Exported {
    const LIST_TEXTS: ListTexts;
    /// Whether tables of its records can be imported.
    const IMPORT: bool = false;
    /// What was done to a record, as the list says it.
    const DONE: &'static [(&'static str, Label)] = &DONE;

    /// The filter the address names.
    fn filter(workspace: &Workspace, view: &View) -> Result<Self::Filter, PageError>;

    /// Narrows the filter by what the address names of the institution's own frameworks.
    fn by_framework(
        workspace: &Workspace,
        visit: &Visit,
        filter: &mut Self::Filter,
    ) -> impl Future<Output = Result<(), PageError>> + Send {
        let _ = (workspace, visit, filter);
        std::future::ready(Ok(()))
    }

    /// The filter of an address that names none.
    fn no_filter(workspace: &Workspace) -> Self::Filter {
        let _ = workspace;
        Self::Filter::default()
    }

    /// The filter that leaves nothing out, not even what is archived.
    fn everything(workspace: &Workspace) -> Self::Filter {
        Self::no_filter(workspace)
    }

    /// The filters above the list.
    fn filters(
        workspace: &Workspace,
        visit: &Visit,
    ) -> impl Future<Output = Result<Vec<Filter>, PageError>> + Send;

    /// The actions besides exporting the list.
    fn actions(
        workspace: &Workspace,
        visit: &Visit,
        total: u64,
    ) -> impl Future<Output = Result<Markup, PageError>> + Send {
        let _ = (workspace, total);
        std::future::ready(Ok(new_button::<Self>(visit)))
    }

    /// Filters that have no field, such as one cell of a matrix.
    fn narrowed(view: &View, filter: &Self::Filter) -> Markup {
        let _ = (view, filter);
        html! {}
    }

    fn columns(view: &View) -> Vec<Column<'static>>;

    fn cells(view: &View, record: &Self::View) -> Vec<Markup>;
}

/// The link to the form of a new record, for users who may write.
pub(crate) fn new_button<K: RecordForm>(visit: &Visit) -> Markup {
    html! {
        @if visit.may(K::RESOURCE, Right::Own) {
            (ui::link_button(&format!("{}/new", K::ADDRESS), visit.t(K::TEXTS.new), true))
        }
    }
}

/// Where the address of a list leads: to the view that it opens with, or to the same with the values of own fields as
/// they are stored. `None` if the list is shown at this address.
pub(crate) async fn led_on<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
) -> Result<Option<String>, PageError> {
    match views::start(workspace, visit, K::TABLE.name).await? {
        Some(start) => Ok(Some(start)),
        None => as_stored::<K>(workspace, visit).await,
    }
}

pub(crate) async fn list<K: RecordList>(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let (title, ListTexts { intro, one, many, empty }) = (K::TEXTS.list, K::LIST_TEXTS);
    if let Some(address) = led_on::<K>(&workspace, &visit).await? {
        return respond::go_to(&address);
    }
    let visit = cell::opened::<K>(&workspace, visit).await?;
    let mut filter = K::filter(&workspace, &visit)?;
    K::by_framework(&workspace, &visit, &mut filter).await?;
    let page = page_of::<K>(&workspace, &visit, &filter).await?;
    let is_past = filter::as_of(&visit).is_some();
    let narrowed = filter != K::no_filter(&workspace) || filter::is_part(&visit);
    // Nothing is changed on a past state.
    let actions = if is_past {
        html! {}
    } else {
        let actions = K::actions(&workspace, &visit, page.total).await?;
        html! { @if K::IMPORT { (import::button::<K>(&visit)) } (actions) }
    };
    let head = |actions| ui::head(visit.t(title), visit.t(intro), actions);
    let content = if page.total == 0 && !narrowed && !has_any::<K>(&workspace, &visit).await? {
        html! {
            (head(None))
            (ui::notice::done(&visit, K::DONE))
            (ui::empty(visit.t(empty.0), visit.t(empty.1), Some(actions)))
        }
    } else {
        let mut filters = K::filters(&workspace, &visit).await?;
        filters.extend(tag_filter::<K>(&workspace, &visit).await?);
        let own = OwnColumns::of::<K>(&workspace, &visit).await?;
        filters.extend(own.filters(&visit));
        filters.push(filter::as_of_field(&visit));
        let may_choose = bulk::is_open::<K>(&visit);
        let mut columns: Vec<Column<'_>> = K::columns(&visit);
        columns.extend(own.columns(&visit));
        if may_choose {
            columns.insert(0, Column::choose(visit.t(bulk_texts::CHOOSE)));
        }
        let views = views::row(&workspace, &visit, K::TABLE.name, &columns).await?;
        let cut = |record| {
            cell::wrapped(&visit, &columns, K::row(record), cells::<K>(&visit, record, &own, may_choose))
        };
        let rows: Vec<_> = page.items.iter().map(cut).collect();
        html! {
            (head(Some(html! { (filter::exports(&visit, K::FILES)) (actions) })))
            (ui::notice::done(&visit, K::DONE))
            (cell::left_over(&visit, page.items.iter().map(K::row)))
            (views)
            (filter::bar(&visit, &filters))
            (filter::as_of_notice(&visit))
            (K::narrowed(&visit, &filter))
            @if page.items.is_empty() { (nothing(&visit, narrowed, empty)) } @else {
                (counted(&visit, page.total, one, many))
                (chosen_table(&visit, visit.t(title), &columns, &rows))
                (pager(&visit, &page))
                @if may_choose { (bulk::bar::<K>(&visit)) }
            }
        }
    };
    respond::page(ui::layout::page(&visit, visit.t(title), &content))
}

/// The cells of a row, with the box that chooses it. Archived records cannot be changed.
fn cells<K: RecordList>(visit: &Visit, record: &K::View, own: &OwnColumns, may_choose: bool) -> Vec<Markup> {
    let mut cells = K::cells(visit, record);
    cells.extend(own.cells(visit, &K::row(record).custom));
    if may_choose {
        let row = K::row(record);
        let is_archived = row.archived_at.is_some();
        let name = row.record.shown_as();
        cells.insert(0, html! { @if !is_archived { (bulk::tick(visit, &row.id.to_string(), &name)) } });
    }
    cells
}

/// Whether there is any record of the kind; if there is none, there is nothing to filter or to export.
pub(crate) async fn has_any<K: RecordList>(workspace: &Workspace, visit: &Visit) -> Result<bool, PageError> {
    let one = PageRequest::new(Some(1), None).unwrap_or_default();
    let everything = K::everything(workspace);
    Ok(workspace.app.records.records::<K>(visit.caller(), &everything, one).await?.total > 0)
}

/// The filter by the tags that records of the kind have.
pub(crate) async fn tag_filter<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
) -> Result<Option<Filter>, PageError> {
    Ok(filter::tag_field(visit, workspace.app.records.used_tags::<K>(visit.caller()).await?))
}

/// The page that the address asks for, as it is now or as of a day, all records or those with a tag.
pub(crate) async fn page_of<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
    filter: &K::Filter,
) -> Result<Page<K::View>, PageError> {
    let (app, caller, request) =
        (&workspace.app, visit.caller(), requested(visit).tagged(filter::tag(visit)));
    let request = request.holding(filter::holding(visit));
    let mut page = match filter::as_of(visit) {
        Some(day) => app.records.records_as_of::<K>(caller, filter, day, request).await?.0,
        None => app.records.records::<K>(caller, filter, request).await?,
    };
    let edition = app.edition_of(caller).await?;
    page.items.iter_mut().for_each(|item| K::translate(item, &edition, visit.language));
    Ok(page)
}
