//! The management review on the page of reports: what the institution itself says in it, and its approval.

use std::collections::HashMap;

use domain::{
    approval::ApprovalAction,
    id::ApprovalId,
    period_report::{PeriodReportId, ReportKind, ReportPart},
    report_template::{OwnTextInput, ParagraphInput},
    wording::Language,
};
use maud::{Markup, html};

use super::template::signatories;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::approvals,
    route,
    texts::report as texts,
    ui::field,
};

/// The requests that wait for a decision, by the report they are about.
pub(super) type AskedFor = HashMap<String, ApprovalId>;

fn name_of(part: ReportPart) -> String {
    format!("stated.{}", part.as_str())
}

/// The texts of the institution, folded away until they are needed.
pub(super) fn fields(view: &View, form: &Form) -> Markup {
    let is_filled = ReportPart::stated().any(|part| !form.value(&name_of(part)).is_empty());
    let is_open = is_filled || form.value("kind") == ReportKind::ManagementReview.as_str();
    html! {
        details open[is_open] {
            summary { (view.t(texts::FOR_REVIEW)) }
            p.hint { (view.t(texts::FOR_REVIEW_HELP)) }
            @for part in ReportPart::stated() {
                (field::area(view, form, &name_of(part), part.label(), None))
            }
            (field::area(view, form, "signatories", texts::SIGNATORIES, Some(texts::SIGNATORIES_HINT)))
        }
    }
}

/// What was typed in, with headings in the language of the report.
pub(super) fn entered(form: &Form, language: Language) -> OwnTextInput {
    let paragraph = |part: ReportPart| {
        let title = if part == ReportPart::Resolutions { texts::RESOLVED } else { texts::STATED };
        let text = form.value(&name_of(part)).trim().replace("\r\n", "\n");
        let before = Some(part.as_str().to_owned());
        (!text.is_empty()).then(|| ParagraphInput { before, title: title.text(language).to_owned(), text })
    };
    OwnTextInput {
        paragraphs: ReportPart::stated().filter_map(paragraph).collect(),
        signatories: signatories(form),
    }
}

/// The requests for an approval of management reviews.
pub(super) async fn asked(workspace: &Workspace, visit: &Visit) -> Result<AskedFor, PageError> {
    let rows = workspace.app.period_report.reviews_asked(visit.caller()).await?;
    Ok(rows.into_iter().map(|row| (row.record.subject.to_string(), row.id)).collect())
}

/// The request that waits, or the way to ask for the approval of a review.
pub(super) fn approval(view: &View, asked: &AskedFor, id: PeriodReportId, decides: bool) -> Markup {
    let subject = id.to_string();
    html! {
        @if let Some(request) = asked.get(&subject) {
            a.button href={ (route::APPROVALS) "/" (request) } { (view.t(texts::APPROVAL_ASKED)) }
        } @else if decides {
            (approvals::ask_link(view, &subject, ApprovalAction::Approve))
        }
    }
}
