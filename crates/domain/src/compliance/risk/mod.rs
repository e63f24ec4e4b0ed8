//! A risk of the institution: what can happen, its level before and after treatment, and the decision about it.
//!
//! A level is always computed from likelihood and impact.

mod appetite;
mod input;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use crate::{
    field::fields,
    finding::FindingId,
    identifier::{Id, Identified},
    moment::Day,
    second_person::remember,
    text::{Name, Prose},
    transition::lifecycle,
    vocabulary::{Word, vocabulary},
    wording::{sentence, sentences},
};

pub use self::{
    appetite::Appetite,
    input::{AcceptanceInput, RatingInput, RiskInput, RiskRules},
};

vocabulary! {
    /// The level of a risk, highest first.
    RiskLevel {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
    }
}

vocabulary! {
    /// Where a risk comes from.
    RiskCategory {
        CyberAttack = "cyber-attack" ("Cyberattack", "Cyberangriff"),
        ThirdParty = "third-party" ("Third parties", "Drittparteien"),
        Availability = "availability" ("Availability", "Verfügbarkeit"),
        DataIntegrity = "data-integrity" ("Data integrity", "Datenintegrität"),
        Change = "change" ("Change", "Änderung"),
        People = "people" ("People", "Personal"),
        Physical = "physical" ("Physical", "Physisch"),
        Governance = "governance" ("Governance", "Governance"),
        Legacy = "legacy" ("Legacy", "Alttechnik"),
        Compliance = "compliance" ("Compliance", "Konformität"),
    }
}

vocabulary! {
    /// How an institution treats a risk.
    RiskTreatment {
        Undecided = "undecided" ("Undecided", "Noch offen"),
        Mitigate = "mitigate" ("Mitigate", "Vermindern"),
        Accept = "accept" ("Accept", "Akzeptieren"),
        Transfer = "transfer" ("Transfer", "Übertragen"),
        Avoid = "avoid" ("Avoid", "Vermeiden"),
    }
}

lifecycle! {
    /// The status of a risk.
    RiskStatus ("a risk", "ein Risiko") starts at Open {
        Open = "open" ("Open", "Offen") => [
            Treating ("Start treatment", "Behandlung beginnen"),
            Accepted ("Accept", "Akzeptieren"),
            Closed ("Close", "Schließen"),
        ],
        Treating = "treating" ("Being treated", "In Behandlung") => [
            Open ("Stop treatment", "Behandlung abbrechen"),
            Accepted ("Accept", "Akzeptieren"),
            Closed ("Close", "Schließen"),
        ],
        Accepted = "accepted" ("Accepted", "Akzeptiert") => [
            Open ("Reopen", "Wieder öffnen"),
            Treating ("Start treatment", "Behandlung beginnen"),
            Closed ("Close", "Schließen"),
        ],
        Closed = "closed" ("Closed", "Geschlossen") => [Open ("Reopen", "Wieder öffnen")],
    }
}

impl RiskStatus {
    /// Whether the risk still needs work: neither accepted nor closed.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Open | Self::Treating)
    }
}

/// A step of likelihood or impact: 1 to 5.
pub const STEPS: std::ops::RangeInclusive<u8> = 1..=5;

/// Likelihood and impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    likelihood: u8,
    impact: u8,
}

impl Rating {
    /// Both must be within the scale.
    pub fn new(likelihood: i64, impact: i64) -> Option<Self> {
        let step = |number: i64| u8::try_from(number).ok().filter(|step| STEPS.contains(step));
        Some(Self { likelihood: step(likelihood)?, impact: step(impact)? })
    }

    pub fn likelihood(self) -> u8 {
        self.likelihood
    }

    pub fn impact(self) -> u8 {
        self.impact
    }

    /// The level follows from the sum of both: up to 4 low, 5 and 6 medium, 7 high, from 8 on critical. The matrix of
    /// the catalogue says the same, which a test compares.
    pub fn level(self) -> RiskLevel {
        match self.likelihood + self.impact {
            ..=4 => RiskLevel::Low,
            5 | 6 => RiskLevel::Medium,
            7 => RiskLevel::High,
            8.. => RiskLevel::Critical,
        }
    }
}

/// Why a risk is accepted, until when, and who decided that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    pub reason: Prose,
    /// The last day of the acceptance.
    pub until: Day,
    pub proposed_by: String,
    /// `None` while it is only proposed.
    pub approved_by: Option<String>,
}

