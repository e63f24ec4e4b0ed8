//! Controls: the list with its filters, and adopting measures of the catalogue.

mod detail;
mod form;
mod performance;

use app::{
    control::{Adoption, Control, ControlFilter, keys_of_framework, keys_of_requirement},
    report::{File, Format},
    search::HitKind,
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    archive::Archived,
    control::{Control as Record, ControlSort, ControlStatus, Effectiveness},
    framework::Framework,
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
    extract::{Posted, View, Visit},
    respond::{self, Answer},
    route,
    texts::{common, control as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        notice::notice,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::CONTROLS);
    record::form::router::<Record>()
        .merge(record::form::archive_router::<Record>())
        .route(route::CONTROLS, get(record::list::list::<Record>))
        .route(&below("adopt"), get(ask_adoption).post(adopt))
        .route(&below("{id}"), get(record::form::show::<Record>))
        .route(&below("{id}/performed"), post(performance::perform))
        .route(&below("{id}/performances/{number}/correct"), post(performance::correct))
        .merge(record::bulk::router::<Record>())
        .merge(file::router::<Record>(route::CONTROLS))
        .merge(record::import::router::<Record>())
}

pub(super) const FOUND: Found = Found {
    kind: HitKind::Own("control"),
    name: texts::CONTROL,
    address: route::CONTROLS,
    badge: |view, word| record::status_badge(view, word, record::control_tone),
};

pub(super) fn address_of(id: ControlId) -> String {
    format!("{}/{id}", route::CONTROLS)
}

/// The filter in the address, with what it names of the institution's own frameworks.
async fn filter_of(workspace: &Workspace, visit: &Visit) -> Result<ControlFilter, PageError> {
    let mut filter = bare_filter(visit);
    Record::by_framework(workspace, visit, &mut filter).await?;
    Ok(filter)
}

fn bare_filter(view: &View) -> ControlFilter {
    ControlFilter {
        archived: record::archive_of(view),
        status: filter::any(view, "status"),
        effectiveness: filter::any(view, "effectiveness"),
        owner: filter::any_name(view, "owner"),
        keys: None,
        due_before: view.query("due_before").and_then(|day| day.parse().ok()),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Record {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let filter = filter_of(workspace, visit).await?;
        Ok(workspace
            .app
            .controls_file(visit.caller(), &filter, filter::reading(visit), format, visit.language)
            .await?)
    }
}

impl RecordList for Record {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        title: texts::TITLE,
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
        let (framework, requirement) = (filter::framework(visit), visit.query("requirement"));
        let requirement = requirement.filter(|id| !id.is_empty());
        if framework.is_none() && requirement.is_none() {
            return Ok(());
        }
        let edition = workspace.app.edition_of(visit.caller()).await?;
        let by_framework = framework.map(|framework| keys_of_framework(&edition, framework));
        filter.keys = requirement.map(|id| keys_of_requirement(&edition, &id)).or(by_framework);
        Ok(())
    }

    fn everything(_: &Workspace) -> Self::Filter {
        ControlFilter { archived: Archived::All, ..ControlFilter::default() }
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        Ok(vec![
            filter::any_words::<ControlStatus>(visit, "status", common::STATUS),
            filter::any_words::<Effectiveness>(visit, "effectiveness", texts::EFFECTIVENESS),
            filter::frameworks(visit, &*workspace.app.edition_of(visit.caller()).await?),
            filter::any_person(visit, "owner", shared::OWNER),
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
            Column::tight(view.t(common::STATUS)).key("status"),
            Column::tight(view.t(texts::EFFECTIVENESS)).key("effectiveness"),
            Column::person(view.t(shared::OWNER)).key("owner"),
            Column::tight(view.t(texts::CADENCE)).key("cadence"),
            Column::tight(view.t(texts::NEXT_DUE)).key("next_due"),
            Column::number(view.t(texts::OPEN_FINDINGS)).key("open_findings"),
        ]
    }

    fn cells(view: &View, control: &Control) -> Vec<Markup> {
        let record = &control.row.record;
        vec![
            html! {
                a href=(address_of(control.row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (record.reference.to_string()) }
            },
            badge(record::control_tone(record.status), view.t(record.status.label())),
            effectiveness(view, record.effectiveness()),
            view.or_none(record.owner.as_ref()),
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

async fn ask_adoption(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Controls, Right::Write)?;
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(shared::FRAMEWORK)),
        Column::number(t(texts::ADOPT_COUNT)),
        Column::number(t(texts::ADOPT_THERE)),
        Column::actions(t(common::ACTIONS)),
    ];
    let mut rows = Vec::new();
    for (framework, preview) in workspace.app.adoption_previews(visit.caller()).await? {
        if preview.created + preview.skipped > 0 {
            rows.push(vec![
                html! { (framework.name()) },
                html! { (preview.created) },
                html! { (preview.skipped) },
                adoption_button(&visit, framework, preview.created),
            ]);
        }
    }
    let content = html! {
        (ui::head(t(texts::ADOPT), t(texts::ADOPT_INTRO), None))
        (table(t(texts::ADOPT), &columns, &rows))
    };
    respond::page(ui::layout::page(&visit, t(texts::ADOPT), &content))
}

fn adoption_button(visit: &Visit, framework: Framework, created: u64) -> Markup {
    html! {
        @if created == 0 { span.quiet { (visit.t(texts::ADOPT_DONE)) } }
        @else {
            form.inline method="post" action=(route::ADOPT_CONTROLS) {
                (visit.form_token())
                input type="hidden" name="framework" value=(framework);
                button.button type="submit" {
                    (visit.fill(texts::ADOPT_ALL, &[("count", &created)]))
                    span.unseen { " " (framework.name()) }
                }
            }
        }
    }
}

async fn adopt(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, form } = posted;
    visit.caller().require_right(Resource::Controls, Right::Write)?;
    let framework = form.value("framework").parse::<Framework>().ok();
    let adoption = match framework {
        Some(framework) => Adoption::Framework(framework),
        None => Adoption::Measures(form.all("measures").map(str::to_owned).collect()),
    };
    let adopted = workspace.app.adopt_controls(visit.caller(), adoption, visit.language).await?;
    // A form on the page of a requirement returns to it.
    if let Some(back) = route::own(form.value("back")) {
        return respond::go_to(&route::done(back, "adopted"));
    }
    let sentence =
        visit.fill(texts::ADOPTED, &[("created", &adopted.created), ("skipped", &adopted.skipped)]);
    let content = html! {
        (ui::head(visit.t(texts::ADOPT), "", None))
        (notice(Tone::Good, &sentence, &html! {}))
        div.row {
            (ui::link_button(route::CONTROLS, visit.t(texts::TITLE), true))
            (ui::link_button(route::ADOPT_CONTROLS, visit.t(texts::ADOPT), false))
        }
    };
    respond::page(ui::layout::page(&visit, visit.t(texts::ADOPT), &content))
}
