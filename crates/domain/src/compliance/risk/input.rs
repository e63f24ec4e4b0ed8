//! The input of a risk, and the rules that turn it into a risk.

use super::{
    Acceptance, Appetite, Rating, Risk, RiskCategory, RiskComplaint, RiskReference, RiskStatus, RiskTreatment,
};
use crate::{
    change::{Change, Fields, without_repeats},
    finding::FindingId,
    identifier::Uuid7,
    moment::Day,
    text::{Name, Prose},
    violation::{FieldComplaint, Violations},
    vocabulary::Word,
};

/// Likelihood and impact as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RatingInput {
    pub likelihood: Change<f64>,
    pub impact: Change<f64>,
}

/// The reason and last day of an acceptance as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcceptanceInput {
    pub reason: Change<String>,
    pub until: Change<String>,
}

/// A risk's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RiskInput {
    pub title: Change<String>,
    pub cause: Change<String>,
    pub event: Change<String>,
    pub effect: Change<String>,
    pub category: Change<String>,
    pub owner: Change<String>,
    pub functions: Change<Vec<String>>,
    pub controls: Change<Vec<String>>,
    pub findings: Change<Vec<String>>,
    pub inherent: Change<RatingInput>,
    pub residual: Change<RatingInput>,
    pub target: Change<RatingInput>,
    pub treatment: Change<String>,
    pub acceptance: Change<AcceptanceInput>,
    pub status: Change<String>,
    pub review_on: Change<String>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
}

/// The context of the rules.
#[derive(Clone, Copy)]
pub struct RiskRules<'a> {
    pub today: Day,
    /// Who makes the change, as the audit log names them.
    pub actor: &'a str,
    /// Who proposes an acceptance: the one who makes the change, or who asked for the decision that it carries out.
    pub proposer: &'a str,
    pub appetite: &'a Appetite,
    pub is_finding: &'a (dyn Fn(FindingId) -> bool + Sync),
    /// Whether they stand for a person who changed the risk since it was last accepted.
    pub is_editor: bool,
}

impl std::fmt::Debug for RiskRules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RiskRules").field("today", &self.today).finish_non_exhaustive()
    }
}

impl RiskInput {
    /// Whether the request accepts the risk; a proposal does not.
    pub fn accepts(&self, current: Option<&Risk>) -> bool {
        let accepted = RiskStatus::Accepted;
        let was = current.is_some_and(|risk| risk.status == accepted);
        !was && matches!(&self.status, Change::Set(word) if word == accepted.as_str())
    }

    pub fn create(
        &self,
        reference: RiskReference,
        adopted_from: Option<&str>,
        rules: &RiskRules<'_>,
    ) -> Result<Risk, Violations> {
        self.read(None, (reference, adopted_from.map(str::to_owned)), rules)
    }

    /// The risk after this change.
    pub fn change(&self, current: &Risk, rules: &RiskRules<'_>) -> Result<Risk, Violations> {
        self.read(Some(current), (current.reference, current.adopted_from.clone()), rules)
    }

    /// The findings in the request, to be looked up beforehand.
    pub fn named_findings(&self) -> Vec<FindingId> {
        match &self.findings {
            Change::Set(ids) => ids.iter().filter_map(|id| id.parse().ok()).collect(),
            Change::Keep | Change::Clear => Vec::new(),
        }
    }

    fn read(
        &self,
        current: Option<&Risk>,
        (reference, adopted_from): (RiskReference, Option<String>),
        rules: &RiskRules<'_>,
    ) -> Result<Risk, Violations> {
        let mut fields = Fields::default();
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let category: Option<RiskCategory> =
            fields.required("category", &self.category, current.map(|c| c.category), |text| text.parse());
        let inherent = self.read_inherent(&mut fields, current, adopted_from.is_some());
        let residual = self.read_residual(&mut fields, current, inherent);
        let target = read_target(&mut fields, &self.target, current.and_then(|c| c.target));
        let treatment = fields.required(
            "treatment",
            &self.treatment,
            Some(current.map_or(RiskTreatment::Undecided, |c| c.treatment)),
            |text| text.parse(),
        );
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let acceptance = self.read_acceptance(&mut fields, current, status.zip(residual), rules);
        let cause = fields.prose("cause", &self.cause, of(current, |c| &c.cause));
        let event = fields.prose("event", &self.event, of(current, |c| &c.event));
        let effect = fields.prose("effect", &self.effect, of(current, |c| &c.effect));
        let owner = fields.line("owner", &self.owner, of(current, |c| &c.owner));
        let review_on =
            fields.optional("review_on", &self.review_on, of(current, |c| &c.review_on), |text| text.parse());
        let (functions, controls, findings) = self.read_links(&mut fields, current, rules);
        let build = || {
            Some(Risk {
                reference,
                adopted_from,
                title: title?,
                cause,
                event,
                effect,
                category: category?,
                owner,
                functions,
                controls,
                findings,
                inherent: inherent?,
                residual: residual?,
                target,
                treatment: treatment?,
                acceptance,
                status: status?,
                review_on,
                editors: current.map(|c| c.editors.clone()).unwrap_or_default(),
            })
        };
        fields.finish(build()).map(|risk| risk.edited_by(current, rules.actor))
    }

