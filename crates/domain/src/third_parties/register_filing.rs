//! A filing of the register of information: a frozen package for submission, and its state.
//!
//! The package never changes. A refused filing is frozen again, as its next edition; earlier editions are kept.

mod correct;

use crate::{
    change::{Change, Fields},
    country::Country,
    field::fields,
    identifier::{Id, Identified},
    moment::{Day, Moment},
    register::filing::{Counts, Scope},
    text::Name,
    transition::lifecycle,
    violation::{FixedField, Violations},
    vocabulary::vocabulary,
    wording::sentences,
};

lifecycle! {
    /// The status of a filing.
    RegisterFilingStatus ("a filing", "eine Einreichung") starts at Drafted {
        Drafted = "drafted" ("Drafted", "Entwurf") => [
            Submitted ("Mark as submitted", "Als eingereicht kennzeichnen"),
        ],
        Submitted = "submitted" ("Submitted", "Eingereicht") => [
            Accepted ("Accepted by the authority", "Von der Behörde angenommen"),
            Refused ("Refused by the authority", "Von der Behörde abgewiesen"),
        ],
        Accepted = "accepted" ("Accepted", "Angenommen") => [],
        Refused = "refused" ("Refused", "Abgewiesen") => [
            Drafted ("Freeze again as a new edition", "Als neue Fassung einfrieren"),
        ],
    }
}

impl RegisterFilingStatus {
    /// Whether something is still to be sent, so that its due day counts.
    pub fn is_pending(self) -> bool {
        matches!(self, Self::Drafted | Self::Refused)
    }
}

sentences! {
    /// Why a filing cannot be changed.
    RegisterFilingComplaint {
        WouldBeRefused { problems: u64 } =
            "cannot be submitted: the package was frozen with {problems} problems for which it would be refused; correct the register and freeze it again",
            "lässt sich nicht melden: Das Paket wurde mit {problems} Fehlern eingefroren, wegen derer es abgewiesen würde; bitte das Register berichtigen und neu einfrieren";
        SameEyes =
            "cannot be set to submitted by the person who froze the package, nor with a key of theirs: another person must check it and do so",
            "kann nicht von der Person auf „Eingereicht“ gesetzt werden, die das Paket eingefroren hat, auch nicht mit ihrem Schlüssel: bitte eine andere Person prüfen lassen";
        WasSubmitted =
            "was submitted once and stays: only a draft that was never sent can be deleted",
            "wurde schon eingereicht und bleibt: Nur ein nie gesendeter Entwurf lässt sich löschen";
        NoFeedbackColumns =
            "must be a detailed-feedback.csv with at least the columns templateCode, rowNumber (or rowCode) and message",
            "muss eine detailed-feedback.csv mit mindestens den Spalten templateCode, rowNumber (oder rowCode) und message sein";
        TooManyLines { most: usize } =
            "must have at most {most} lines",
            "darf höchstens {most} Zeilen haben";
        NoFiling =
            "cannot be answered: there is no filing yet",
            "lässt sich nicht beantworten: Es gibt noch keine Einreichung";
        BeforeFrozen { at: Moment } =
            "must not be before the package was frozen ({at})",
            "darf nicht vor dem Einfrieren des Pakets ({at}) liegen";
        SameFiling =
            "must be another filing than the one it is compared with",
            "muss eine andere Einreichung sein als die, mit der verglichen wird";
    }
}

/// A frozen package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenPackage {
    /// Counted from 1; a refused filing gets the next.
    pub edition: u32,
    /// The name of the file.
    pub name: String,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The size of the file in bytes.
    pub size: u64,
    pub rows: u64,
    pub readiness_pct: u8,
    /// The results of the checks at that time.
    pub problems: Counts,
    pub at: Moment,
    /// The key or user that froze it.
    pub by: String,
}

/// The submission of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    pub at: Moment,
    pub by: String,
    /// The authority's reference.
    pub reference: Option<Name>,
}

/// The feedback of the authority on the current edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackRead {
    pub at: Moment,
    pub lines: u64,
    /// Lines that name a row of the package.
    pub placed: u64,
}

vocabulary! {
    /// The orders of a list of filings of the register: a field, with a minus sign for descending. The first is the default.
    RegisterFilingSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
    }
}

/// A filing without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterFiling {
    pub scope: Scope,
    pub reference_date: Day,
    /// The country of the authority.
    pub country: Country,
    pub status: RegisterFilingStatus,
    /// The responsible person.
    pub owner: Option<Name>,
    /// The last day to send it.
    pub due_on: Option<Day>,
    pub frozen: FrozenPackage,
    /// Editions that were refused, oldest first.
    pub earlier: Vec<FrozenPackage>,
    pub submission: Option<Submission>,
    pub feedback: Option<FeedbackRead>,
}

