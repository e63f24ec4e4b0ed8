//! An event hook: a system of the tenant that receives the events about records, signed as Standard Webhooks defines.

use std::fmt;

use serde_json::Value;

use crate::{
    record_event::{Occurrence, RecordVerb},
    text::Name,
    vocabulary::Severity,
    webhook::Destination,
    wording::sentences,
};

/// Stands for every kind, or for everything that can happen.
const ANY: &str = "*";

/// How long the secret before still signs after a new one was made.
pub const OVERLAP_MS: i64 = 24 * 60 * 60 * 1000;

sentences! {
    /// Why the events or the filter of an event hook are refused.
    EventHookComplaint {
        NoEvent { text: String } =
            "must name events such as finding.created, finding.*, *.deleted or report.submitted; {text} is none",
            "darf nur Ereignisse wie finding.created, finding.*, *.deleted oder report.submitted nennen; {text} ist keines";
        NoKind { text: String } =
            "must name kinds of records such as finding or risk; {text} is none",
            "darf nur Arten von Datensätzen wie finding oder risk nennen; {text} ist keine";
        TooMany { most: usize } =
            "must name at most {most}",
            "darf höchstens {most} nennen";
    }
}

/// The events that an event hook receives, such as `finding.created` and `risk.*`. None means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPatterns(Vec<String>);

impl EventPatterns {
    const MOST: usize = 100;

    /// `is_kind` says which kinds of records there are.
    pub fn new(
        mut patterns: Vec<String>,
        is_kind: impl Fn(&str) -> bool,
    ) -> Result<Self, EventHookComplaint> {
        patterns.sort_unstable();
        patterns.dedup();
        if patterns.len() > Self::MOST {
            return Err(EventHookComplaint::TooMany { most: Self::MOST });
        }
        let is_sound = |pattern: &String| {
            let (kind, verb) = parts(pattern);
            let of_records =
                (kind == ANY || is_kind(kind)) && (verb == ANY || verb.parse::<RecordVerb>().is_ok());
            of_records || Occurrence::ALL.iter().any(|occurrence| fits(pattern, occurrence.as_str()))
        };
        match patterns.iter().find(|pattern| !is_sound(pattern)) {
            Some(wrong) => Err(EventHookComplaint::NoEvent { text: wrong.chars().take(80).collect() }),
            None => Ok(Self(patterns)),
        }
    }

    /// As stored, comma-separated.
    #[must_use]
    pub fn stored(text: &str) -> Self {
        Self(list(text))
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether some event about records of this kind is among them.
    pub fn names_kind(&self, kind: &str) -> bool {
        let mut besides = Occurrence::ALL.iter().filter(|occurrence| occurrence.subjects().contains(&kind));
        self.0.is_empty()
            || self.iter().any(|pattern| [ANY, kind].contains(&parts(pattern).0))
            || besides.any(|occurrence| self.contains(occurrence.as_str()))
    }

    /// Whether events of this type, such as `finding.created`, are among them.
    pub fn contains(&self, event_type: &str) -> bool {
        self.0.is_empty() || self.iter().any(|pattern| fits(pattern, event_type))
    }
}

impl fmt::Display for EventPatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

/// The kind and what happened; a single `*` is both.
fn parts(pattern: &str) -> (&str, &str) {
    if pattern == ANY { (ANY, ANY) } else { pattern.split_once('.').unwrap_or((pattern, "")) }
}

/// Whether a pattern names this type of event.
fn fits(pattern: &str, event_type: &str) -> bool {
    let ((kind, verb), (of, what)) = (parts(pattern), parts(event_type));
    [ANY, of].contains(&kind) && [ANY, what].contains(&verb)
}

fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Which of the events are sent. What is empty limits nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// The kinds of records, such as `finding`.
    pub kinds: Vec<String>,
    pub severities: Vec<Severity>,
    pub owner: Option<Name>,
}

impl EventFilter {
    /// `is_kind` says which kinds of records there are.
    pub fn check_kinds(
        kinds: Vec<String>,
        is_kind: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, EventHookComplaint> {
        match kinds.iter().find(|kind| !is_kind(kind)) {
            Some(wrong) => Err(EventHookComplaint::NoKind { text: wrong.chars().take(80).collect() }),
            None => Ok(kinds),
        }
    }

    /// Kinds and severities as stored, comma-separated.
    #[must_use]
    pub fn stored(kinds: &str, severities: &str, owner: Option<Name>) -> Self {
        let severities = list(severities).iter().filter_map(|word| word.parse().ok()).collect();
        Self { kinds: list(kinds), severities, owner }
    }

    pub fn stored_kinds(&self) -> String {
        self.kinds.join(",")
    }

    pub fn stored_severities(&self) -> String {
        let words: Vec<_> = self.severities.iter().map(|severity| severity.as_str()).collect();
        words.join(",")
    }

    pub fn names_kind(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|own| own == kind)
    }

