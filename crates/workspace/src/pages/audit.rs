//! The audit log of the institution: what was done, by whom, to what, before and after; and the proof that it was not
//! changed.

use app::{
    audit::{ChainReport, Who},
    audit_search::{AuditFilter, AuditItem, AuditPage},
    records::PickKind,
};
use axum::{Router, extract::State, routing::get};
use domain::{
    audit::{Entry, Unchecked},
    audit_action::{self, AuditKind, is_change},
    id::Uuid7,
    moment::{Day, Moment},
    page::PageRequest,
    right::{Resource, Right},
    vocabulary::Vocabulary as _,
};
use maud::{Markup, html};
use serde_json::Value;

use super::{
    file,
    names::{Names, texts_in},
    page_by_id, past, pick,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{audit as texts, common, record as shared},
    ui::{
        self,
        badge::Tone,
        field::Choice,
        filter::{self, Filter},
        notice::notice,
        table::{Column, table},
    },
};

const SHOWN: usize = 50;

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::AUDIT, get(list))
        .route(&format!("{}.csv", route::AUDIT), get(csv))
        .route(&format!("{}/verify", route::AUDIT), get(verify))
}

/// The filter in the address; invalid values are ignored.
async fn filter_of(workspace: &Workspace, view: &Visit) -> Result<AuditFilter, PageError> {
    let text =
        |name: &str| view.query(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let subject = match text("record") {
        Some(typed) => Some(subject_of(workspace, view, typed).await?),
        None => None,
    };
    Ok(AuditFilter {
        actor: text("person"),
        subject,
        kind: filter::word::<AuditKind>(view, "kind"),
        from: day(view, "from").and_then(|day| midnight(view, day)),
        // The last day is included.
        until: day(view, "to").and_then(|day| midnight(view, day.plus_days(1))),
    })
}

/// The id of the record that was named. What names none is searched for as it is, because the log also has subjects
/// that are no records, and records that were deleted.
async fn subject_of(workspace: &Workspace, visit: &Visit, typed: String) -> Result<String, PageError> {
    let found = workspace.app.records.picked(visit.caller(), &PickKind::all(), vec![typed.clone()]).await?;
    Ok(found.into_iter().find_map(Result::ok).unwrap_or(typed))
}

/// An unknown kind is refused: a list of all kinds would be taken for the answer.
fn check_kind(view: &View) -> Result<(), PageError> {
    let asked = view.query("kind").filter(|word| !word.is_empty());
    if asked.is_some_and(|word| AuditKind::find(&word).is_none()) {
        Err(PageError::Malformed)
    } else {
        Ok(())
    }
}

fn day(view: &View, name: &str) -> Option<Day> {
    view.query(name).and_then(|text| text.parse().ok())
}

/// The start of a day in the reader's time zone.
fn midnight(view: &View, day: Day) -> Option<Moment> {
    view.zone.read(&format!("{day}T00:00")).ok()
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    check_kind(&visit)?;
    let before = visit.query("before").and_then(|text| text.parse().ok());
    let page = workspace
        .app
        .operations
        .search_audit(visit.caller(), filter_of(&workspace, &visit).await?, before, SHOWN)
        .await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::number(t(texts::NUMBER)),
        Column::tight(t(texts::WHEN)),
        Column::text(t(texts::WHAT)),
        Column::text(t(texts::DETAIL)),
    ];
    let names = names(&workspace, &visit, &page).await?;
    let rows: Vec<_> = page.items.iter().map(|item| cells(&visit, &names, item)).collect();
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(html! {
            (filter::exports(&visit, &[("csv", "CSV")]))
            (ui::link_button(&format!("{}/verify", route::AUDIT), t(texts::VERIFY), true))
        })))
        (filters(&workspace, &visit).await?)
        @if page.items.is_empty() {
            @if page.next.is_none() { (ui::empty(t(texts::NOTHING), t(texts::NOTHING_HELP), None)) }
        } @else { (table(t(texts::TITLE), &columns, &rows)) }
        (way_back(&visit, &page))
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

async fn csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    check_kind(&visit)?;
    file::csv(
        workspace
            .app
            .report
            .audit_file(visit.caller(), filter_of(&workspace, &visit).await?, visit.language)
            .await?,
    )
}