vocabulary! {
    /// The orders of a list of risks: a field, with a minus sign for descending. The first is the default.
    RiskSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Level = "level" ("Highest first", "Höchste zuerst"),
        LevelFalling = "-level" ("Lowest first", "Niedrigste zuerst"),
        Review = "review_on" ("Review first", "Zuerst zu prüfende"),
        ReviewFalling = "-review_on" ("Review last first", "Zuletzt zu prüfende zuerst"),
    }
}

/// The content of a risk, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    pub reference: RiskReference,
    /// The risk of the catalogue it was adopted from.
    pub adopted_from: Option<String>,
    pub title: Name,
    pub cause: Option<Prose>,
    pub event: Option<Prose>,
    pub effect: Option<Prose>,
    pub category: RiskCategory,
    pub owner: Option<Name>,
    pub functions: Vec<String>,
    pub controls: Vec<String>,
    pub findings: Vec<FindingId>,
    /// `None` until the institution rates a risk that it adopted.
    pub inherent: Option<Rating>,
    pub residual: Option<Rating>,
    pub target: Option<Rating>,
    pub treatment: RiskTreatment,
    /// Proposed while the risk is open or being treated, approved while it is accepted, none when it is closed.
    pub acceptance: Option<Acceptance>,
    pub status: RiskStatus,
    pub review_on: Option<Day>,
    /// Everyone who changed it since it was last accepted; none of them may be the second person.
    pub editors: Vec<String>,
}

pub type RiskId = Id<Risk>;

impl Identified for Risk {
    const PREFIX: &'static str = "rsk";
}

fields! {
    /// The fields of a risk.
    Risk {
        REFERENCE,
        TITLE,
        CATEGORY = "category" ("Category", "Kategorie"),
        STATUS,
        OWNER,
        CAUSE = "cause" ("Cause", "Ursache"),
        EVENT = "event" ("Event", "Ereignis"),
        EFFECT = "effect" ("Effect", "Auswirkung auf das Institut"),
        INHERENT = "inherent" ("Inherent", "Bruttorisiko"),
        INHERENT_LIKELIHOOD = "inherent.likelihood" ("Inherent likelihood", "Brutto: Eintrittswahrscheinlichkeit"),
        INHERENT_IMPACT = "inherent.impact" ("Inherent impact", "Brutto: Schadenshöhe"),
        INHERENT_LEVEL = "inherent.level" ("Inherent level", "Bruttorisikostufe"),
        RESIDUAL = "residual" ("Residual", "Restrisiko"),
        RESIDUAL_LIKELIHOOD = "residual.likelihood" ("Residual likelihood", "Rest: Eintrittswahrscheinlichkeit"),
        RESIDUAL_IMPACT = "residual.impact" ("Residual impact", "Rest: Schadenshöhe"),
        RESIDUAL_LEVEL = "residual.level" ("Residual level", "Restrisikostufe"),
        TARGET = "target" ("Target", "Zielrisiko"),
        TARGET_LIKELIHOOD = "target.likelihood" ("Target likelihood", "Ziel: Eintrittswahrscheinlichkeit"),
        TARGET_IMPACT = "target.impact" ("Target impact", "Ziel: Schadenshöhe"),
        TARGET_LEVEL = "target.level" ("Target level", "Zielrisikostufe"),
        LIKELIHOOD = "likelihood" ("Likelihood", "Eintrittswahrscheinlichkeit"),
        IMPACT = "impact" ("Impact", "Schadenshöhe"),
        LEVEL = "level" ("Level", "Stufe"),
        TREATMENT = "treatment" ("Treatment", "Behandlung"),
        ACCEPTANCE = "acceptance" ("Acceptance", "Risikoakzeptanz"),
        REASON = "reason" ("Reason", "Begründung"),
        UNTIL = "until" ("Last day", "Letzter Tag"),
        PROPOSED_BY = "proposed_by" ("Proposed by", "Vorgeschlagen von"),
        APPROVED_BY = "approved_by" ("Accepted by", "Akzeptiert von"),
        ACCEPTED_UNTIL = "accepted_until" ("Accepted until", "Akzeptiert bis"),
        EXCEEDS_APPETITE = "exceeds_appetite" ("Above the appetite, which ends at", "Über dem Risikoappetit, der endet bei"),
        FUNCTIONS = "functions" ("Functions", "Funktionen"),
        CONTROLS = "controls" ("Controls", "Kontrollen"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
        REVIEW_ON = "review_on" ("Review on", "Überprüfung am"),
        ADOPTED_FROM = "adopted_from" ("Adopted from the library", "Aus der Bibliothek übernommen"),
    }
}

impl Risk {
    /// This risk after a change by a person or key. An acceptance begins a new list of editors, and who owns a risk is
    /// no part of what is accepted.
    fn edited_by(mut self, before: Option<&Self>, by: &str) -> Self {
        let was_accepted = before.is_some_and(|before| before.status == RiskStatus::Accepted);
        if self.status == RiskStatus::Accepted && !was_accepted {
            self.editors.clear();
        } else if before.is_none_or(|before| Self { owner: before.owner.clone(), ..self.clone() } != *before)
        {
            remember(&mut self.editors, by);
        }
        self
    }

    /// The risk after its acceptance has expired, which happens the day after its last day.
    pub fn lapsed(&self, today: Day) -> Option<Self> {
        let over = self.acceptance.as_ref().is_some_and(|acceptance| acceptance.until < today);
        (over && self.status == RiskStatus::Accepted).then(|| Self {
            status: RiskStatus::Open,
            acceptance: None,
            ..self.clone()
        })
    }

    /// The last day of a valid acceptance.
    pub fn accepted_until(&self) -> Option<Day> {
        let held = self.acceptance.as_ref().filter(|_| self.status == RiskStatus::Accepted);
        held.map(|acceptance| acceptance.until)
    }
}

/// The number of a risk: `R-0001`, counted per tenant without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RiskReference(u32);

sentence! {
    /// The text is no reference of a risk.
    NotARiskReference =
        "must be a risk's reference like R-0042",
        "muss das Kennzeichen eines Risikos sein, etwa R-0042";
}

impl RiskReference {
    pub fn new(number: i64) -> Result<Self, NotARiskReference> {
        u32::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotARiskReference)
    }

    pub fn number(self) -> i64 {
        i64::from(self.0)
    }
}

