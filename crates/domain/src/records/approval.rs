//! Approvals: one record for every decision that needs a second person. It is asked for with a reason, pinned to the
//! version of its subject, and carried out when it is granted.

use std::collections::BTreeMap;

use crate::{
    change::{Change, Fields},
    field::fields,
    identifier::{Id, Identified, UserId},
    moment::{Day, Moment},
    text::{Name, Prose},
    transition::lifecycle,
    violation::{FieldComplaint, Violations},
    vocabulary::{Word, vocabulary},
    wording::sentences,
};

/// How many people one request can name.
const MOST_APPROVERS: usize = 20;
/// How many details one request can have.
const MOST_DETAILS: usize = 10;

vocabulary! {
    /// What an approval allows.
    ApprovalAction {
        /// Living with a finding or a risk until a day.
        Accept = "accept" ("Accept", "Akzeptieren"),
        Close = "close" ("Close", "Schließen"),
        FalsePositive = "false_positive" ("Mark as false positive", "Als falsch positiv werten"),
        Approve = "approve" ("Approve", "Freigeben"),
        /// Leaving a requirement out.
        NotApplicable = "not_applicable" ("Set as not applicable", "Als nicht anwendbar werten"),
        /// Classifying an incident away from the computed result.
        Classify = "classify" ("Classify", "Klassifizieren"),
        /// Recording a report to an authority as sent.
        Send = "send" ("Record as sent", "Als gesendet erfassen"),
        Submit = "submit" ("Submit", "Einreichen"),
        Archive = "archive" ("Archive", "Archivieren"),
    }
}

lifecycle! {
    /// The states of an approval.
    ApprovalState ("an approval", "eine Freigabe") starts at Asked {
        Asked = "asked" ("Waiting", "Wartet") => [
            Granted ("Grant", "Erteilen"),
            Refused ("Refuse", "Ablehnen"),
            Withdrawn ("Withdraw", "Zurückziehen"),
            Lapsed ("Lapse", "Verfallen"),
        ],
        Granted = "granted" ("Granted", "Erteilt") => [],
        Refused = "refused" ("Refused", "Abgelehnt") => [],
        Withdrawn = "withdrawn" ("Withdrawn", "Zurückgezogen") => [],
        Lapsed = "lapsed" ("Lapsed", "Verfallen") => [],
    }
}

sentences! {
    /// Why an approval cannot be asked for or decided.
    ApprovalComplaint {
        NoSuchRecord =
            "must be the id of one of your records",
            "muss die Kennung eines Ihrer Datensätze sein";
        NotOfThisKind { actions: String } =
            "is no decision about this kind of record; these are: {actions}",
            "ist keine Entscheidung über diese Art von Datensatz; möglich sind: {actions}";
        Required =
            "needs the approval of a second person: ask for it on the page of the record",
            "braucht die Freigabe einer zweiten Person: bitte auf der Seite des Datensatzes anfragen";
        NeedsNone =
            "needs no approval here: do it directly",
            "braucht hier keine Freigabe: bitte direkt ausführen";
        Details { names: String } =
            "must say with what the decision is carried out; its names are: {names}",
            "müssen sagen, womit die Entscheidung ausgeführt wird; ihre Namen sind: {names}";
        NoDetails =
            "do not belong to this decision",
            "gehören nicht zu dieser Entscheidung";
        AlreadyApproved =
            "is approved already in this version",
            "ist in dieser Version schon freigegeben";
        NotDecided { open: usize } =
            "cannot be approved yet, because of lines that are not decided: {open}",
            "lässt sich noch nicht freigeben wegen Zeilen, die nicht entschieden sind: {open}";
        AskedAlready =
            "is asked for already: wait for the decision, or withdraw the request first",
            "ist schon angefragt: bitte die Entscheidung abwarten oder die Anfrage zuerst zurückziehen";
        NoUntil =
            "is required: an acceptance ends on a day",
            "fehlt: Eine Akzeptanz endet an einem Tag";
        StrayUntil =
            "only belongs to an acceptance",
            "gehört nur zu einer Akzeptanz";
        TooLong { latest: Day } =
            "must be {latest} or earlier: the policy allows no longer acceptance",
            "darf höchstens {latest} sein: Länger lässt die Richtlinie keine Akzeptanz zu";
        CannotDecide { name: String } =
            "names {name}, who may not decide this: leave the field out, or name people the policy allows",
            "nennt {name}, darf hier aber nicht entscheiden: bitte das Feld weglassen oder Personen nennen, die die Richtlinie zulässt";
        NotAsked { state: Word } =
            "is {state} already, which is final: ask anew",
            "ist schon entschieden ({state}): bitte neu anfragen";
        OwnRequest =
            "cannot be decided by the person who asked for it, nor with a key of theirs: another person decides",
            "lässt sich nicht von der Person entscheiden, die angefragt hat, auch nicht mit ihrem Schlüssel: Eine andere Person entscheidet";
        Editor =
            "cannot be decided by a person who changed the record since its last decision: another person decides",
            "lässt sich nicht von einer Person entscheiden, die den Datensatz seit der letzten Entscheidung geändert hat: Eine andere Person entscheidet";
        Owner =
            "cannot be decided by the owner of the record: another person decides",
            "lässt sich nicht von der verantwortlichen Person des Datensatzes entscheiden: Eine andere Person entscheidet";
        NotInPolicy =
            "is left to other people by the policy of the institution: see who can decide",
            "überlässt die Richtlinie des Instituts anderen Personen: siehe, wer entscheiden kann";
        NotYours =
            "can only be withdrawn by the person who asked for it",
            "lässt sich nur von der Person zurückziehen, die angefragt hat";
        Changed =
            "has lapsed, because the record changed since it was asked for: read it, and ask anew",
            "ist verfallen, weil sich der Datensatz seit der Anfrage geändert hat: bitte lesen und neu anfragen";
    }
}

