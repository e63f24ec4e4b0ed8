//! Parses a stored event into the content of a message.
//!
//! Events may be read long after they were stored, by another version: unknown parts are left out, and only an event
//! that does not name its record is refused.

use domain::{
    event::EventKind,
    id::EventId,
    moment::{Day, Moment},
    noun::NOUNS,
    time_zone::TimeZone,
    wording::Label,
};
use outbound::message::{Change, Deadline, Due, Notice, Record};
use serde_json::Value;

/// An event as stored in the outbox.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occurrence<'a> {
    pub(crate) id: EventId,
    pub(crate) kind: EventKind,
    pub(crate) occurred_at: Moment,
    pub(crate) payload: &'a str,
}

/// A defect in the code that stored the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnreadableEvent {
    #[error("the event is not JSON")]
    NotJson,
    #[error("the event names no record")]
    NoRecord,
}

/// What events are about besides records of a kind: the name in an event, the one page for all, and what it is called.
const OTHERS: [(&str, &str, Label); 2] = [
    ("timeline_item", "timeline", Label::new("Regulatory date", "Regulatorischer Termin")),
    (
        "analysis",
        "concentration-risk",
        Label::new("Concentration-risk review", "Überprüfung der Konzentrationsrisiken"),
    ),
];

/// What the event is about: its fields, its page in the workspace, and what it is called.
fn subject(data: &Value) -> Option<(&Value, String, Label)> {
    let named = |name: &str| data.get(name).filter(|record| record.is_object());
    let of_kind = NOUNS.iter().find_map(|noun| {
        let (record, label) = (named(noun.word)?, noun.due?);
        let list = noun.page();
        let page = text(&record["id"]).map_or_else(|| list.to_owned(), |id| format!("{list}/{id}"));
        Some((record, page, label))
    });
    let other =
        || OTHERS.iter().find_map(|(name, page, label)| Some((named(name)?, (*page).to_owned(), *label)));
    of_kind.or_else(other)
}

pub(crate) fn notice(
    event: Occurrence<'_>,
    (tenant, time_zone): (&str, &TimeZone),
    public_url: &str,
) -> Result<Notice, UnreadableEvent> {
    let data: Value = serde_json::from_str(event.payload).map_err(|_| UnreadableEvent::NotJson)?;
    let (record, page, called) = subject(&data).ok_or(UnreadableEvent::NoRecord)?;
    Ok(Notice {
        event: event.id,
        kind: event.kind,
        occurred_at: event.occurred_at,
        tenant: tenant.to_owned(),
        time_zone: time_zone.clone(),
        severity: text(&record["severity"]).or_else(|| text(&record["priority"])),
        owner: ["person", "owner", "assignee"].iter().find_map(|name| text(&record[*name])),
        rule_book: rule_book(&data, record),
        change: change(event.kind, &data, record),
        deadline: deadline(event.kind, &data, record),
        record: Record {
            called,
            reference: text(&record["reference"]),
            title: text(&record["title"]).or_else(|| text(&record["name"])).unwrap_or_default(),
            url: format!("{public_url}/workspace/{page}"),
        },
        test: false,
    })
}

