//! Which decisions of an institution need a second person, and how long a finding may be accepted.
//!
//! Acceptances of risks follow the risk appetite. Approvals and submissions always need a second person: the policy says
//! which.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    approval::ApprovalAction,
    identifier::UserId,
    moment::Day,
    violation::{Complaint, FieldComplaint, Violations},
    vocabulary::{Severity, vocabulary},
    wording::sentences,
};

/// The longest term an institution can choose, in days.
const LONGEST_DAYS: u32 = 3650;
/// How many people a rule can name.
const MOST_PEOPLE: usize = 50;

vocabulary! {
    /// Who decides.
    ApprovalNeed {
        /// The person who does it decides alone.
        None = "none" ("No approval", "Keine Freigabe"),
        SecondPerson = "second_person" ("A second person", "Eine zweite Person"),
        Manager = "manager" ("A manager", "Eine Führungskraft"),
        Named = "named" ("Named people", "Benannte Personen"),
    }
}

vocabulary! {
    /// What can be approved as such. Each has a rule of its own.
    ApprovedKind {
        Assessment = "assessment" ("Assessment", "Bewertung"),
        OwnFramework = "own_framework" ("Own framework", "Eigenes Rahmenwerk"),
        Evidence = "evidence" ("Evidence", "Nachweis"),
        Statement = "statement_of_applicability" ("Statement of applicability", "Erklärung zur Anwendbarkeit"),
        ManagementReview = "management_review" ("Management review", "Managementbewertung"),
    }
}

sentences! {
    /// Why a policy cannot be stored.
    ApprovalPolicyComplaint {
        NotSettable =
            "must name a decision about findings with its severity, approve with its kind, or another decision without either",
            "muss eine Entscheidung über Feststellungen mit ihrem Schweregrad nennen, approve mit seiner Art oder eine andere Entscheidung ohne beides";
        Always =
            "always needs a second person: choose who that is",
            "braucht immer eine zweite Person: bitte wählen, wer das ist";
        NoPeople = "must name at least one person", "muss mindestens eine Person nennen";
        StrayPeople = "only belong to a rule that needs named people", "gehören nur zu einer Regel mit benannten Personen";
        Days { most: u32 } = "must be 1 to {most} days", "müssen 1 bis {most} Tage sein";
        Unknown { id: String } = "names {id}, who has no account here", "nennt {id}, hat hier aber kein Konto";
    }
}

/// What one decision needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRule {
    pub need: ApprovalNeed,
    /// Of a rule that names people.
    pub people: Vec<UserId>,
}

impl ApprovalRule {
    pub const NONE: Self = Self { need: ApprovalNeed::None, people: Vec::new() };
    pub const MANAGER: Self = Self { need: ApprovalNeed::Manager, people: Vec::new() };

    pub fn is_needed(&self) -> bool {
        self.need != ApprovalNeed::None
    }

    fn of(need: ApprovalNeed) -> Self {
        Self { need, people: Vec::new() }
    }
}

/// Which decisions of one action a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    All,
    /// Those about findings of this severity.
    Severity(Severity),
    /// Those about records of this kind.
    Kind(ApprovedKind),
}

impl From<Option<Severity>> for Extent {
    fn from(severity: Option<Severity>) -> Self {
        severity.map_or(Self::All, Self::Severity)
    }
}

impl From<ApprovedKind> for Extent {
    fn from(kind: ApprovedKind) -> Self {
        Self::Kind(kind)
    }
}

impl Extent {
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Severity(severity) => Some(severity),
            Self::All | Self::Kind(_) => None,
        }
    }

    pub fn kind(self) -> Option<ApprovedKind> {
        match self {
            Self::Kind(kind) => Some(kind),
            Self::All | Self::Severity(_) => None,
        }
    }
}

/// A decision as the policy names it.
type Decision = (ApprovalAction, Extent);

