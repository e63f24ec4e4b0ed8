//! Controls: the list with its filters, and adopting measures of the catalogue.

mod adoption;
mod detail;
mod form;
mod performance;

use app::{
    control::{ControlFilter, ControlView, keys_of_frameworks, keys_of_requirement},
    report::{File, Format},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    archive::Archived,
    control::{Control, ControlSort, ControlStatus, Effectiveness},
    id::ControlId,
    moment::Day,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{control as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::CONTROLS);
    record::form::router::<Control>()
        .merge(record::archive::router::<Control>())
        .route(route::CONTROLS, get(record::list::list::<Control>))
        .route(&below("adopt"), get(adoption::ask).post(adoption::adopt))
        .route(&below("{id}"), get(record::form::show::<Control>))
        .route(&below("{id}/performed"), post(performance::perform))
        .route(&below("{id}/performances/{number}/correct"), post(performance::correct))
        .merge(record::bulk::router::<Control, _>(record::list::list::<Control>))
        .merge(file::router::<Control>(route::CONTROLS))
        .merge(record::import::router::<Control>())
}

pub(super) const FOUND: Found = Found {
    name: texts::CONTROL,
    badge: |view, word| record::status_badge(view, word, record::control_tone),
};

pub(super) fn address_of(id: ControlId) -> String {
    format!("{}/{id}", route::CONTROLS)
}

/// The filter in the address, with what it names of the institution's own frameworks.
async fn filter_of(workspace: &Workspace, visit: &Visit) -> Result<ControlFilter, PageError> {
    let mut filter = bare_filter(visit);
    Control::by_framework(workspace, visit, &mut filter).await?;
    Ok(filter)
}

fn bare_filter(view: &View) -> ControlFilter {
    ControlFilter {
        archived: record::archive_of(view),
        status: filter::any(view, "status"),
        effectiveness: filter::any(view, "effectiveness"),
        owner: filter::any_name(view, "owner"),
        keys: None,
        due_before: filter::any_day(view, "due_before"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Control {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let filter = filter_of(workspace, visit).await?;
        Ok(workspace
            .app
            .report
            .list_file::<Control>(visit.caller(), &filter, filter::reading(visit), format, visit.language)
            .await?)
    }
}

impl RecordList for Control {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };

    fn filter(_: &Workspace, view: &View) -> Result<Self::Filter, PageError> {
        Ok(bare_filter(view))
    }

    async fn by_framework(
        workspace: &Workspace,
        visit: &Visit,
        filter: &mut ControlFilter,
    ) -> Result<(), PageError> {
        let (frameworks, requirement) = (filter::any_framework(visit), visit.query("requirement"));
        let requirement = requirement.filter(|id| !id.is_empty());
        if !frameworks.asks() && requirement.is_none() {
            return Ok(());
        }
        let edition = workspace.app.edition_of(visit.caller()).await?;
        let by_framework = || frameworks.asks().then(|| keys_of_frameworks(&edition, &frameworks));
        filter.keys = requirement.map(|id| keys_of_requirement(&edition, &id)).or_else(by_framework);
        Ok(())
    }

    fn everything(_: &Workspace) -> Self::Filter {
        ControlFilter { archived: Archived::All, ..ControlFilter::default() }
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let frameworks = filter::framework_choices(&*workspace.app.edition_of(visit.caller()).await?);
        Ok(vec![
            filter::any_words::<ControlStatus>(visit, "status", Control::STATUS.label),
            filter::any_words::<Effectiveness>(visit, "effectiveness", Control::EFFECTIVENESS.label),
            filter::any_choice_or_unset(visit, "framework", shared::FRAMEWORK, &frameworks),
            filter::any_person(visit, "owner", Control::OWNER.label),
            filter::before(visit, "due_before", shared::DUE_BEFORE),
            filter::order::<ControlSort>(visit),
            record::archive_filter(visit),
        ])
    }

    async fn actions(_: &Workspace, visit: &Visit, total: u64) -> Result<Markup, PageError> {
        Ok(html! {
            @if visit.may(Resource::Controls, Right::Write) {
                (ui::link_button(route::ADOPT_CONTROLS, visit.t(texts::ADOPT), total == 0))
            }
            @if visit.may(Resource::Controls, Right::Own) {
                (ui::link_button(route::NEW_CONTROL, visit.t(texts::NEW), total > 0))
            }
        })
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::CONTROL)),
            Column::tight(view.t(Control::STATUS.label)).key("status"),
            Column::tight(view.t(Control::EFFECTIVENESS.label)).key("effectiveness"),
            Column::person(view.t(Control::OWNER.label)).key("owner"),
            Column::tight(view.t(Control::CADENCE.label)).key("cadence"),
            Column::tight(view.t(Control::NEXT_DUE_ON.label)).key("next_due"),
            Column::number(view.t(Control::OPEN_FINDINGS.label)).key("open_findings"),
        ]
    }

    fn cells(view: &View, control: &ControlView) -> Vec<Markup> {
        let record = &control.row.record;
        vec![
            html! {
                a href=(address_of(control.row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (record.reference.to_string()) }
            },
            badge(record::control_tone(record.status), view.t(record.status.label())),
            effectiveness(view, record.effectiveness()),
            view.person(record.owner.as_ref()),
            html! { (view.t(record.cadence.label())) },
            due(view, record.next_due_on),
            html! { (control.open_findings) },
        ]
    }
}

pub(super) fn effectiveness(view: &View, word: Effectiveness) -> Markup {
    badge(record::effectiveness_tone(word), view.t(word.label()))
}

/// The due day, highlighted if it has passed.
fn due(view: &View, day: Option<Day>) -> Markup {
    let late = day.is_some_and(|day| day < view.now.day());
    html! {
        span.late[late] { (view.day_or_none(day)) }
        @if late { br; (badge(Tone::Critical, view.t(shared::OVERDUE))) }
    }
}