/// The page with the list of records that events of this kind are about.
pub(crate) fn list_url(kind: EventKind, public_url: &str) -> String {
    match kind {
        EventKind::FindingCreated | EventKind::FindingStatusChanged => {
            format!("{public_url}/workspace/findings")
        }
        EventKind::TestCaseStatusChanged => format!("{public_url}/workspace/test-cases"),
        EventKind::DeadlineApproaching => format!("{public_url}/workspace"),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn change(kind: EventKind, data: &Value, record: &Value) -> Option<Change> {
    if kind == EventKind::DeadlineApproaching {
        return None;
    }
    text(&record["status"]).map(|to| Change { from: text(&data["previous_status"]), to })
}

/// The approaching deadline, or the due day of the record.
fn deadline(kind: EventKind, data: &Value, record: &Value) -> Option<Deadline> {
    if kind != EventKind::DeadlineApproaching {
        let due = Due::Day(day(&record["due_on"])?);
        return Some(Deadline { due, stage: None });
    }
    let near = &data["deadline"];
    let due_at = near["due_at"].as_str().and_then(|text| text.parse().ok()).map(Due::Moment);
    let due = due_at.or_else(|| day(&near["due_on"]).map(Due::Day))?;
    Some(Deadline { due, stage: text(&near["stage"]) })
}

/// The rule book that sets the deadline, or that the record belongs to.
fn rule_book(data: &Value, record: &Value) -> Option<String> {
    text(&data["deadline"]["regime"]).or_else(|| text(&record["framework"]))
}

fn day(value: &Value) -> Option<Day> {
    value.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;
    use serde_json::json;

    use super::*;

    fn read(kind: EventKind, data: &Value) -> Result<Notice, UnreadableEvent> {
        let id = EventId::from(Uuid7::from_parts(1, 2));
        let event = Occurrence { id, kind, occurred_at: Moment::from_millis(5), payload: &data.to_string() };
        notice(event, ("North Bank", &TimeZone::default()), "https://tidewall.bank.example")
    }

    #[test]
    fn a_changed_finding_says_what_changed_and_where_to_look() {
        let finding = json!({ "id": "fnd_1", "reference": "F-2026-0042", "title": "Backups are not tested",
                              "severity": "high", "status": "resolved", "due_on": "2026-12-01" });
        let data = json!({ "finding": finding, "previous_status": "in_progress" });
        let notice = read(EventKind::FindingStatusChanged, &data).unwrap();
        assert_eq!(notice.record.url, "https://tidewall.bank.example/workspace/findings/fnd_1");
        assert_eq!(notice.record.reference.as_deref(), Some("F-2026-0042"));
        assert_eq!(notice.severity.as_deref(), Some("high"));
        let change = notice.change.unwrap();
        assert_eq!((change.from.as_deref(), change.to.as_str()), (Some("in_progress"), "resolved"));
        let due = Due::Day("2026-12-01".parse().unwrap());
        assert_eq!(notice.deadline, Some(Deadline { due, stage: None }));
    }

    #[test]
    fn a_near_deadline_says_how_near_and_of_what() {
        let report =
            json!({ "id": "cra_1", "title": "Gateway", "severity": "critical", "owner": "Dana Weber" });
        let near = json!({ "due_at": "2026-11-15T09:00:00Z", "lead": "12h", "stage": "early_warning", "regime": "cra" });
        let notice =
            read(EventKind::DeadlineApproaching, &json!({ "cra_report": report, "deadline": near })).unwrap();
        let deadline = notice.deadline.unwrap();
        assert_eq!(deadline.due, Due::Moment("2026-11-15T09:00:00Z".parse().unwrap()));
        assert_eq!(deadline.stage.as_deref(), Some("early_warning"));
        assert_eq!((notice.owner.as_deref(), notice.rule_book.as_deref()), (Some("Dana Weber"), Some("cra")));
        assert_eq!(notice.change, None);
        let item = json!({ "id": "dora-2027", "title": "Reporting", "framework": "dora" });
        let near = json!({ "due_on": "2027-01-17", "lead": "7d" });
        let notice =
            read(EventKind::DeadlineApproaching, &json!({ "timeline_item": item, "deadline": near }))
                .unwrap();
        assert_eq!(notice.record.url, "https://tidewall.bank.example/workspace/timeline");
        assert_eq!(notice.deadline.unwrap().due, Due::Day("2027-01-17".parse().unwrap()));
        assert_eq!(notice.rule_book.as_deref(), Some("dora"));
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_what_names_nothing_refused() {
        let odd = json!({ "finding": { "title": 7, "due_on": "soon" }, "deadline": { "lead": "x" } });
        let notice = read(EventKind::DeadlineApproaching, &odd).unwrap();
        assert_eq!((notice.record.title.as_str(), notice.deadline), ("", None));
        assert_eq!(read(EventKind::FindingCreated, &json!({})), Err(UnreadableEvent::NoRecord));
        assert_eq!(read(EventKind::FindingCreated, &json!("x")), Err(UnreadableEvent::NoRecord));
    }
}
