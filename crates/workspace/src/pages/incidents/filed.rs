//! Recording that a report was sent: from then on it stays as it is, and everything that was sent can be read again.

use app::{
    Error,
    incident::{IncidentChange, IncidentView, ReportContent},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    incident::{FiledInput, Incident},
    right::{Resource, Right},
    text::Name,
};
use maud::{Markup, html};

use super::{
    address_of,
    report::{self, ReportPath},
};
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    pages::{approvals, record},
    respond::{self, Answer},
    route,
    texts::{correction, incident as texts},
    ui::{
        self,
        field::{self, Choice, Field},
    },
};

/// Everything that was sent, latest first, each as it was sent.
pub(super) fn list(visit: &Visit, incident: &IncidentView) -> Markup {
    let filings = incident.row.record.numbered_filings();
    if filings.is_empty() {
        return html! {};
    }
    let address = address_of(incident.row.id);
    let content = html! {
        ul.bullets {
            @for (number, filed) in filings.iter().rev() {
                li {
                    a href={ (address) "/reports/" (filed.regime) "/" (filed.stage) "?sent=" (number) } {
                        (visit.t(filed.regime.label())) ": " (visit.t(filed.stage.label_under(filed.regime)))
                    }
                    " " (visit.time(filed.at))
                    @if let Some(reference) = &filed.reference { " · " (reference.as_str()) }
                    @if let Some(reason) = &filed.already_provided {
                        " · " (visit.t(Incident::ALREADY_PROVIDED.label)) p.prose { (reason.as_str()) }
                    }
                }
            }
        }
    };
    ui::section(visit.t(Incident::FILED.label), &content)
}

/// The form that records the report as sent. Its button opens a confirmation that lists what is missing.
pub(super) fn section(
    visit: &Visit,
    place: ReportPath,
    (content, receipts): (&ReportContent, &[Choice]),
    form: &Form,
    validator: &str,
) -> Markup {
    let body = html! {
        p.hint { (visit.t(texts::STAMP_HELP)) }
        (record::overtaken(visit, form, &place.address()))
        form method="post" action={ (place.address()) "/submitted" } {
            (visit.form_token())
            (record::seen(validator))
            (Field::moment(visit, form, "at", texts::SENT_AT).hint(texts::LOG_AT_HINT).optional().render())
            (Field::text(visit, form, "reference", texts::AUTHORITY_REFERENCE).optional().at_most(Name::MAX).render())
            @if place.stage.may_be_provided(place.regime) {
                (field::area(visit, form, "already_provided", texts::ALREADY_PROVIDED,
                    Some(texts::ALREADY_PROVIDED_HINT)))
            }
            (receipt(visit, form, receipts))
            (confirmation(visit, content, form))
        }
    };
    ui::section(visit.t(texts::STAMP), &body)
}

fn receipt(visit: &Visit, form: &Form, receipts: &[Choice]) -> Markup {
    let none = Choice::new("", visit.t(correction::NOTHING));
    let choices: Vec<_> = std::iter::once(none).chain(receipts.iter().cloned()).collect();
    html! {
        @if !receipts.is_empty() {
            (field::select(visit, form, "receipt", correction::RECEIPT, &choices))
            p.hint { (visit.t(correction::RECEIPT_HINT)) }
        }
    }
}

/// The last step before a report is frozen: what is missing, and that it stays as it is from then on.
fn confirmation(visit: &Visit, content: &ReportContent, form: &Form) -> Markup {
    let missing: Vec<_> = content.missing().collect();
    html! {
        details.confirm #confirm open[!form.violations().is_empty()] {
            summary.button.primary { (visit.t(texts::STAMP)) }
            div.confirm-body {
                @if missing.is_empty() { p { (visit.t(texts::STAMP_COMPLETE)) } } @else {
                    p { strong { (visit.t(texts::STAMP_MISSING)) } }
                    ul.bullets { @for each in &missing { li { (each.field) " " (visit.t(each.name)) } } }
                    (field::switch(visit, form, "incomplete", texts::INCOMPLETE, None))
                }
                p { (visit.t(texts::STAMP_ASK)) }
                button.button.primary type="submit" { (visit.t(texts::STAMP_SURE)) }
            }
        }
    }
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path((id, regime, stage)): Path<(String, String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Incidents, Right::Decide)?;
    let place = ReportPath::read(&id, &regime, &stage)?;
    let at = match form.moment(&visit.zone, "at", None) {
        Change::Clear => Change::Keep,
        change => change,
    };
    let input = FiledInput {
        at,
        reference: form.filled_change("reference"),
        already_provided: form.filled_change("already_provided"),
        receipt: form.filled_change("receipt"),
        incomplete: if form.is_checked("incomplete") { Change::Set(true) } else { Change::Keep },
    };
    let precondition = record::precondition(&form);
    let saved = match form.finish(Some(input)) {
        Ok(input) => {
            let input = IncidentChange::Filed(place.regime, place.stage, input);
            let app = &workspace.app;
            app.records
                .change_record::<Incident>(visit.caller(), place.id, input, precondition)
                .await
                .map(|_| ())
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => respond::go_to(&route::done(&place.address(), "stamped")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, String::new());
            respond::overtaken(report::page(&workspace, &visit, place, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(report::page(&workspace, &visit, place, &form).await?)
        }
    }
}