    /// Whether an event about a record with these contents is sent. One that had the severity or the owner before the
    /// write counts too, so that a receiver learns that a record left its selection.
    pub fn admits(&self, kind: &str, before: Option<&Value>, after: Option<&Value>) -> bool {
        let has = |field: &str, wanted: &dyn Fn(&str) -> bool| {
            [before, after].into_iter().flatten().any(|content| content[field].as_str().is_some_and(wanted))
        };
        let is_severe = |word: &str| self.severities.iter().any(|severity| severity.as_str() == word);
        let owns = |name: &str| self.owner.as_ref().is_none_or(|owner| owner.as_str() == name);
        self.names_kind(kind)
            && (self.severities.is_empty() || has("severity", &is_severe))
            && (self.owner.is_none() || has("owner", &owns))
    }
}

/// A new event hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHookDraft {
    pub name: Name,
    pub destination: Destination,
    pub events: EventPatterns,
    pub filter: EventFilter,
    pub active: bool,
}

/// A change of an event hook. What is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventHookPatch {
    pub name: Option<Name>,
    pub destination: Option<Destination>,
    pub events: Option<EventPatterns>,
    pub filter: Option<EventFilter>,
    pub active: Option<bool>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patterns(texts: &[&str]) -> Result<EventPatterns, EventHookComplaint> {
        let known = |kind: &str| ["finding", "risk"].contains(&kind);
        EventPatterns::new(texts.iter().map(ToString::to_string).collect(), known)
    }

    #[test]
    fn patterns_name_kinds_and_what_happens_to_them() {
        let some = patterns(&["risk.*", "*.deleted", "finding.created", "risk.*"]).unwrap();
        assert_eq!(some.to_string(), "*.deleted,finding.created,risk.*");
        assert_eq!(EventPatterns::stored(&some.to_string()), some);
        for (event_type, wanted) in [
            ("risk.changed", true),
            ("task.deleted", true),
            ("finding.created", true),
            ("finding.changed", false),
            ("task.created", false),
            ("report.submitted", false),
        ] {
            assert_eq!(some.contains(event_type), wanted, "{event_type}");
        }
        let all = patterns(&[]).unwrap();
        assert!(all.contains("task.archived") && all.names_kind("task") && all.contains("report.due"));
        assert!(patterns(&["*"]).unwrap().contains("task.archived"));
        assert!(!patterns(&["finding.*"]).unwrap().names_kind("risk"));
        for wrong in
            ["finding", "finding.", ".created", "finding.lost", "prose.created", "", "finding.created.x"]
        {
            assert!(patterns(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_name_what_happens_besides_writes() {
        let reports = patterns(&["report.*", "clock.approaching"]).unwrap();
        assert!(reports.contains("report.corrected") && reports.contains("clock.approaching"));
        assert!(!reports.contains("import.finished") && !reports.contains("incident.changed"));
        // Incidents are read for it, so a key needs the right to read them.
        assert!(reports.names_kind("incident") && reports.names_kind("register_filing"));
        assert!(!reports.names_kind("finding") && !reports.names_kind("analysis"));
        let finished = patterns(&["*.finished"]).unwrap();
        assert!(finished.contains("analysis.finished") && finished.contains("import.finished"));
        assert!(finished.names_kind("finding_import"));
        assert!(patterns(&["report.created"]).is_err() && patterns(&["clock.due"]).is_err());
    }

    #[test]
    fn a_record_that_leaves_the_selection_is_still_announced() {
        let ada = EventFilter { owner: Some(Name::parse("Ada").unwrap()), ..EventFilter::default() };
        let (hers, his) = (json!({ "owner": "Ada" }), json!({ "owner": "Ben" }));
        assert!(ada.admits("risk", Some(&hers), Some(&his)) && ada.admits("risk", None, Some(&hers)));
        assert!(!ada.admits("risk", Some(&his), Some(&his)) && !ada.admits("risk", None, Some(&json!({}))));
        let severe = EventFilter::stored("finding", "critical,high", None);
        assert_eq!(
            (severe.stored_kinds(), severe.stored_severities().as_str()),
            ("finding".into(), "critical,high")
        );
        assert!(severe.admits("finding", None, Some(&json!({ "severity": "high" }))));
        assert!(!severe.admits("risk", None, Some(&json!({ "severity": "high" }))));
        assert!(!severe.admits("finding", None, Some(&json!({ "severity": "low" }))));
    }
}
