//! The classification with a reason for every criterion, and the form that stores it.

use app::{
    Error,
    audit::Who,
    incident::{IncidentChange, IncidentView},
    record_change::RecordChange,
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    incident::{ClassifyInput, Decision, Incident, Met, Outcome, Reason, Regime},
    right::{Resource, Right},
    wording::Sentence as _,
};
use maud::{Markup, html};

use super::{address_of, detail, incident_id, outcome_badge};
use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{approvals, record},
    respond::{self, Answer},
    route,
    texts::incident as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        history,
        table::{Column, table},
    },
};

pub(super) fn met_badge(view: &View, met: Met) -> Markup {
    let tone = match met {
        Met::Yes => Tone::Critical,
        Met::No => Tone::Neutral,
        Met::Unknown => Tone::Warning,
    };
    badge(tone, view.t(met.label()))
}

/// Who stored a classification, out of those who changed the incident.
fn who<'c>(changes: &'c [RecordChange], decision: &Decision) -> Option<&'c Who> {
    changes.iter().find(|change| change.actor == decision.by).map(|change| &change.who)
}

/// The stored result, what the facts give, and why; then the results before.
pub(super) fn section(view: &View, incident: &IncidentView, changes: &[RecordChange]) -> Markup {
    let (record, computed) = (&incident.row.record, incident.classification.outcome());
    ui::section(
        view.t(Incident::CLASSIFICATION.label),
        &html! {
            dl.facts {
                dt { (view.t(texts::STORED)) }
                dd {
                    @match &record.decision {
                        Some(decision) => { (decided(view, decision, who(changes, decision))) }
                        None => { span.quiet { (view.t(texts::NOT_STORED)) } }
                    }
                }
                dt { (view.t(Incident::COMPUTED.label)) } dd { (outcome_badge(view, computed)) }
            }
            @for regime in Regime::ALL {
                @let reasons: Vec<_> = incident.classification.reasons().into_iter()
                    .filter(|(of, _)| of == regime).map(|(_, reason)| reason).collect();
                @if !reasons.is_empty() {
                    h3 { (view.t(regime.label())) " " (met_badge(view, incident.classification.notifiable(*regime))) }
                    (folded_reasons(view, &reasons))
                    @if *regime == Regime::Dora { p.hint { (view.t(texts::READINGS)) } }
                }
            }
            @if !record.earlier_decisions.is_empty() {
                h3 { (view.t(texts::EARLIER)) }
                ol.history {
                    @for decision in record.earlier_decisions.iter().rev() {
                        li { (decided(view, decision, who(changes, decision))) }
                    }
                }
            }
        },
    )
}

fn decided(view: &View, decision: &Decision, by: Option<&Who>) -> Markup {
    html! {
        (outcome_badge(view, decision.result)) " " (view.time(decision.at))
        p.hint { (view.t(Incident::CLASSIFIED_BY.label)) ": " (history::author(view, by)) }
        @if let Some(reason) = &decision.reason {
            p.hint { (view.t(texts::WHY_OTHER)) ":" } p.prose { (reason.as_str()) }
        }
    }
}

/// The criteria that are met, and all others folded behind their numbers: what is unknown does not push down what decides.
fn folded_reasons(view: &View, reasons: &[&Reason]) -> Markup {
    let of = |met: Met| reasons.iter().filter(|reason| reason.met == met).count();
    let (yes, no, unknown) = (of(Met::Yes), of(Met::No), of(Met::Unknown));
    let counts = view.fill(texts::CRITERIA_COUNTS, &[("yes", &yes), ("no", &no), ("unknown", &unknown)]);
    let (met, others): (Vec<&Reason>, Vec<&Reason>) =
        reasons.iter().copied().partition(|reason| reason.met == Met::Yes);
    html! {
        p { (counts) }
        @if !met.is_empty() { (reasons_table(view, &met)) }
        @if !others.is_empty() {
            details { summary { (view.t(texts::OTHER_CRITERIA)) " (" (others.len()) ")" } (reasons_table(view, &others)) }
        }
    }
}

pub(super) fn reasons_table(view: &View, reasons: &[&Reason]) -> Markup {
    let columns = [
        Column::text(view.t(texts::CRITERION)),
        Column::text(view.t(texts::FOUND)),
        Column::text(view.t(texts::THRESHOLD)),
        Column::tight(view.t(texts::MET)),
    ];
    let row = |reason: &&Reason| {
        vec![
            html! {
                (view.t(reason.criterion.label())) br;
                span.hint.cite { (view.citation(reason.article)) }
            },
            html! {
                (reason.value.text(view.language))
                @if let Some(open) = reason.open() { br; span.hint { (open.text(view.language)) } }
            },
            html! { (reason.threshold.text(view.language)) },
            met_badge(view, reason.met),
        ]
    };
    let rows: Vec<_> = reasons.iter().map(row).collect();
    table(view.t(Incident::CLASSIFICATION.label), &columns, &rows)
}

/// The form that stores a classification, for users with that right.
pub(super) fn form(visit: &Visit, incident: &IncidentView, validator: &str, form: &Form) -> Markup {
    let computed = visit.t(incident.classification.outcome().label());
    let as_computed = visit.fill(texts::AS_COMPUTED, &[("result", &computed)]);
    let mut choices = vec![Choice::new("", as_computed)];
    choices.extend(Outcome::ALL.iter().map(|word| Choice::new(word.as_str(), visit.t(word.label()))));
    let body = html! {
        form method="post" action={ (address_of(incident.row.id)) "/classify" } {
            (visit.form_token())
            (record::seen(validator))
            (field::select(visit, form, "result", Incident::RESULT.label, &choices))
            (field::area(visit, form, "reason", Incident::REASON.label, Some(texts::CLASSIFY_REASON_HINT)))
            (Field::moment(visit, form, "at", Incident::CLASSIFIED_AT.label).hint(texts::CLASSIFY_AT_HINT).optional().render())
            div.form-end { button.button.primary type="submit" { (visit.t(texts::CLASSIFY)) } }
        }
    };
    html! { div #classify { (ui::section(visit.t(texts::CLASSIFY), &body)) } }
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, incident_id(&id)?);
    visit.caller().require_right(Resource::Incidents, Right::Decide)?;
    let keep = |change: Change<String>| match change {
        Change::Clear => Change::Keep,
        change => change,
    };
    let input = ClassifyInput {
        at: keep(form.moment(&visit.zone, "at", None)),
        result: form.filled_change("result"),
        reason: form.filled_change("reason"),
    };
    let precondition = record::precondition(&form);
    let saved = match form.finish(Some(input)) {
        Ok(input) => {
            let input = IncidentChange::Classify(input);
            workspace
                .app
                .records
                .change_record::<Incident>(visit.caller(), id, input, precondition)
                .await
                .map(|_| ())
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "classified")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, String::new());
            respond::overtaken(detail::page(&workspace, &visit, id, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
