//! Shared by the pages of records.

pub(crate) mod archive;
pub(crate) mod bulk;
pub(crate) mod bulk_field;
pub(crate) mod cell;
pub(crate) mod correction;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod form_page;
pub(crate) mod import;
pub(crate) mod list;

use app::{
    App, archive::Removal, authz::Caller, pages::Precondition, programme::ProgrammeFilter,
    records::RecordKind,
};
use domain::{
    archive::Archived,
    assessment::AssessmentStatus,
    control::{ControlStatus, Effectiveness},
    finding::FindingStatus,
    id::{ProgrammeId, TestCaseId},
    moment::Moment,
    page::PageRequest,
    programme::{Programme, ProgrammeStatus},
    right::Right,
    test_case::{TestCase, TestCaseStatus},
    vocabulary::{Priority, Severity, Vocabulary},
    wording::Label,
};
use maud::{Markup, html};

use super::{programmes, test_cases};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    texts::{error, record as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter::{self, Filter},
        notice::notice,
    },
};

/// The messages of a record's page after a change.
pub(super) const DONE: [(&str, Label); 7] = [
    ("created", texts::WAS_CREATED),
    ("changed", texts::WAS_CHANGED),
    ("moved", texts::WAS_MOVED),
    ("deleted", texts::WAS_DELETED),
    ("archived", texts::WAS_ARCHIVED),
    ("restored", texts::WAS_RESTORED),
    ("corrected", crate::texts::correction::WAS_CORRECTED),
];

/// Marks a record that still has texts of the library.
pub(super) fn library_badge(view: &View, library_texts: &[&str]) -> Markup {
    html! { @if !library_texts.is_empty() { (badge(Tone::Muted, view.t(texts::FROM_LIBRARY))) } }
}

pub(super) fn programme_tone(status: ProgrammeStatus) -> Tone {
    status.tone()
}

pub(super) fn test_case_tone(status: TestCaseStatus) -> Tone {
    status.tone()
}

pub(super) fn finding_tone(status: FindingStatus) -> Tone {
    status.tone()
}

pub(super) fn control_tone(status: ControlStatus) -> Tone {
    match status {
        ControlStatus::Planned => Tone::Notice,
        ControlStatus::InProgress => Tone::Running,
        ControlStatus::Implemented => Tone::Good,
        ControlStatus::Retired => Tone::Muted,
    }
}

pub(super) fn effectiveness_tone(effectiveness: Effectiveness) -> Tone {
    match effectiveness {
        Effectiveness::NotTested => Tone::Neutral,
        Effectiveness::Effective => Tone::Good,
        Effectiveness::PartlyEffective => Tone::Warning,
        Effectiveness::Ineffective => Tone::Critical,
    }
}

pub(super) fn assessment_tone(status: AssessmentStatus) -> Tone {
    match status {
        AssessmentStatus::NotAssessed => Tone::Neutral,
        AssessmentStatus::NotMet => Tone::Critical,
        AssessmentStatus::PartlyMet => Tone::Warning,
        AssessmentStatus::Met => Tone::Good,
        AssessmentStatus::NotApplicable => Tone::Muted,
    }
}

/// A status of the history, by its word.
pub(super) fn status_badge<S: Vocabulary>(view: &View, word: &str, tone: fn(S) -> Tone) -> Markup {
    html! { @if let Some(status) = S::find(word) { (badge(tone(status), view.t(status.label()))) } }
}

pub(super) fn finding_badge(view: &View, word: &str) -> Markup {
    status_badge(view, word, finding_tone)
}

pub(super) fn test_case_badge(view: &View, word: &str) -> Markup {
    status_badge(view, word, test_case_tone)
}

pub(super) fn programme_badge(view: &View, word: &str) -> Markup {
    status_badge(view, word, programme_tone)
}

pub(super) fn severity_tone(severity: Severity) -> Tone {
    severity.tone()
}

pub(super) fn severity_badge(view: &View, severity: Severity) -> Markup {
    badge(severity_tone(severity), view.t(severity.label()))
}

pub(super) fn priority_badge(view: &View, priority: Priority) -> Markup {
    badge(priority.tone(), view.t(priority.label()))
}

/// A list without records: empty, or without matches.
pub(super) fn nothing(view: &View, filtered: bool, empty: (Label, Label)) -> Markup {
    let (title, help) = if filtered { (texts::NOTHING, texts::NOTHING_HELP) } else { empty };
    ui::empty(view.t(title), view.t(help), None)
}

/// Running text under a heading, if there is any.
pub(super) fn passage(view: &View, label: Label, text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { h2.part { (view.t(label)) } p.prose { (text) } } }
}

/// A list under a heading, if there is any.
pub(super) fn items<'t>(view: &View, label: Label, items: impl ExactSizeIterator<Item = &'t str>) -> Markup {
    html! {
        @if items.len() > 0 { h2.part { (view.t(label)) } ol.numbered { @for item in items { li { (item) } } } }
    }
}

/// The field with the version of the record that the author of the form had seen.
pub(super) const SEEN: &str = "seen";

pub(super) fn seen(validator: &str) -> Markup {
    html! { input type="hidden" name=(SEEN) value=(validator); }
}

pub(super) fn precondition(form: &Form) -> Precondition {
    match form.value(SEEN) {
        "" => Precondition::None,
        validator => Precondition::Validators(vec![validator.to_owned()]),
    }
}