    /// An adopted risk has no rating until the institution gives it one.
    fn read_inherent(
        &self,
        fields: &mut Fields,
        current: Option<&Risk>,
        is_adopted: bool,
    ) -> Option<Option<Rating>> {
        let before = current.and_then(|c| c.inherent);
        match &self.inherent {
            Change::Set(input) => input.read(fields, "inherent", before).map(Some),
            Change::Keep | Change::Clear if is_adopted && before.is_none() => Some(None),
            change => {
                fields.required("inherent", change, before, |_| Err(FieldComplaint::Required)).map(Some)
            }
        }
    }

    /// The residual rating of a new risk equals the inherent one by default.
    fn read_residual(
        &self,
        fields: &mut Fields,
        current: Option<&Risk>,
        inherent: Option<Option<Rating>>,
    ) -> Option<Option<Rating>> {
        let before = current.map(|c| c.residual).or(inherent);
        match &self.residual {
            Change::Set(input) => input.read(fields, "residual", before.flatten()).map(Some),
            Change::Keep => before,
            Change::Clear if before == Some(None) => before,
            Change::Clear => {
                fields.refuse("residual", FieldComplaint::Null);
                None
            }
        }
    }

    fn read_links(
        &self,
        fields: &mut Fields,
        current: Option<&Risk>,
        rules: &RiskRules<'_>,
    ) -> (Vec<String>, Vec<String>, Vec<FindingId>) {
        let function = |text: &String| linked(text, "fun_").ok_or(RiskComplaint::NoFunction);
        let control = |text: &String| linked(text, "ctl_").ok_or(RiskComplaint::NoControl);
        let finding = |text: &String| {
            text.parse().ok().filter(|id| (rules.is_finding)(*id)).ok_or(RiskComplaint::NoFinding)
        };
        let functions =
            fields.list("functions", &self.functions, current.map(|c| c.functions.clone()), function);
        let controls = fields.list("controls", &self.controls, current.map(|c| c.controls.clone()), control);
        let findings = fields.list("findings", &self.findings, current.map(|c| c.findings.clone()), finding);
        (without_repeats(functions), without_repeats(controls), without_repeats(findings))
    }

    fn read_acceptance(
        &self,
        fields: &mut Fields,
        current: Option<&Risk>,
        decided: Option<(RiskStatus, Option<Rating>)>,
        rules: &RiskRules<'_>,
    ) -> Option<Acceptance> {
        let (status, residual) = decided?;
        let was_accepted = current.is_some_and(|c| c.status == RiskStatus::Accepted);
        let before = current.and_then(|c| c.acceptance.as_ref());
        match status {
            RiskStatus::Accepted if was_accepted => self.keep_acceptance(fields, current, residual),
            RiskStatus::Accepted => {
                let Some(residual) = residual else {
                    fields.refuse("residual", RiskComplaint::NotRated);
                    return None;
                };
                let proposed = self.proposed(fields, before, rules)?;
                approved(fields, proposed, residual, rules)
            }
            RiskStatus::Closed => {
                if matches!(self.acceptance, Change::Set(_)) {
                    fields.refuse("acceptance", RiskComplaint::ClosedAcceptance);
                }
                None
            }
            // A risk that was accepted before starts without a proposal.
            RiskStatus::Open | RiskStatus::Treating => match &self.acceptance {
                Change::Set(input) => input.read(fields, before.filter(|_| !was_accepted), rules),
                Change::Keep => before.filter(|_| !was_accepted).cloned(),
                Change::Clear => None,
            },
        }
    }