pub type RegisterFilingId = Id<RegisterFiling>;

impl Identified for RegisterFiling {
    const PREFIX: &'static str = "fil";
}

fields! {
    /// The fields of a filing of the register.
    RegisterFiling {}
}

impl RegisterFiling {
    /// The package of an edition; without one, the current.
    pub fn edition(&self, edition: Option<u32>) -> Option<&FrozenPackage> {
        let all = self.earlier.iter().chain([&self.frozen]);
        match edition {
            None => Some(&self.frozen),
            Some(wanted) => all.into_iter().find(|frozen| frozen.edition == wanted),
        }
    }
}

/// The parameters of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilingWish {
    pub scope: Scope,
    /// The last day of the year before by default.
    pub reference_date: Option<Day>,
    /// The country of the entity that maintains the register by default.
    pub country: Option<Country>,
}

/// A filing's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegisterFilingInput {
    pub scope: Change<String>,
    pub reference_date: Change<String>,
    pub country: Change<String>,
    pub status: Change<String>,
    pub owner: Change<String>,
    pub due_on: Change<String>,
    /// Why the status changes, for the history.
    pub note: Change<String>,
}

/// The user or key of the request, and the time.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    pub name: &'a str,
    pub now: Moment,
    /// Whether they stand for the person who froze the package.
    pub is_editor: bool,
}

/// The frozen package, and its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freezing {
    pub scope: Scope,
    pub reference_date: Day,
    pub country: Country,
    pub package: FrozenPackage,
}

impl RegisterFilingInput {
    /// The parameters of a new filing, after validating all its fields.
    pub fn wish(&self) -> Result<FilingWish, Violations> {
        let mut fields = Fields::default();
        let scope = fields.optional("scope", &self.scope, None, |text| text.parse::<Scope>());
        let reference_date =
            fields.optional("reference_date", &self.reference_date, None, |text| text.parse::<Day>());
        let country = fields.optional("country", &self.country, None, |text| text.parse::<Country>());
        self.read_rest(&mut fields, None);
        fields.status(&self.status, None::<RegisterFilingStatus>);
        let scope = scope.unwrap_or(Scope::Individual);
        fields.finish(Some(FilingWish { scope, reference_date, country }))
    }

    /// A draft with the frozen package.
    pub fn create(&self, freezing: &Freezing) -> Result<RegisterFiling, Violations> {
        let mut fields = Fields::default();
        let (owner, due_on) = self.read_rest(&mut fields, None);
        fields.finish(Some(RegisterFiling {
            scope: freezing.scope,
            reference_date: freezing.reference_date,
            country: freezing.country,
            status: RegisterFilingStatus::Drafted,
            owner,
            due_on,
            frozen: freezing.package.clone(),
            earlier: Vec::new(),
            submission: None,
            feedback: None,
        }))
    }

    /// Whether the change needs the register to be frozen again.
    pub fn freezes_again(&self, current: &RegisterFiling) -> bool {
        let asked =
            matches!(&self.status, Change::Set(word) if word == RegisterFilingStatus::Drafted.as_str());
        asked && current.status == RegisterFilingStatus::Refused
    }

    /// The filing after this change. A transition back to a draft needs a new package.
    pub fn change(
        &self,
        current: &RegisterFiling,
        asker: Asker<'_>,
        frozen: Option<&FrozenPackage>,
    ) -> Result<RegisterFiling, Violations> {
        let mut fields = Fields::default();
        let fixed = FixedField::FrozenPackage;
        let parse = |text: &String| text.parse::<Scope>();
        fields.fixed("scope", &self.scope, Some(current.scope), parse, fixed);
        let parse = |text: &String| text.parse::<Day>();
        fields.fixed("reference_date", &self.reference_date, Some(current.reference_date), parse, fixed);
        let parse = |text: &String| text.parse::<Country>();
        fields.fixed("country", &self.country, Some(current.country), parse, fixed);
        let (owner, due_on) = self.read_rest(&mut fields, Some(current));
        let status = fields.status(&self.status, Some(current.status));
        if status == Some(RegisterFilingStatus::Submitted)
            && current.status != RegisterFilingStatus::Submitted
        {
            refuse_submission(&mut fields, current, asker);
        }
        let status = fields.finish(status)?;
        let mut after = RegisterFiling { status, owner, due_on, ..current.clone() };
        match (current.status, status, frozen) {
            (RegisterFilingStatus::Drafted, RegisterFilingStatus::Submitted, _) => {
                after.submission =
                    Some(Submission { at: asker.now, by: asker.name.to_owned(), reference: None });
            }
            (RegisterFilingStatus::Refused, RegisterFilingStatus::Drafted, Some(package)) => {
                after.earlier.push(current.frozen.clone());
                after.frozen = FrozenPackage { edition: current.frozen.edition + 1, ..package.clone() };
                (after.submission, after.feedback) = (None, None);
            }
            _ => {}
        }
        Ok(after)
    }