impl fmt::Display for RiskReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R-{:04}", self.0)
    }
}

impl FromStr for RiskReference {
    type Err = NotARiskReference;

    fn from_str(text: &str) -> Result<Self, NotARiskReference> {
        let number = text.strip_prefix("R-").and_then(|digits| digits.parse().ok());
        let reference = Self::new(number.ok_or(NotARiskReference)?)?;
        // One number has one spelling.
        if reference.to_string() == text { Ok(reference) } else { Err(NotARiskReference) }
    }
}

impl serde::Serialize for RiskReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

sentences! {
    /// Why a risk cannot be stored.
    RiskComplaint {
        Step = "must be a whole number from 1 to 5", "muss eine ganze Zahl von 1 bis 5 sein";
        NotRated =
            "must be rated before the risk is accepted",
            "muss bewertet sein, bevor das Risiko akzeptiert wird";
        NoFunction =
            "must be the id of a function (fun_…)",
            "muss die Kennung einer Funktion sein (fun_…)";
        NoControl =
            "must be the id of a control (ctl_…)",
            "muss die Kennung einer Kontrolle sein (ctl_…)";
        NoFinding =
            "must be the id of one of your findings",
            "muss eine Ihrer Feststellungen sein";
        NothingToAdopt =
            "must name at least one risk of the library",
            "muss mindestens ein Risiko der Bibliothek nennen";
        NotInLibrary { id: String } =
            "names {id}, which is no risk of the library",
            "nennt {id}, das kein Risiko der Bibliothek ist";
        NoAcceptance =
            "is required to accept a risk: give the reason and the last day",
            "fehlt: Wer ein Risiko akzeptiert, gibt Begründung und letzten Tag an";
        ClosedAcceptance =
            "is only for a risk that is not closed",
            "ist nur möglich, solange das Risiko nicht geschlossen ist";
        SecondPerson { level: Word } =
            "needs a second person from level {level} on: save reason and last day first, then a person accepts who did not change the risk since its last acceptance",
            "braucht ab der Stufe „{level}“ eine zweite Person: bitte zuerst Begründung und letzten Tag speichern, dann akzeptiert eine Person, die das Risiko seit der letzten Akzeptanz nicht geändert hat";
        RatingWhileAccepted =
            "cannot rise to a graver level while the risk is accepted: reopen the risk first",
            "darf nicht auf eine höhere Stufe steigen, solange das Risiko akzeptiert ist: bitte das Risiko zuerst wieder öffnen";
        AcceptanceFixed =
            "cannot be changed while the risk is accepted: reopen the risk first",
            "lässt sich nicht ändern, solange das Risiko akzeptiert ist: bitte das Risiko zuerst wieder öffnen";
        Accepted =
            "is accepted: reopen or close it before deleting it",
            "ist akzeptiert: bitte vor dem Löschen wieder öffnen oder schließen";
    }
}