    /// An acceptance that two people agreed on cannot be changed while it is valid.
    fn keep_acceptance(
        &self,
        fields: &mut Fields,
        current: Option<&Risk>,
        residual: Option<Rating>,
    ) -> Option<Acceptance> {
        if self.acceptance != Change::Keep {
            fields.refuse("acceptance", RiskComplaint::AcceptanceFixed);
        }
        let before = current.and_then(|c| c.residual);
        if residual.zip(before).is_some_and(|(after, before)| after.level() < before.level()) {
            fields.refuse("residual", RiskComplaint::RatingWhileAccepted);
        }
        current.and_then(|c| c.acceptance.clone())
    }

    fn proposed(
        &self,
        fields: &mut Fields,
        before: Option<&Acceptance>,
        rules: &RiskRules<'_>,
    ) -> Option<Acceptance> {
        match (&self.acceptance, before) {
            (Change::Set(input), before) => input.read(fields, before, rules),
            (Change::Keep, Some(before)) => {
                later(fields, before.until, rules.today);
                Some(before.clone())
            }
            (Change::Keep | Change::Clear, _) => {
                fields.refuse("acceptance", RiskComplaint::NoAcceptance);
                None
            }
        }
    }
}

/// From the set level on, neither the proposer nor anyone else who changed the risk can approve.
fn approved(
    fields: &mut Fields,
    proposed: Acceptance,
    residual: Rating,
    rules: &RiskRules<'_>,
) -> Option<Acceptance> {
    let is_first = rules.is_editor || proposed.proposed_by == rules.actor;
    if is_first && rules.appetite.needs_second_person(residual) {
        let level = Word::of(rules.appetite.second_person_from);
        fields.refuse("acceptance", RiskComplaint::SecondPerson { level });
        return None;
    }
    Some(Acceptance { approved_by: Some(rules.actor.to_owned()), ..proposed })
}

impl AcceptanceInput {
    /// A proposal belongs to the last person who changed its text; sending it again unchanged keeps its author.
    fn read(
        &self,
        fields: &mut Fields,
        before: Option<&Acceptance>,
        rules: &RiskRules<'_>,
    ) -> Option<Acceptance> {
        let reason = fields.required("acceptance.reason", &self.reason, before.map(|b| b.reason.clone()), {
            |text| Prose::parse(text)
        });
        let until =
            fields.required("acceptance.until", &self.until, before.map(|b| b.until), |text| text.parse());
        let (reason, until) = (reason?, until?);
        later(fields, until, rules.today);
        let same = before.filter(|before| before.reason == reason && before.until == until);
        let author = same.map_or(rules.proposer, |before| &before.proposed_by).to_owned();
        Some(Acceptance { reason, until, proposed_by: author, approved_by: None })
    }
}

fn later(fields: &mut Fields, until: Day, today: Day) {
    if until <= today {
        fields.refuse("acceptance.until", FieldComplaint::NotALaterDay);
    }
}

impl RatingInput {
    fn read(&self, fields: &mut Fields, field: &str, before: Option<Rating>) -> Option<Rating> {
        let likelihood = fields.required(
            &format!("{field}.likelihood"),
            &self.likelihood,
            before.map(|b| i64::from(b.likelihood())),
            |number| step(*number),
        );
        let impact = fields.required(
            &format!("{field}.impact"),
            &self.impact,
            before.map(|b| i64::from(b.impact())),
            |number| step(*number),
        );
        Rating::new(likelihood?, impact?)
    }
}

fn read_target(fields: &mut Fields, change: &Change<RatingInput>, before: Option<Rating>) -> Option<Rating> {
    match change {
        Change::Set(input) => input.read(fields, "target", before),
        Change::Keep => before,
        Change::Clear => None,
    }
}

/// One of the steps of the scale.
fn step(number: f64) -> Result<i64, RiskComplaint> {
    let found = super::STEPS.map(f64::from).position(|step| (step - number).abs() < f64::EPSILON);
    let found = found.and_then(|place| i64::try_from(place).ok());
    found.map(|place| place + 1).ok_or(RiskComplaint::Step)
}

/// The id of a record of another kind, by its format.
fn linked(text: &str, prefix: &str) -> Option<String> {
    (text.starts_with(prefix) && Uuid7::of_id(text).is_some()).then(|| text.to_owned())
}

fn of<T: Clone>(current: Option<&Risk>, field: impl Fn(&Risk) -> &Option<T>) -> Option<T> {
    current.and_then(|current| field(current).clone())
}