async fn filters(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    // Readers of the log who may not see the accounts still reach each author by the names in the list.
    let people = if visit.may(Resource::People, Right::Read) {
        workspace.app.people.users(visit.caller(), all).await?.items
    } else {
        Vec::new()
    };
    let mut authors: Vec<_> = people
        .iter()
        .map(|user| Choice::new(user.id.to_string(), format!("{} ({})", user.name.as_str(), user.email)))
        .collect();
    authors.push(Choice::new("operator", visit.t(texts::OPERATOR)));
    authors.push(Choice::new("system", visit.t(texts::SYSTEM)));
    // A key, or a deleted user, that an entry of the list links to.
    let named = visit.query("person").filter(|id| !id.is_empty());
    if let Some(other) = named.filter(|id| authors.iter().all(|known| known.value != *id)) {
        let known = workspace.app.actor_names(visit.caller(), vec![other.clone()]).await?;
        authors.push(Choice::new(other.clone(), ui::history::author(visit, known.get(&other))));
    }
    let typed = visit.query("record").unwrap_or_default();
    let form = Form::filled([("record", pick::labels(workspace, visit, [typed]).await?)]);
    let record = pick::field(workspace, visit, &form, ("record", texts::RECORD), &PickKind::all()).await?;
    let chosen = Some(form.value("record")).filter(|name| !name.is_empty());
    let chosen = chosen.map(|name| match Uuid7::of_id(name) {
        Some(_) => visit.t(shared::CHOSEN_RECORD).to_owned(),
        None => name.to_owned(),
    });
    Ok(filter::bar_without_search(
        visit,
        &[
            filter::choice(visit, "person", texts::WHO, &authors),
            filter::words::<AuditKind>(visit, "kind", texts::KIND),
            filter::day(visit, "from", texts::FROM),
            filter::day(visit, "to", texts::TO),
            Filter::new("record", texts::RECORD, chosen, record),
        ],
    ))
}

/// Links to older entries, and back to the newest.
fn way_back(view: &View, page: &AuditPage) -> Markup {
    let address = |before: Option<i64>| {
        let query = view.address.split_once('?').map_or("", |(_, query)| query);
        let kept = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "before");
        let mut written = form_urlencoded::Serializer::new(String::new());
        written.extend_pairs(kept);
        if let Some(before) = before {
            written.append_pair("before", &before.to_string());
        }
        format!("{}?{}", view.path(), written.finish())
    };
    let went_on = view.query("before").is_some();
    if page.next.is_none() && !went_on {
        return html! {};
    }
    html! {
        nav.pager aria-label=(view.t(common::PAGES)) {
            @if went_on { a.button rel="prev" href=(address(None)) { (view.t(texts::NEWEST)) } }
            @if let (Some(next), Some(at)) = (page.next, page.looked_back_to) {
                span { (view.fill(texts::LOOKED_BACK, &[("time", &view.moment(at))])) }
                a.button rel="next" href=(address(Some(next))) { (view.t(texts::OLDER)) }
            }
        }
    }
}

/// The names of all that the entries speak of.
async fn names(workspace: &Workspace, visit: &Visit, page: &AuditPage) -> Result<Names, PageError> {
    let details: Vec<Value> =
        page.items.iter().filter_map(|item| serde_json::from_str(&item.row.entry.detail).ok()).collect();
    Names::of(workspace, visit, details.iter().flat_map(texts_in)).await
}

fn cells(visit: &Visit, names: &Names, item: &AuditItem) -> Vec<Markup> {
    let entry = &item.row.entry;
    vec![
        html! { (item.row.seq) },
        visit.time(entry.at),
        html! {
            (author(visit, item)) " " (deed(visit, names, item))
            br;
            code.quiet.size-small { (entry.action) }
        },
        detail(visit, names, entry),
    ]
}

/// The name, with what distinguishes users of the same name, as a link to all entries by that user.
fn author(visit: &Visit, item: &AuditItem) -> Markup {
    let more = match &item.who {
        Who::Person { email, .. } => Some(email.clone()),
        Who::Key { prefix, .. } => Some(format!("{prefix}…")),
        _ => None,
    };
    html! {
        a href={ (route::AUDIT) "?person=" (item.row.entry.actor) } title=[more] {
            (ui::history::author(visit, Some(&item.who)))
        }
    }
}

/// The action. The record links to its page, or to its entries in the log if it has none.
fn deed(view: &View, names: &Names, item: &AuditItem) -> Markup {
    let entry = &item.row.entry;
    let Some(sentence) = audit_action::sentence(&entry.action) else {
        return html! { (subject(view, names, item)) };
    };
    let text = view.t(sentence);
    match text.split_once("{subject}") {
        None => html! { (text) },
        Some((before, after)) => html! { (before) (subject(view, names, item)) (after) },
    }
}