/// The policy of one institution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalPolicy {
    /// Decisions with another rule than [`ApprovalPolicy::usual`].
    rules: BTreeMap<Decision, ApprovalRule>,
    /// Terms other than the usual, in days.
    longest: BTreeMap<Severity, u32>,
    /// Whether API keys have to ask as well. A key with `write` otherwise moves findings directly, as the contract of
    /// the API has it.
    pub binds_keys: bool,
    /// The severities whose findings are closed only after a passed retest; `None` for the usual.
    retest: Option<BTreeSet<Severity>>,
}

/// The actions on findings that the policy decides about.
const OF_FINDINGS: [ApprovalAction; 3] =
    [ApprovalAction::Accept, ApprovalAction::FalsePositive, ApprovalAction::Close];

/// The actions with one rule for all records.
const OF_ALL: [ApprovalAction; 5] = [
    ApprovalAction::NotApplicable,
    ApprovalAction::Classify,
    ApprovalAction::Send,
    ApprovalAction::Submit,
    ApprovalAction::Archive,
];

/// Every decision that the policy decides about, in display order.
pub fn decisions() -> impl Iterator<Item = (ApprovalAction, Extent)> {
    let by_severity = OF_FINDINGS
        .into_iter()
        .flat_map(|action| Severity::ALL.iter().map(move |severity| (action, Extent::Severity(*severity))));
    let approvals = ApprovedKind::ALL.iter().map(|kind| (ApprovalAction::Approve, Extent::Kind(*kind)));
    by_severity.chain(approvals).chain(OF_ALL.into_iter().map(|action| (action, Extent::All)))
}

/// Whether a decision is always left to a second person, whatever the policy says of who that is.
pub fn is_always_needed(action: ApprovalAction) -> bool {
    matches!(action, ApprovalAction::Approve | ApprovalAction::Submit)
}

impl ApprovalPolicy {
    /// The rule of an institution that has chosen none.
    pub fn usual(action: ApprovalAction, extent: impl Into<Extent>) -> ApprovalNeed {
        match (action, extent.into()) {
            (
                ApprovalAction::Accept | ApprovalAction::FalsePositive,
                Extent::Severity(Severity::Critical | Severity::High),
            )
            | (ApprovalAction::NotApplicable | ApprovalAction::Classify | ApprovalAction::Submit, _) => {
                ApprovalNeed::Manager
            }
            (ApprovalAction::Close, Extent::Severity(Severity::Critical))
            | (ApprovalAction::Approve, Extent::Kind(ApprovedKind::Evidence)) => ApprovalNeed::SecondPerson,
            (ApprovalAction::Approve, _) => ApprovalNeed::Manager,
            _ => ApprovalNeed::None,
        }
    }

    pub fn rule(&self, action: ApprovalAction, extent: impl Into<Extent>) -> ApprovalRule {
        let extent = extent.into();
        let chosen = self.rules.get(&(action, extent)).cloned();
        chosen.unwrap_or_else(|| ApprovalRule::of(Self::usual(action, extent)))
    }

    /// The longest term of an acceptance, in days.
    pub fn longest_days(&self, severity: Severity) -> u32 {
        let usual = match severity {
            Severity::Critical => 90,
            Severity::High => 180,
            Severity::Medium | Severity::Low | Severity::Info => 365,
        };
        self.longest.get(&severity).copied().unwrap_or(usual)
    }

    /// Whether findings of this severity are closed only after a passed retest. Usually critical ones are.
    pub fn closing_needs_retest(&self, severity: Severity) -> bool {
        let usual = severity == Severity::Critical;
        self.retest.as_ref().map_or(usual, |chosen| chosen.contains(&severity))
    }

    /// The last day on which an acceptance that begins today may end.
    pub fn latest(&self, severity: Severity, today: Day) -> Day {
        today.plus_days(i64::from(self.longest_days(severity)))
    }

