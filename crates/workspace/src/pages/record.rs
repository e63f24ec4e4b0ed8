//! What the pages of programmes, test cases and findings share.

use app::{App, authz::Caller, pages::Precondition, programme::ProgrammeFilter};
use domain::{
    page::PageRequest,
    programme::ProgrammeStatus,
    test_case::TestCaseStatus,
    finding::FindingStatus,
    vocabulary::{Priority, Severity},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    form::Form,
    oops::Oops,
    texts::record as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
    },
    visit::{View, Visit},
};

/// What was done to a record, as its page says it.
pub(super) const DONE: [(&str, Label); 4] = [
    ("created", texts::WAS_CREATED),
    ("changed", texts::WAS_CHANGED),
    ("moved", texts::WAS_MOVED),
    ("deleted", texts::WAS_DELETED),
];

pub(super) fn programme_tone(status: ProgrammeStatus) -> Tone {
    match status {
        ProgrammeStatus::Planned => Tone::Notice,
        ProgrammeStatus::Active => Tone::Running,
        ProgrammeStatus::OnHold => Tone::Warning,
        ProgrammeStatus::Completed => Tone::Good,
        ProgrammeStatus::Archived => Tone::Muted,
    }
}

pub(super) fn test_case_tone(status: TestCaseStatus) -> Tone {
    match status {
        TestCaseStatus::Draft => Tone::Neutral,
        TestCaseStatus::Ready => Tone::Notice,
        TestCaseStatus::InProgress => Tone::Running,
        TestCaseStatus::Passed => Tone::Good,
        TestCaseStatus::Failed => Tone::Critical,
        TestCaseStatus::Blocked => Tone::Warning,
        TestCaseStatus::Cancelled => Tone::Muted,
    }
}

pub(super) fn finding_tone(status: FindingStatus) -> Tone {
    match status {
        FindingStatus::Open => Tone::Notice,
        FindingStatus::InProgress => Tone::Running,
        FindingStatus::Resolved => Tone::Good,
        FindingStatus::RiskAccepted => Tone::Warning,
        FindingStatus::Closed => Tone::Neutral,
        FindingStatus::FalsePositive => Tone::Muted,
    }
}

pub(super) fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Critical => Tone::Critical,
        Severity::High => Tone::Warning,
        Severity::Medium => Tone::Notice,
        Severity::Low => Tone::Neutral,
        Severity::Info => Tone::Muted,
    }
}

pub(super) fn severity_badge(view: &View, severity: Severity) -> Markup {
    badge(severity_tone(severity), view.t(severity.label()))
}

pub(super) fn priority_badge(view: &View, priority: Priority) -> Markup {
    let tone = match priority {
        Priority::Critical => Tone::Critical,
        Priority::High => Tone::Warning,
        Priority::Medium => Tone::Notice,
        Priority::Low => Tone::Neutral,
    };
    badge(tone, view.t(priority.label()))
}

/// A list without records: nothing there yet, or nothing that fits.
pub(super) fn nothing(view: &View, filtered: bool, empty: (Label, Label)) -> Markup {
    let (title, help) = if filtered { (texts::NOTHING, texts::NOTHING_HELP) } else { empty };
    ui::empty(view.t(title), view.t(help), None)
}

/// Running text under a heading, if there is any.
pub(super) fn passage(view: &View, label: Label, text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { h3 { (view.t(label)) } p.prose { (text) } } }
}

/// A list under a heading, if there is any.
pub(super) fn items<'t>(view: &View, label: Label, items: impl ExactSizeIterator<Item = &'t str>) -> Markup {
    html! {
        @if items.len() > 0 { h3 { (view.t(label)) } ol.numbered { @for item in items { li { (item) } } } }
    }
}

/// Where a form says which version of the record its author had seen.
pub(super) const SEEN: &str = "seen";

pub(super) fn seen(etag: &str) -> Markup {
    html! { input type="hidden" name=(SEEN) value=(etag); }
}

pub(super) fn precondition(form: &Form) -> Precondition {
    match form.value(SEEN) {
        "" => Precondition::None,
        tag => Precondition::Tags(vec![tag.to_owned()]),
    }
}

/// The tenant's programmes as choices, by name.
pub(super) async fn programme_choices(app: &App, caller: &Caller) -> Result<Vec<Choice>, Oops> {
    let filter = ProgrammeFilter { sort: Some(domain::sort::ProgrammeSort::Name), ..ProgrammeFilter::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = app.programmes(caller, &filter, all).await?;
    Ok(page
        .items
        .into_iter()
        .map(|programme| Choice::new(programme.row.id.to_string(), programme.row.programme.name.as_str()))
        .collect())
}

/// The question before a record is deleted.
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