/// Shown above a form whose record another user changed meanwhile.
pub(super) fn overtaken(view: &View, form: &Form, address: &str) -> Markup {
    if !form.is_overtaken() {
        return html! {};
    }
    let sentence = html! {
        p { (view.t(texts::OVERTAKEN_HELP)) }
        p { a href=(address) target="_blank" { (view.t(texts::AS_IT_IS)) } }
    };
    notice(Tone::Warning, view.t(error::STALE), &sentence)
}

/// A link to the programme by its name.
pub(super) async fn programme_link(app: &App, caller: &Caller, id: ProgrammeId) -> Result<Markup, PageError> {
    let (detail, _) = app.records.record::<Programme>(caller, id).await?;
    Ok(html! { a href=(programmes::address_of(id)) { (detail.record.row.record.name.as_str()) } })
}

/// A link to the test case by its title.
pub(super) async fn test_case_link(app: &App, caller: &Caller, id: TestCaseId) -> Result<Markup, PageError> {
    let (detail, _) = app.records.record::<TestCase>(caller, id).await?;
    Ok(html! { a href=(test_cases::address_of(id)) { (detail.record.row.record.title.as_str()) } })
}

/// The tenant's programmes as choices, by name.
pub(super) async fn programme_choices(app: &App, caller: &Caller) -> Result<Vec<Choice>, PageError> {
    let filter =
        ProgrammeFilter { sort: Some(domain::programme::ProgrammeSort::Name), ..ProgrammeFilter::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = app.records.records::<Programme>(caller, &filter, all).await?;
    Ok(page
        .items
        .into_iter()
        .map(|programme| Choice::new(programme.row.id.to_string(), programme.row.record.name.as_str()))
        .collect())
}

/// The same for a form, with none of them first.
pub(super) async fn programmes_or_none<K: form::RecordForm>(
    ask: &field::Ask<'_, K>,
) -> Result<Vec<Choice>, PageError> {
    let none = Choice::new("", ask.visit.t(texts::NO_PROGRAMME));
    let known = programme_choices(&ask.workspace.app, ask.visit.caller()).await?;
    Ok(std::iter::once(none).chain(known).collect())
}

/// How a record can be removed: deleted while nothing happened to it, archived afterwards.
pub(super) fn removal(visit: &Visit, address: &str, name: &str, removal: Removal) -> Markup {
    let hinted = |label, button: Markup| html! { p.hint { (visit.t(label)) } (button) };
    match removal {
        Removal::Delete => deletion(visit, address, name),
        Removal::Archive => {
            let confirm = ui::Confirm {
                action: &format!("{address}/archive"),
                opener: texts::ARCHIVE,
                about: name,
                question: visit.t(texts::ARCHIVE_HELP).to_owned(),
                sure: texts::ARCHIVE_SURE,
            };
            confirm.render(visit)
        }
        Removal::FinishFirst => hinted(texts::ARCHIVE_LATER, html! {}),
        // The notice above the record offers it.
        Removal::Restore => html! {},
    }
}

/// Deletes a record, or says why it is kept.
pub(super) async fn deletable<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
    id: K::Id,
    (address, name): (&str, &str),
) -> Result<Markup, PageError> {
    if !visit.may(K::RESOURCE, Right::Decide) {
        return Ok(html! {});
    }
    if workspace.app.records.is_kept::<K>(visit.caller(), id).await? {
        return Ok(html! { p.hint { (visit.t(texts::KEPT_HELP)) } });
    }
    Ok(deletion(visit, address, name))
}

/// The notice above an archived record.
pub(super) fn archived(visit: &Visit, address: &str, at: Option<Moment>, may_write: bool) -> Markup {
    archived_as(visit, address, at, may_write, texts::ARCHIVED_HELP)
}

/// The same with a sentence of its own.
pub(super) fn archived_as(
    visit: &Visit,
    address: &str,
    at: Option<Moment>,
    may_write: bool,
    help: Label,
) -> Markup {
    let Some(at) = at else { return html! {} };
    let when = visit.moment(at);
    let content = html! {
        p { (visit.fill(help, &[("when", &when)])) }
        @if may_write { (ui::post_button(visit, &format!("{address}/restore"), visit.t(texts::RESTORE))) }
    };
    notice(Tone::Muted, visit.t(texts::ARCHIVED), &content)
}

/// The filter of active and archived records.
pub(super) fn archive_filter(view: &View) -> Filter {
    let choices = [Archived::Only, Archived::All];
    let choices = choices.map(|choice| Choice::new(choice.as_str(), view.t(choice.label())));
    filter::choice_or(view, "archived", texts::ARCHIVE_FILTER, Archived::Without.label(), &choices)
}

pub(super) fn archive_of(view: &View) -> Archived {
    view.query("archived").and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// The confirmation before a record is deleted.
pub(super) fn deletion(visit: &Visit, address: &str, name: &str) -> Markup {
    let action = format!("{address}/delete");
    let confirm = ui::Confirm {
        action: &action,
        opener: crate::texts::common::DELETE,
        about: name,
        question: format!(
            "{} {}",
            visit.fill(texts::DELETE_ASK, &[("name", &name)]),
            visit.t(crate::texts::common::CANNOT_UNDO)
        ),
        sure: texts::DELETE_SURE,
    };
    confirm.render(visit)
}