    /// The policy as it is stored.
    pub fn stored(&self) -> StoredPolicy {
        let rule = |(action, extent): Decision| {
            let rule = self.rule(action, extent);
            StoredRule {
                action: action.as_str().to_owned(),
                severity: extent.severity().map(|severity| severity.as_str().to_owned()),
                kind: extent.kind().map(|kind| kind.as_str().to_owned()),
                needs: rule.need.as_str().to_owned(),
                people: rule.people.iter().map(ToString::to_string).collect(),
            }
        };
        let days = |severity: &Severity| (severity.as_str().to_owned(), self.longest_days(*severity));
        StoredPolicy {
            rules: decisions().map(rule).collect(),
            longest_acceptance_days: Severity::ALL.iter().map(days).collect(),
            binds_keys: self.binds_keys,
            retest_before_closing: Some(
                Severity::ALL
                    .iter()
                    .filter(|severity| self.closing_needs_retest(**severity))
                    .map(|severity| severity.as_str().to_owned())
                    .collect(),
            ),
        }
    }
}

/// A policy in words: as it is stored, sent and received. What is left out is as usual.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredPolicy {
    pub rules: Vec<StoredRule>,
    pub longest_acceptance_days: BTreeMap<String, u32>,
    pub binds_keys: bool,
    /// The severities whose findings are closed only after a passed retest.
    pub retest_before_closing: Option<Vec<String>>,
}

/// One rule in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredRule {
    pub action: String,
    pub severity: Option<String>,
    pub kind: Option<String>,
    pub needs: String,
    pub people: Vec<String>,
}

impl StoredPolicy {
    pub fn read(&self) -> Result<ApprovalPolicy, Violations> {
        let mut policy = ApprovalPolicy { binds_keys: self.binds_keys, ..ApprovalPolicy::default() };
        let mut violations = Violations::default();
        for rule in &self.rules {
            match rule.read() {
                Ok((decision, rule)) => {
                    policy.rules.insert(decision, rule);
                }
                Err(complaint) => violations.add("rules", complaint),
            }
        }
        for (severity, days) in &self.longest_acceptance_days {
            let complaint: Complaint = match (severity.parse::<Severity>(), *days) {
                (Ok(severity), days @ 1..=LONGEST_DAYS) => {
                    policy.longest.insert(severity, days);
                    continue;
                }
                (Err(unknown), _) => unknown.into(),
                (Ok(_), _) => ApprovalPolicyComplaint::Days { most: LONGEST_DAYS }.into(),
            };
            violations.add("longest_acceptance_days", complaint);
        }
        if let Some(named) = &self.retest_before_closing {
            let mut severities = BTreeSet::new();
            for word in named {
                severities.extend(violations.keep("retest_before_closing", word.parse::<Severity>()));
            }
            policy.retest = Some(severities);
        }
        if violations.is_empty() { Ok(policy) } else { Err(violations) }
    }
}

impl StoredRule {
    fn read(&self) -> Result<(Decision, ApprovalRule), Complaint> {
        let action: ApprovalAction = self.action.parse()?;
        let severity = self.severity.as_deref().map(str::parse::<Severity>).transpose()?;
        let kind = self.kind.as_deref().map(str::parse::<ApprovedKind>).transpose()?;
        let extent = match (severity, kind) {
            (severity, None) => severity.into(),
            (None, Some(kind)) => Extent::Kind(kind),
            (Some(_), Some(_)) => return Err(ApprovalPolicyComplaint::NotSettable.into()),
        };
        if !decisions().any(|decision| decision == (action, extent)) {
            return Err(ApprovalPolicyComplaint::NotSettable.into());
        }
        let need: ApprovalNeed = self.needs.parse()?;
        if need == ApprovalNeed::None && is_always_needed(action) {
            return Err(ApprovalPolicyComplaint::Always.into());
        }
        if self.people.len() > MOST_PEOPLE {
            let (most, found) = (MOST_PEOPLE, self.people.len());
            return Err(FieldComplaint::TooManyItems { most, found }.into());
        }
        let people: Vec<UserId> = self.people.iter().map(|id| id.parse()).collect::<Result<_, _>>()?;
        match (need, people.is_empty()) {
            (ApprovalNeed::Named, true) => Err(ApprovalPolicyComplaint::NoPeople.into()),
            (ApprovalNeed::Named, false) | (_, true) => Ok(((action, extent), ApprovalRule { need, people })),
            (_, false) => Err(ApprovalPolicyComplaint::StrayPeople.into()),
        }
    }
}

#[cfg(test)]
#[path = "approval_policy_tests.rs"]
mod tests;