/// What a decision is carried out with, by name.
pub type ApprovalDetails = BTreeMap<String, String>;

/// The content of an approval, without its id. It is asked for when it is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The id of the record.
    pub subject: Name,
    /// The noun of its kind.
    pub kind: String,
    /// What it was called when the approval was asked for.
    pub title: Name,
    pub subject_version: i64,
    pub action: ApprovalAction,
    pub state: ApprovalState,
    /// The id of a person or a key.
    pub asked_by: String,
    pub reason: Prose,
    /// The last day of an acceptance.
    pub until: Option<Day>,
    /// What it is carried out with, such as the result of a classification.
    pub details: ApprovalDetails,
    /// Whether a second person decided on the page of the record, so that no one asked and gave a reason.
    pub is_direct: bool,
    /// The people who were asked. Others whom the policy allows may decide as well.
    pub approvers: Vec<UserId>,
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    /// What the person who decided said.
    pub note: Option<Prose>,
    /// The fields whose change made it lapse.
    pub changed: Vec<String>,
}

pub type ApprovalId = Id<Approval>;

impl Identified for Approval {
    const PREFIX: &'static str = "apr";
}

fields! {
    /// The fields of an approval.
    Approval {}
}

impl Approval {
    /// The same after a decision; `by` is empty when it lapses.
    pub fn decided(
        &self,
        state: ApprovalState,
        by: Option<String>,
        note: Option<Prose>,
        now: Moment,
    ) -> Result<Self, ApprovalComplaint> {
        if self.state != ApprovalState::Asked {
            return Err(ApprovalComplaint::NotAsked { state: Word::of(self.state) });
        }
        Ok(Self { state, decided_by: by, decided_at: Some(now), note, ..self.clone() })
    }

    /// The same after its subject changed.
    pub fn lapsed(&self, changed: Vec<String>, now: Moment) -> Result<Self, ApprovalComplaint> {
        let lapsed = self.decided(ApprovalState::Lapsed, None, None, now)?;
        Ok(Self { changed, ..lapsed })
    }
}

/// A request as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalInput {
    pub subject: Change<String>,
    pub action: Change<String>,
    pub reason: Change<String>,
    pub until: Change<String>,
    pub details: Change<ApprovalDetails>,
    pub approvers: Change<Vec<String>>,
}

/// A request whose fields are valid by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalWish {
    pub subject: Name,
    pub action: ApprovalAction,
    pub reason: Prose,
    pub until: Option<Day>,
    pub details: ApprovalDetails,
    pub approvers: Vec<UserId>,
}

impl ApprovalInput {
    pub fn read(&self, today: Day) -> Result<ApprovalWish, Violations> {
        let mut fields = Fields::default();
        let subject = fields.required("subject", &self.subject, None, |text| Name::parse(text));
        let action: Option<ApprovalAction> =
            fields.required("action", &self.action, None, |text| text.parse());
        let reason = fields.required("reason", &self.reason, None, |text| Prose::parse(text));
        let until = fields.optional("until", &self.until, None, |text| text.parse());
        let details = self.read_details(&mut fields);
        let approvers = self.read_approvers(&mut fields);
        match (action, until) {
            (Some(ApprovalAction::Accept), None) if !matches!(self.until, Change::Set(_)) => {
                fields.refuse("until", ApprovalComplaint::NoUntil);
            }
            (Some(ApprovalAction::Accept), Some(until)) if until <= today => {
                fields.refuse("until", FieldComplaint::NotALaterDay);
            }
            (Some(action), Some(_)) if action != ApprovalAction::Accept => {
                fields.refuse("until", ApprovalComplaint::StrayUntil);
            }
            _ => {}
        }
        let build = || {
            let (subject, action, reason) = (subject?, action?, reason?);
            Some(ApprovalWish { subject, action, reason, until, details, approvers })
        };
        let wish = build();
        fields.finish(wish)
    }