    fn read_rest(
        &self,
        fields: &mut Fields,
        current: Option<&RegisterFiling>,
    ) -> (Option<Name>, Option<Day>) {
        fields.prose("note", &self.note, None);
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let due_on = fields
            .optional("due_on", &self.due_on, current.and_then(|c| c.due_on), |text| text.parse::<Day>());
        (owner, due_on)
    }
}

/// Four-eyes principle: another person than the one who froze the package submits it, and only if it would be accepted.
fn refuse_submission(fields: &mut Fields, current: &RegisterFiling, asker: Asker<'_>) {
    let problems = current.frozen.problems.refused;
    if problems > 0 {
        fields.refuse("status", RegisterFilingComplaint::WouldBeRefused { problems });
    }
    if asker.is_editor {
        fields.refuse("status", RegisterFilingComplaint::SameEyes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(refused: u64) -> RegisterFiling {
        let package = FrozenPackage {
            edition: 1,
            name: "x.zip".to_owned(),
            sha256: "ab".to_owned(),
            size: 3,
            rows: 2,
            readiness_pct: 100,
            problems: Counts { refused, ..Counts::default() },
            at: Moment::from_millis(1),
            by: "usr_a".to_owned(),
        };
        let freezing = Freezing {
            scope: Scope::Individual,
            reference_date: "2025-12-31".parse().unwrap(),
            country: "DE".parse().unwrap(),
            package,
        };
        RegisterFilingInput::default().create(&freezing).unwrap()
    }

    fn to(status: &str) -> RegisterFilingInput {
        RegisterFilingInput { status: Change::Set(status.to_owned()), ..RegisterFilingInput::default() }
    }

    fn by(name: &str) -> Asker<'_> {
        // `usr_a` froze the package.
        Asker { name, now: Moment::from_millis(7), is_editor: name == "usr_a" }
    }

    #[test]
    fn two_pairs_of_eyes_and_no_known_error_before_it_is_sent() {
        let filing = draft(0);
        let same = to("submitted").change(&filing, by("usr_a"), None).unwrap_err().to_string();
        assert!(same.contains("another person must check it"), "{same}");
        let refused = to("submitted").change(&draft(3), by("usr_b"), None).unwrap_err().to_string();
        assert!(refused.contains("3 problems"), "{refused}");
        let sent = to("submitted").change(&filing, by("usr_b"), None).unwrap();
        assert_eq!(
            sent.submission,
            Some(Submission { at: Moment::from_millis(7), by: "usr_b".to_owned(), reference: None })
        );
        assert!(to("drafted").change(&sent, by("usr_b"), None).is_err());
    }

    #[test]
    fn what_was_refused_is_frozen_again_and_what_was_sent_stays() {
        let sent = to("submitted").change(&draft(0), by("usr_b"), None).unwrap();
        let refused = to("refused").change(&sent, by("usr_a"), None).unwrap();
        assert!(to("drafted").freezes_again(&refused) && !to("drafted").freezes_again(&sent));
        let package = FrozenPackage { sha256: "cd".to_owned(), ..refused.frozen.clone() };
        let again = to("drafted").change(&refused, by("usr_a"), Some(&package)).unwrap();
        assert_eq!((again.frozen.edition, again.frozen.sha256.as_str()), (2, "cd"));
        assert_eq!(again.edition(Some(1)).unwrap().sha256, "ab");
        assert_eq!((again.edition(Some(3)), &again.submission), (None, &None));
    }

    #[test]
    fn what_was_frozen_for_one_day_cannot_become_another() {
        let input = RegisterFilingInput {
            reference_date: Change::Set("2024-12-31".to_owned()),
            country: Change::Set("DE".to_owned()),
            ..RegisterFilingInput::default()
        };
        let wrong = input.change(&draft(0), by("usr_a"), None).unwrap_err().to_string();
        assert_eq!(wrong, "reference_date cannot be changed; freeze a new filing");
    }
}
