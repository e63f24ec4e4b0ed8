//! The next steps of an incident, most urgent first.

use app::incident::IncidentView;
use domain::{
    incident::{IncidentStatus, Outcome},
    vocabulary::Word,
    wording::{Reader, Shown},
};
use maud::{Markup, html};

use super::clock;
use crate::{extract::View, texts::incident as texts, ui};

/// The maximum number of facts named in a step.
const FACTS: usize = 4;

pub(super) fn section(view: &View, incident: &IncidentView) -> Markup {
    let steps = steps(view, incident);
    ui::section(
        view.t(texts::NEXT_ACTION),
        &html! {
            @if steps.is_empty() { p.quiet { (view.t(texts::DO_NOTHING)) } }
            ol.bullets {
                @for (place, (step, address)) in steps.iter().enumerate() {
                    li { @if place == 0 { strong { a href=(address) { (step) } } } @else { a href=(address) { (step) } } }
                }
            }
        },
    )
}

/// The steps, each with the address where it is done.
fn steps(view: &View, incident: &IncidentView) -> Vec<(String, String)> {
    let record = &incident.row.record;
    let mut steps = Vec::new();
    if record.status == IncidentStatus::NotAnIncident {
        return steps;
    }
    for report in incident.owed() {
        let (regime, stage) = (view.t(report.regime.label()), view.t(report.name()));
        let said = match report.due.moment() {
            Some(at) => {
                let time = view.moment(at);
                view.fill(texts::DO_SEND, &[("regime", &regime), ("stage", &stage), ("time", &time)])
            }
            None => view.fill(texts::DO_SEND_NOW, &[("regime", &regime), ("stage", &stage)]),
        };
        steps.push((said, clock::report_address(incident, report)));
    }
    let computed = incident.classification.outcome();
    let label = view.t(computed.label());
    match &record.decision {
        None if computed != Outcome::Undetermined => {
            steps.insert(0, (view.fill(texts::DO_CLASSIFY, &[("result", &label)]), "#classify".to_owned()));
        }
        Some(_) if incident.result() != computed && computed != Outcome::Undetermined => {
            let stored = view.t(incident.result().label());
            let said = view.fill(texts::DO_RECLASSIFY, &[("result", &label), ("stored", &stored)]);
            steps.push((said, "#classify".to_owned()));
        }
        _ => {}
    }
    let open = deciding(view, incident);
    if !open.is_empty() && record.status.is_open() {
        steps.push((view.fill(texts::DO_FACTS, &[("facts", &open)]), "#facts".to_owned()));
    }
    if record.status.is_over() && (record.root_cause.is_none() || record.lessons.is_none()) {
        let edit = format!("{}/edit", super::address_of(incident.row.id));
        steps.push((view.t(texts::DO_CAUSE).to_owned(), edit));
    }
    steps
}

/// The first facts that would decide the open criteria.
fn deciding(view: &View, incident: &IncidentView) -> String {
    let mut facts = Vec::new();
    for (_, reason) in incident.classification.reasons() {
        for fact in &reason.needs {
            if !facts.contains(fact) {
                facts.push(*fact);
            }
        }
    }
    let words = facts.iter().take(FACTS).map(|fact| Word::of(*fact).shown(Reader::Person(view.language)));
    words.collect::<Vec<_>>().join(", ")
}