    /// What the details mean is known to the kind of the record.
    fn read_details(&self, fields: &mut Fields) -> ApprovalDetails {
        let Change::Set(details) = &self.details else { return ApprovalDetails::new() };
        if details.len() > MOST_DETAILS {
            let (most, found) = (MOST_DETAILS, details.len());
            fields.refuse("details", FieldComplaint::TooManyItems { most, found });
            return ApprovalDetails::new();
        }
        for text in details.values().filter(|text| !text.is_empty()) {
            if let Err(complaint) = Prose::parse(text) {
                fields.refuse("details", complaint);
            }
        }
        details.clone()
    }

    fn read_approvers(&self, fields: &mut Fields) -> Vec<UserId> {
        let Change::Set(texts) = &self.approvers else { return Vec::new() };
        if texts.len() > MOST_APPROVERS {
            let (most, found) = (MOST_APPROVERS, texts.len());
            fields.refuse("approvers", FieldComplaint::TooManyItems { most, found });
            return Vec::new();
        }
        let mut people = Vec::with_capacity(texts.len());
        for text in texts {
            match text.parse::<UserId>() {
                Ok(person) if !people.contains(&person) => people.push(person),
                Ok(_) => {}
                Err(error) => fields.refuse("approvers", error),
            }
        }
        people
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{transition::tests::is_sound, vocabulary::tests::is_sound as words_are_sound};

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    fn today() -> Day {
        "2026-11-18".parse().unwrap()
    }

    fn accept() -> ApprovalInput {
        ApprovalInput {
            subject: set("fnd_1"),
            action: set("accept"),
            reason: set("The vendor ends support in March"),
            until: set("2027-01-31"),
            details: Change::Keep,
            approvers: Change::Keep,
        }
    }

    #[test]
    fn words_and_states_are_sound() {
        words_are_sound::<ApprovalAction>();
        is_sound::<ApprovalState>();
    }

    #[test]
    fn an_acceptance_has_an_end_and_other_decisions_have_none() {
        assert!(accept().read(today()).is_ok());
        let endless = ApprovalInput { until: Change::Keep, ..accept() };
        assert_eq!(
            endless.read(today()).unwrap_err().to_string(),
            "until is required: an acceptance ends on a day"
        );
        let past = ApprovalInput { until: set("2026-11-18"), ..accept() };
        assert!(past.read(today()).unwrap_err().to_string().starts_with("until must be"));
        let close = ApprovalInput { action: set("close"), ..accept() };
        assert_eq!(close.read(today()).unwrap_err().to_string(), "until only belongs to an acceptance");
    }

    #[test]
    fn every_field_is_judged_at_once() {
        let empty = ApprovalInput::default().read(today()).unwrap_err();
        assert_eq!(
            empty.fields().keys().map(String::as_str).collect::<Vec<_>>(),
            ["action", "reason", "subject"]
        );
        let many = ApprovalInput { approvers: Change::Set(vec!["usr_1".to_owned(); 21]), ..accept() };
        assert!(many.read(today()).unwrap_err().fields().contains_key("approvers"));
        let details = (0..11).map(|number| (number.to_string(), "x".to_owned())).collect();
        let many = ApprovalInput { details: Change::Set(details), ..accept() };
        assert!(many.read(today()).unwrap_err().fields().contains_key("details"));
    }

    #[test]
    fn a_decision_is_made_once() {
        let asked = Approval {
            subject: Name::parse("fnd_1").unwrap(),
            kind: "finding".to_owned(),
            title: Name::parse("F-2026-0001").unwrap(),
            subject_version: 1,
            action: ApprovalAction::Close,
            state: ApprovalState::Asked,
            asked_by: "usr_1".to_owned(),
            reason: Prose::parse("Done").unwrap(),
            until: None,
            details: ApprovalDetails::new(),
            is_direct: false,
            approvers: Vec::new(),
            decided_by: None,
            decided_at: None,
            note: None,
            changed: Vec::new(),
        };
        let now = today().start();
        let granted = asked.decided(ApprovalState::Granted, Some("usr_2".to_owned()), None, now).unwrap();
        for state in [ApprovalState::Granted, ApprovalState::Refused, ApprovalState::Withdrawn] {
            assert!(granted.decided(state, Some("usr_3".to_owned()), None, now).is_err(), "{state}");
        }
        assert!(granted.lapsed(vec!["title".to_owned()], now).is_err());
        assert_eq!(asked.lapsed(vec!["title".to_owned()], now).unwrap().changed, ["title"]);
    }
}
