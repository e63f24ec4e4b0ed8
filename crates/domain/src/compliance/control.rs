//! A control: what the institution does to meet a duty, how often, and how effective it is.
//!
//! The effectiveness of a control follows from the tests and findings that name its measure; [`Proof::effectiveness`]
//! is the rule, explained in `docs/controls.md`. A person may override it with a reason.

mod complaint;
mod correct;
mod input;

use std::fmt;

use crate::{
    calendar::months_after,
    field::fields,
    identifier::{Id, Identified},
    moment::Day,
    text::{Name, Prose},
    vocabulary::{Severity, vocabulary},
};

pub use self::{
    complaint::ControlComplaint,
    input::{ControlInput, ControlWorld, PerformedInput},
};

vocabulary! {
    /// The status of a control. Every transition is allowed, because controls are reactivated and plans are dropped.
    ControlStatus {
        Planned = "planned" ("Planned", "Geplant"),
        InProgress = "in_progress" ("In progress", "In Umsetzung"),
        Implemented = "implemented" ("Implemented", "Umgesetzt"),
        Retired = "retired" ("Retired", "Außer Kraft"),
    }
}

vocabulary! {
    /// The effectiveness of a control.
    Effectiveness {
        NotTested = "not_tested" ("Not tested", "Nicht geprüft"),
        Effective = "effective" ("Effective", "Wirksam"),
        PartlyEffective = "partly_effective" ("Partly effective", "Teilweise wirksam"),
        Ineffective = "ineffective" ("Ineffective", "Nicht wirksam"),
    }
}

vocabulary! {
    /// How often a control is performed.
    ControlCadence {
        None = "none" ("No fixed interval", "Kein fester Turnus"),
        Weekly = "weekly" ("Weekly", "Wöchentlich"),
        Monthly = "monthly" ("Monthly", "Monatlich"),
        Quarterly = "quarterly" ("Quarterly", "Vierteljährlich"),
        HalfYearly = "half_yearly" ("Half-yearly", "Halbjährlich"),
        Yearly = "yearly" ("Yearly", "Jährlich"),
    }
}

impl ControlCadence {
    /// The day on which a control performed on `day` is due again. A month later is the same day of the month, or the
    /// last day of a shorter one.
    #[must_use]
    pub fn next_after(self, day: Day) -> Option<Day> {
        match self {
            Self::None => None,
            Self::Weekly => Some(day.plus_days(7)),
            Self::Monthly => Some(months_after(day, 1)),
            Self::Quarterly => Some(months_after(day, 3)),
            Self::HalfYearly => Some(months_after(day, 6)),
            Self::Yearly => Some(months_after(day, 12)),
        }
    }
}

/// The results of tests and findings about a control.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Proof {
    /// Linked test cases whose latest result is passed, and those whose latest result is failed.
    pub passed: u64,
    pub failed: u64,
    /// The worst linked finding that is open.
    pub worst: Option<Severity>,
}

impl Proof {
    /// The rule: a critical finding, or failed tests and no passed one, make it ineffective; a failed test beside passed
    /// ones, or a high or medium finding, partly effective; passed tests alone effective. Low findings and hints change
    /// nothing.
    pub fn effectiveness(self) -> Effectiveness {
        let worst = self.worst.unwrap_or(Severity::Info);
        if worst == Severity::Critical || (self.failed > 0 && self.passed == 0) {
            Effectiveness::Ineffective
        } else if self.failed > 0 || worst <= Severity::Medium {
            Effectiveness::PartlyEffective
        } else if self.passed > 0 {
            Effectiveness::Effective
        } else {
            Effectiveness::NotTested
        }
    }
}

/// The number of a control, per tenant and without gaps: `C-0001`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ControlReference(u32);

impl ControlReference {
    pub fn new(number: i64) -> Option<Self> {
        u32::try_from(number).ok().filter(|number| *number > 0).map(Self)
    }

    pub fn number(self) -> i64 {
        i64::from(self.0)
    }
}

impl fmt::Display for ControlReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C-{:04}", self.0)
    }
}

impl serde::Serialize for ControlReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A person's override of the rule, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overrule {
    pub effectiveness: Effectiveness,
    pub reason: Prose,
}

vocabulary! {
    /// The orders of a list of controls: a field, with a minus sign for descending. The first is the default.
    ControlSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "next_due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-next_due_on" ("Due last first", "Zuletzt fällige zuerst"),
    }
}

/// The content of a control, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    pub reference: ControlReference,
    pub title: Name,
    pub description: Option<Prose>,
    /// The measure of the catalogue it implements.
    pub measure_id: Option<String>,
    /// Its own requirements, beside those of the measure.
    pub requirements: Vec<String>,
    pub status: ControlStatus,
    /// Computed from tests and findings.
    pub computed: Effectiveness,
    pub overrule: Option<Overrule>,
    pub owner: Option<Name>,
    pub cadence: ControlCadence,
    pub last_performed_on: Option<Day>,
    pub next_due_on: Option<Day>,
    /// Functions it protects, each once.
    pub functions: Vec<Name>,
}

pub type ControlId = Id<Control>;

impl Identified for Control {
    const PREFIX: &'static str = "ctl";
}

fields! {
    /// The fields of a control.
    Control {
        REFERENCE,
        TITLE,
        DESCRIPTION,
        MEASURE = "measure_id" ("Measure of the catalogue", "Maßnahme des Katalogs"),
        REQUIREMENTS = "requirements" ("Own requirements", "Eigene Anforderungen"),
        STATUS,
        EFFECTIVENESS = "effectiveness" ("Effectiveness", "Wirksamkeit"),
        EFFECTIVENESS_REASON = "effectiveness_reason" ("Why by hand", "Warum von Hand"),
        OWNER,
        CADENCE = "cadence" ("Interval", "Turnus"),
        LAST_PERFORMED_ON = "last_performed_on" ("Last performed on", "Zuletzt durchgeführt am"),
        NEXT_DUE_ON = "next_due_on" ("Due on", "Fällig am"),
        FUNCTIONS = "functions" ("Functions", "Funktionen"),
        EVIDENCE = "evidence" ("Evidence", "Nachweise"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
    }
}

impl Control {
    /// The effectiveness in force: the person's override, or the rule.
    pub fn effectiveness(&self) -> Effectiveness {
        self.overrule.as_ref().map_or(self.computed, |overrule| overrule.effectiveness)
    }
}

/// One performance of a control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Performance {
    pub on: Day,
    pub note: Option<Prose>,
    pub evidence: Vec<String>,
}

#[cfg(test)]
mod tests;
