//! Evidence: the list with its filters, and the section on other records' pages.

mod detail;
mod form;
mod link;

use app::{
    evidence::{EvidenceFilter, EvidenceView},
    report::{File, Format},
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use domain::{
    any_of::UNSET,
    archive::Archived,
    evidence::{Evidence, EvidenceSort, EvidenceState},
    id::EvidenceId,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList},
    },
    requirements,
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{evidence as texts, record as shared},
    ui::{
        badge::{Tone, badge},
        field::Choice,
        filter,
        table::Column,
    },
};

pub(super) use self::link::{picked_link, section};

/// The maximum file size, and room for the rest of its form.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    let list =
        get(record::list::list::<Evidence>).post(form::create).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    record::form::change_router::<Evidence>()
        .merge(record::archive::router::<Evidence>())
        .route(route::EVIDENCE, list)
        .route(route::NEW_EVIDENCE, get(form::ask))
        .route(&format!("{}/attach", route::EVIDENCE), post(link::attach))
        .route(&format!("{}/{{id}}", route::EVIDENCE), get(record::form::show::<Evidence>))
        .route(&format!("{}/{{id}}/content", route::EVIDENCE), get(detail::content))
        .route(&format!("{}/{{id}}/links", route::EVIDENCE), post(link::add))
        .route(&format!("{}/{{id}}/unlink", route::EVIDENCE), post(link::remove))
        .merge(record::bulk::router::<Evidence, _>(record::list::list::<Evidence>))
        .merge(file::router::<Evidence>(route::EVIDENCE))
        .merge(record::import::router::<Evidence>())
}

pub(super) const FOUND: Found = Found { name: texts::EVIDENCE, badge: |_, _| html! {} };

pub(super) fn address_of(id: EvidenceId) -> String {
    format!("{}/{id}", route::EVIDENCE)
}

fn tone(state: EvidenceState) -> Tone {
    match state {
        EvidenceState::Current => Tone::Good,
        EvidenceState::Expiring => Tone::Warning,
        EvidenceState::Expired => Tone::Critical,
    }
}

const DONE: [(&str, Label); 5] = [
    ("created", shared::WAS_CREATED),
    ("changed", shared::WAS_CHANGED),
    ("deleted", shared::WAS_DELETED),
    ("linked", texts::WAS_LINKED),
    ("unlinked", texts::WAS_UNLINKED),
];

fn filter_of(workspace: &Workspace, view: &View) -> EvidenceFilter {
    let linked_to = view.query("linked_to").filter(|text| !text.trim().is_empty());
    EvidenceFilter {
        archived: record::archive_of(view),
        state: filter::any(view, "state"),
        today: Some(workspace.app.clock.now().day()),
        kind: filter::any_name(view, "kind"),
        owner: filter::any_name(view, "owner"),
        is_unlinked: linked_to.as_deref() == Some(UNSET),
        linked_to: linked_to.filter(|id| id != UNSET),
        keys: None,
        valid_before: filter::any_day(view, "valid_before"),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for Evidence {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let keys = requirements::keys(workspace, visit).await?;
        Ok(workspace
            .app
            .report
            .list_file::<Evidence>(
                visit.caller(),
                &EvidenceFilter { keys, ..filter_of(workspace, visit) },
                filter::reading(visit),
                format,
                visit.language,
            )
            .await?)
    }
}

impl RecordList for Evidence {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };
    const DONE: &'static [(&'static str, Label)] = &DONE;

    fn filter(workspace: &Workspace, view: &View) -> Result<Self::Filter, PageError> {
        Ok(filter_of(workspace, view))
    }

    async fn by_framework(
        workspace: &Workspace,
        visit: &Visit,
        filter: &mut Self::Filter,
    ) -> Result<(), PageError> {
        filter.keys = requirements::keys(workspace, visit).await?;
        Ok(())
    }

    fn everything(workspace: &Workspace) -> Self::Filter {
        EvidenceFilter { archived: Archived::All, ..Self::no_filter(workspace) }
    }

    async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let unlinked = [Choice::new(UNSET, visit.t(texts::NOTHING_LINKED))];
        let mut filters = vec![
            filter::any_words::<EvidenceState>(visit, "state", Evidence::STATE.label),
            filter::any_person(visit, "owner", Evidence::OWNER.label),
            filter::before(visit, "valid_before", texts::VALID_BEFORE),
            filter::choice(visit, "linked_to", Evidence::LINKS.label, &unlinked),
            filter::order::<EvidenceSort>(visit),
            record::archive_filter(visit),
        ];
        filters.extend(requirements::filter(workspace, visit).await?);
        Ok(filters)
    }

    fn no_filter(workspace: &Workspace) -> EvidenceFilter {
        EvidenceFilter { today: Some(workspace.app.clock.now().day()), ..EvidenceFilter::default() }
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::EVIDENCE)),
            Column::tight(view.t(Evidence::STATE.label)).key("state"),
            Column::tight(view.t(Evidence::VALID_UNTIL.label)).key("valid_until"),
            Column::person(view.t(Evidence::OWNER.label)).key("owner"),
            Column::tight(view.t(Evidence::KEEP_UNTIL.label)).key("keep_until"),
        ]
    }

    fn cells(view: &View, evidence: &EvidenceView) -> Vec<Markup> {
        let record = &evidence.row.record;
        vec![
            html! {
                a href=(address_of(evidence.row.id)) { (record.title.as_str()) }
                br;
                span.quiet { (source(view, evidence)) }
            },
            state_badge(view, evidence),
            view.day_or_none(record.valid_until),
            view.person(record.owner.as_ref()),
            html! { (view.day(record.keep_until)) },
        ]
    }
}

pub(super) fn state_badge(view: &View, evidence: &EvidenceView) -> Markup {
    badge(tone(evidence.state), view.t(evidence.state.label()))
}

/// The name and size of the file, or the address.
fn source(view: &View, evidence: &EvidenceView) -> String {
    let record = &evidence.row.record;
    match (&record.file, &record.url) {
        (Some(file), _) => format!("{} · {}", file.name, size(view, file.bytes)),
        (None, Some(url)) => url.clone(),
        (None, None) => String::new(),
    }
}

/// A number of bytes as people read it, rounded up.
pub(super) fn size(view: &View, bytes: u64) -> String {
    const KIB: u64 = 1024;
    if bytes < KIB * KIB {
        view.fill(texts::KILOBYTES, &[("count", &bytes.div_ceil(KIB))])
    } else {
        view.fill(texts::MEGABYTES, &[("count", &bytes.div_ceil(KIB * KIB))])
    }
}