/// The record by its name. A deleted one is called what the entry itself calls it.
fn subject(view: &View, names: &Names, item: &AuditItem) -> Markup {
    let id = &item.row.entry.subject;
    let entries = format!("{}?record={id}", route::AUDIT);
    html! {
        @match (&item.subject, page_by_id(id)) {
            (Some(name), Some(page)) => a href=(page) { (name) },
            (Some(name), None) => a href=(entries) { (name) },
            (None, _) if names.get(id).is_some() => (names.link(id)),
            (None, _) => a href=(entries) {
                (called(&item.row.entry.detail).unwrap_or_else(|| view.t(texts::DELETED_RECORD).to_owned()))
            },
        }
    }
}

/// The reference and the title in the detail of an entry.
fn called(detail: &str) -> Option<String> {
    let detail: Value = serde_json::from_str(detail).ok()?;
    let text = |name: &str| detail.get(name).and_then(Value::as_str);
    let parts = [text("reference"), text("title").or_else(|| text("name")).or_else(|| text("email"))];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(name).filter(|name| !name.is_empty())
}

/// The fields of an entry: before and after in the entry of a change, in any other those that have a value.
fn detail(view: &View, names: &Names, entry: &Entry) -> Markup {
    let (record, detail) = (&entry.subject, &entry.detail);
    let Ok(Value::Object(fields)) = serde_json::from_str(detail) else {
        return html! { code { (detail) } };
    };
    let text = |field: &str, value: &Value| past::text(view, names, record, field, value);
    let shown =
        |field: &str, value: &Value| view.or_none(Some(text(field, value)).filter(|text| !text.is_empty()));
    let is_change = is_change(&entry.action);
    let pair = |value: &Value| match value.as_array().map(Vec::as_slice) {
        Some([before, after]) if is_change => Some((before.clone(), after.clone())),
        _ => None,
    };
    let rows: Vec<_> = fields
        .iter()
        .map(|(name, value)| (name, value, pair(value)))
        .filter(|(name, value, pair)| pair.is_some() || !text(name, value).is_empty())
        .collect();
    html! {
        @if rows.is_empty() { span.quiet { "–" } }
        @else {
            dl.detail {
                @for (name, value, pair) in &rows {
                    @let label = past::label(view, record, name);
                    dt { @if label == **name { code { (name) } } @else { (label) } }
                    dd {
                        @match pair {
                            Some((before, after)) => { (shown(name, before)) " → " (shown(name, after)) },
                            None => (shown(name, value)),
                        }
                    }
                }
            }
        }
    }
}

async fn verify(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let report = workspace.app.operations.verify_own_audit(visit.caller()).await?;
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::VERIFY), t(texts::VERIFY_HELP), None))
        (outcome(&visit, &report))
        (ui::link_button(route::AUDIT, t(common::AUDIT), false))
    };
    respond::page(ui::layout::page(&visit, t(texts::VERIFY), &content))
}

fn outcome(visit: &Visit, report: &ChainReport) -> Markup {
    match &report.outcome {
        Ok(head) => {
            let sentence = html! {
                p { (visit.fill(texts::VERIFIED_HELP, &[("entries", &report.entries)])) }
                p { code.where { (head.seq) ":" (app::audit::head_text(head)) } }
                (not_checked(visit, report))
            };
            notice(Tone::Good, visit.t(texts::VERIFIED), &sentence)
        }
        Err(fault) => {
            let sentence = html! { p { (visit.t(texts::BROKEN_HELP)) } p { code { (fault.to_string()) } } };
            notice(Tone::Critical, visit.t(texts::BROKEN), &sentence)
        }
    }
}

/// What the check could not see, where there is something.
fn not_checked(visit: &Visit, report: &ChainReport) -> Markup {
    let Unchecked { before_keys, without_key, lost_key, .. } = report.unchecked;
    let counted =
        [(texts::BEFORE_KEYS, before_keys), (texts::WITHOUT_KEY, without_key), (texts::LOST_KEY, lost_key)];
    let counted: Vec<_> = counted.into_iter().filter(|(_, count)| *count > 0).collect();
    html! {
        @if !report.anchored || !counted.is_empty() {
            p { (visit.t(texts::NOT_CHECKED)) ":" }
            ul {
                @if !report.anchored { li { (visit.t(texts::NO_HEAD)) } }
                @for (label, count) in &counted {
                    li { (visit.fill(*label, &[("count", count)])) }
                }
            }
        }
    }
}
