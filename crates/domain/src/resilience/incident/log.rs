//! The log of an incident: who was called, what was decided and done, each line with its time. Lines are added and
//! never changed; a later line corrects an earlier one.

use crate::{
    change::{Change, Fields, happened},
    moment::Moment,
    text::Prose,
    violation::Violations,
    vocabulary::vocabulary,
};

vocabulary! {
    /// The kind of a line of the log.
    LogKind {
        Note = "note" ("Note", "Notiz"),
        Decision = "decision" ("Decision", "Entscheidung"),
        Call = "call" ("Person called", "Person verständigt"),
        Measure = "measure" ("Measure taken", "Maßnahme ergriffen"),
        Authority = "authority" ("Contact with an authority", "Kontakt mit einer Behörde"),
    }
}

/// One line of the log without its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    pub kind: LogKind,
    /// When it happened, which may be before it was recorded.
    pub at: Moment,
    pub text: Prose,
}

/// A line as a caller sends it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogInput {
    /// A note by default.
    pub kind: Change<String>,
    /// Now by default.
    pub at: Change<String>,
    pub text: Change<String>,
}

impl LogInput {
    pub fn read(&self, now: Moment) -> Result<LogLine, Violations> {
        let mut fields = Fields::default();
        let kind = fields.required("kind", &self.kind, Some(LogKind::Note), |word| word.parse());
        let at = fields.required("at", &self.at, Some(now), |text| happened(text, now));
        let text = fields.required("text", &self.text, None, |text| Prose::parse(text));
        let line = || Some(LogLine { kind: kind?, at: at?, text: text? });
        fields.finish(line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    #[test]
    fn a_line_needs_a_text_only_and_nothing_of_the_future() {
        is_sound::<LogKind>();
        let now: Moment = "2026-11-14T01:10:00Z".parse().unwrap();
        let line = LogInput { text: set("Called the CISO"), ..LogInput::default() }.read(now).unwrap();
        assert_eq!((line.kind, line.at), (LogKind::Note, now));
        let wrong = LogInput { kind: set("gossip"), at: set("2026-11-14T02:10:00Z"), text: set(" ") };
        let wrong = wrong.read(now).unwrap_err();
        assert_eq!(wrong.fields().keys().collect::<Vec<_>>(), ["at", "kind", "text"]);
    }
}
