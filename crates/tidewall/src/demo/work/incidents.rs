//! Two incidents: one closed long ago with all its reports, one in progress.

use app::incident::IncidentChange;
use domain::{
    change::Change,
    incident::{ClassifyInput, FiledInput, IncidentInput, Regime, due::Stage as Report, log::LogInput},
    moment::Moment,
};
use serde_json::{Map, Value, json};

use super::{Calendar, Event, Events, HOUR_MS, set};

const CLOSED: usize = 0;
const RUNNING: usize = 1;

pub(super) fn write(calendar: Calendar, events: &mut Events) {
    closed(calendar, events);
    running(calendar, events);
}

/// Card payments failed four months ago; classified and reported in time, with lessons learnt.
fn closed(calendar: Calendar, events: &mut Events) {
    let aware_at = calendar.now.plus_millis(-130 * 24 * HOUR_MS);
    let after = |hours: i64| aware_at.plus_millis(hours * HOUR_MS);
    let start = IncidentInput {
        title: set("Card payments refused after a certificate expired"),
        description: set("The payment gateway refused every card payment of the Demo Bank from 02:05 on."),
        owner: set("Jonas Keller"),
        detected_at: set(aware_at),
        functions: Change::Set(vec!["Card payments".to_owned()]),
        facts: facts(json!({ "critical_services": true, "clients_total": 48_000 })),
        ..IncidentInput::default()
    };
    open(CLOSED, aware_at, start, events);
    log(CLOSED, after(1), "call", "Called the head of payments and the gateway's provider", events);
    let known = json!({ "clients_affected": 9_400, "downtime_minutes": 190, "member_states": ["DE", "AT"] });
    change(CLOSED, after(1), IncidentInput { facts: facts(known), ..IncidentInput::default() }, events);
    act(CLOSED, after(2), IncidentChange::Classify(ClassifyInput::default()), events);
    log(CLOSED, after(2), "decision", "Major: more than a tenth of the clients cannot pay", events);
    filed(CLOSED, after(4), Report::Initial, "BA-2026-0417/1", events);
    let over = IncidentInput {
        status: set("resolved"),
        recovered_at: set(after(3)),
        resolved_at: set(after(5)),
        measures_taken: set("The certificate was renewed and the gateway restarted."),
        ..IncidentInput::default()
    };
    change(CLOSED, after(6), over, events);
    filed(CLOSED, after(50), Report::Intermediate, "BA-2026-0417/2", events);
    let learnt = IncidentInput {
        root_cause: set("Expired certificate"),
        lessons: set(
            "Certificates are now renewed by a job, and their last day is watched by the monitoring.",
        ),
        facts: facts(json!({ "costs": { "staff": 1_250_000, "redress": 640_000 } })),
        ..IncidentInput::default()
    };
    change(CLOSED, after(15 * 24), learnt, events);
    filed(CLOSED, after(20 * 24), Report::Final, "BA-2026-0417/3", events);
    let close = IncidentInput { status: set("closed"), ..IncidentInput::default() };
    change(CLOSED, after(24 * 24), close, events);
}

/// Detected two hours ago; some facts are known, nothing is decided.
fn running(calendar: Calendar, events: &mut Events) {
    let aware_at = calendar.now.plus_millis(-2 * HOUR_MS);
    let start = IncidentInput {
        title: set("Customer portal answers slowly and logs people out"),
        description: set("Monitoring reports timeouts of the portal; the cause is not known yet."),
        owner: set("Miriam Vogt"),
        detected_at: set(aware_at),
        functions: Change::Set(vec!["Online banking".to_owned()]),
        facts: facts(json!({ "critical_services": true, "clients_total": 48_000 })),
        ..IncidentInput::default()
    };
    open(RUNNING, aware_at, start, events);
    let soon = aware_at.plus_millis(HOUR_MS);
    log(RUNNING, soon, "call", "Called the provider of the portal: they see a failed node", events);
    let known = json!({ "clients_affected": 3_100, "downtime_minutes": 45 });
    change(RUNNING, soon, IncidentInput { facts: facts(known), ..IncidentInput::default() }, events);
}

fn facts(facts: Value) -> Change<Map<String, Value>> {
    match facts {
        Value::Object(facts) => Change::Set(facts),
        _ => Change::Keep,
    }
}

fn open(number: usize, at: Moment, input: IncidentInput, events: &mut Events) {
    let create: Event = Box::new(move |seed, made| {
        made.incidents.put(number, seed.create_incident(&input)?);
        Ok(())
    });
    events.push((at, create));
}

fn change(number: usize, at: Moment, input: IncidentInput, events: &mut Events) {
    act(number, at, input.into(), events);
}

fn filed(number: usize, at: Moment, report: Report, reference: &str, events: &mut Events) {
    let input =
        FiledInput { reference: set(reference), incomplete: Change::Set(true), ..FiledInput::default() };
    act(number, at, IncidentChange::Filed(Regime::Dora, report, input), events);
}

fn act(number: usize, at: Moment, change: IncidentChange, events: &mut Events) {
    let step: Event = Box::new(move |seed, made| seed.change_incident(made.incidents.get(number)?, &change));
    events.push((at, step));
}

fn log(number: usize, at: Moment, kind: &str, text: &str, events: &mut Events) {
    let input = LogInput { kind: set(kind), text: set(text), ..LogInput::default() };
    let step: Event = Box::new(move |seed, made| seed.log_incident(made.incidents.get(number)?, &input));
    events.push((at, step));
}
