//! Random decisions of every kind by people and keys while time passes: a person whom the policy excludes never decides.

use app::{
    App, Error,
    api_key::{KeyRequest, NewKey},
    approval::{ApprovalDecision, NewApproval},
    authz::Caller,
    history::Detail,
    incident::IncidentChange,
    pages::Precondition,
};
use domain::{
    approval::{Approval, ApprovalDetails, ApprovalInput, ApprovalState},
    assessment::AssessmentInput,
    change::Change,
    evidence::{Evidence, EvidenceInput},
    finding::{AcceptanceInput, Finding, FindingInput, FindingStatus},
    id::{ApprovalId, EvidenceId, FindingId, IncidentId},
    incident::{ClassifyInput, Incident, IncidentInput},
    permission::Permissions,
    text::Name,
};
use serde_json::{Map, json};

use crate::{
    Bank,
    approvals::{ANNA, Dice, people},
    on_both_engines,
};

on_both_engines! {
    no_decision_of_any_kind_is_made_by_an_excluded_person_with_a_key_twice_or_on_a_changed_version,
}

const DAY: i64 = 24 * 3600;

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

/// What is decided about in one round.
#[derive(Debug)]
enum What {
    Accept(FindingId),
    Classify(IncidentId),
    LeaveOut(String),
    Approve(EvidenceId),
}

impl What {
    const KINDS: usize = 4;

    fn kind(&self) -> usize {
        match self {
            Self::Accept(_) => 0,
            Self::Classify(_) => 1,
            Self::LeaveOut(_) => 2,
            Self::Approve(_) => 3,
        }
    }

    async fn new(app: &App, by: &Caller, kind: usize, round: usize) -> Self {
        let title = set(&format!("Round {round}"));
        match kind {
            0 => {
                let input = FindingInput { title, severity: set("critical"), ..FindingInput::default() };
                let render = |made: &Detail<store::record::RecordRow<Finding>>| made.record.id.to_string();
                let made = app.records.create_record::<Finding>(by, input, None, render).await.unwrap();
                Self::Accept(made.body.parse().unwrap())
            }
            1 => {
                let facts = Map::from_iter([
                    ("malicious_access".to_owned(), json!(true)),
                    ("critical_services".to_owned(), json!(true)),
                ]);
                let regimes = Change::Set(vec!["dora".to_owned()]);
                let input =
                    IncidentInput { title, regimes, facts: Change::Set(facts), ..IncidentInput::default() };
                let render = |made: &Detail<app::incident::IncidentView>| made.record.row.id.to_string();
                let made = app.records.create_record::<Incident>(by, input, None, render).await.unwrap();
                Self::Classify(made.body.parse().unwrap())
            }
            2 => {
                let edition = app.catalogue().unwrap();
                let lines = edition.requirements.iter().filter(|one| one.id.starts_with("iso-27001-a-5-"));
                Self::LeaveOut(lines.map(|one| one.id.to_string()).nth(round % 30).unwrap())
            }
            _ => {
                let input =
                    EvidenceInput { title, url: set("https://example.com/r"), ..EvidenceInput::default() };
                let render = |made: &Detail<app::evidence::EvidenceView>| made.record.row.id.to_string();
                let made = app.compliance.add_evidence(by, input, None, None, None, render).await.unwrap();
                Self::Approve(made.body.parse().unwrap())
            }
        }
    }

    fn wish(&self, until: &str) -> ApprovalInput {
        let (subject, action) = match self {
            Self::Accept(id) => (id.to_string(), "accept"),
            Self::Classify(id) => (id.to_string(), "classify"),
            Self::LeaveOut(id) => (id.clone(), "not_applicable"),
            Self::Approve(id) => (id.to_string(), "approve"),
        };
        let result = ApprovalDetails::from([("result".to_owned(), "not_major".to_owned())]);
        ApprovalInput {
            subject: set(&subject),
            action: set(action),
            reason: set("Agreed in the committee"),
            until: if self.kind() == 0 { set(until) } else { Change::Keep },
            details: if self.kind() == 1 { Change::Set(result) } else { Change::Keep },
            approvers: Change::Keep,
        }
    }

    /// Changes the record in some way; what is out comes back.
    async fn edit(&self, app: &App, by: &Caller, step: usize) -> Result<(), Error> {
        let (title, none) = (set(&format!("Step {step}")), Precondition::None);
        match self {
            Self::Accept(id) => {
                let input = FindingInput { title, ..FindingInput::default() };
                app.records.change_record::<Finding>(by, *id, input, none).await.map(|_| ())
            }
            Self::Classify(id) => {
                let input = IncidentInput { title, ..IncidentInput::default() };
                let input = IncidentChange::from(input);
                app.records.change_record::<Incident>(by, *id, input, none).await.map(|_| ())
            }
            Self::LeaveOut(id) => {
                let input =
                    AssessmentInput { status: set("met"), rationale: title, ..AssessmentInput::default() };
                app.compliance.change_assessment(by, id, input, none).await.map(|_| ())
            }
            Self::Approve(id) => {
                let input = EvidenceInput { title, ..EvidenceInput::default() };
                app.records.change_record::<Evidence>(by, *id, input, none).await.map(|_| ())
            }
        }
    }

    /// The same decision without asking; evidence has no such way.
    async fn directly(&self, app: &App, by: &Caller, until: &str) -> Option<Result<(), Error>> {
        let none = Precondition::None;
        Some(match self {
            Self::Accept(id) => {
                let acceptance = AcceptanceInput { reason: set("So be it"), until: set(until) };
                let (status, acceptance) = (set("risk_accepted"), Change::Set(acceptance));
                let input = FindingInput { status, acceptance, ..FindingInput::default() };
                app.records.change_record::<Finding>(by, *id, input, none).await.map(|_| ())
            }
            Self::Classify(id) => {
                let input =
                    ClassifyInput { result: set("not_major"), reason: set("A test"), at: Change::Keep };
                let input = IncidentChange::Classify(input);
                app.records.change_record::<Incident>(by, *id, input, none).await.map(|_| ())
            }
            Self::LeaveOut(id) => {
                let (status, rationale) = (set("not_applicable"), set("Not ours"));
                let input = AssessmentInput { status, rationale, ..AssessmentInput::default() };
                app.compliance.change_assessment(by, id, input, none).await.map(|_| ())
            }
            Self::Approve(_) => return None,
        })
    }

    /// Whether the decision stands.
    async fn is_done(&self, app: &App, by: &Caller) -> bool {
        match self {
            Self::Accept(id) => {
                let (detail, _) = app.records.record::<Finding>(by, *id).await.unwrap();
                detail.record.record.status == FindingStatus::RiskAccepted
            }
            Self::Classify(id) => {
                let (detail, _) = app.records.record::<Incident>(by, *id).await.unwrap();
                detail.record.row.record.decision.is_some_and(|decision| decision.result != decision.computed)
            }
            Self::LeaveOut(id) => {
                let (detail, _) = app.compliance.assessment(by, id).await.unwrap();
                detail.record.row.assessment.status.as_str() == "not_applicable"
            }
            Self::Approve(id) => {
                app.approval.approved_version(by, id.to_string()).await.unwrap().is_current()
            }
        }
    }
}

async fn ask(app: &App, by: &Caller, input: ApprovalInput) -> Result<ApprovalId, Error> {
    let render = |made: &Detail<store::record::RecordRow<Approval>>| made.record.id.to_string();
    let made = app.records.create_record::<Approval>(by, NewApproval::Ask(input), None, render).await?;
    Ok(made.body.parse().unwrap())
}

async fn grant(app: &App, by: &Caller, id: ApprovalId) -> Result<(), Error> {
    app.approval.decide_approval(by, id, ApprovalDecision::Grant, None, Precondition::None).await.map(|_| ())
}

async fn state(app: &App, by: &Caller, id: ApprovalId) -> ApprovalState {
    app.records.record::<Approval>(by, id).await.unwrap().0.record.record.state
}

/// A key that Anna makes, which stands for her.
async fn key_of_anna(bank: &Bank) -> Caller {
    let anna = bank.signed_in(ANNA).await;
    let permissions = Permissions::parse("read,write").unwrap();
    let request = KeyRequest::new(Name::parse("of Anna").unwrap(), permissions);
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    let key =
        bank.test.app.people.create_key(&anna.caller, request, None, Box::new(reveal)).await.unwrap().body;
    bank.test.app.people.authenticate(Some(&key), [127, 0, 0, 1].into()).await.unwrap().caller
}

/// Anna is the first of the people and has a key; the last one contributes. A model says after every step who could
/// decide: not who asked or changed the record since the last decision, by themselves or with a key, and only a manager.
/// Keys grant nothing, a term that has ended is not granted, and a direct decision is refused.
async fn no_decision_of_any_kind_is_made_by_an_excluded_person_with_a_key_twice_or_on_a_changed_version(
    bank: Bank,
) {
    let app = &bank.test.app;
    let people = people(&bank).await;
    let key = key_of_anna(&bank).await;
    let mut dice = Dice(36_000_016);
    let mut roll = |sides: u64| usize::try_from(dice.roll(sides)).unwrap();
    let mut granted = [0; What::KINDS];
    for round in 0..16 {
        let first = roll(4);
        let what = What::new(app, &people[first].caller, round % What::KINDS, round).await;
        // An assessment is there before the first change of it.
        let mut editors = if what.kind() == 2 { vec![] } else { vec![first] };
        let mut open: Option<(ApprovalId, usize, domain::moment::Day)> = None;
        for step in 0..24 {
            bank.pass(1);
            let who = roll(4);
            // Anna acts with her key as often as by herself.
            let with_key = who == 0 && roll(2) == 0;
            let caller = if with_key { &key } else { &people[who].caller };
            let place = format!("round {round}, step {step}: {what:?} by {who}, key {with_key}");
            let today = bank.test.clock.now().day();
            match roll(12) {
                0 => {
                    if what.edit(app, caller, step).await.is_ok() {
                        editors.push(who);
                        if let Some((id, ..)) = open.take() {
                            assert_eq!(state(app, caller, id).await, ApprovalState::Lapsed, "{place}");
                            assert!(grant(app, &people[1].caller, id).await.is_err(), "{place}");
                        }
                    }
                }
                1..=3 => {
                    let until = today.plus_days(30);
                    if let Ok(id) = ask(app, caller, what.wish(&until.to_string())).await {
                        assert!(open.is_none(), "two requests at once, {place}");
                        open = Some((id, who, until));
                    }
                }
                4 => bank.pass(20 * DAY),
                5 if !with_key => {
                    let until = today.plus_days(30).to_string();
                    // What stands already is not decided again.
                    if !what.is_done(app, caller).await
                        && let Some(done) = what.directly(app, caller, &until).await
                    {
                        assert!(done.is_err(), "{place}");
                    }
                }
                _ => {
                    let Some((id, asker, until)) = open else { continue };
                    let ended = what.kind() == 0 && until <= today;
                    let may = !with_key && who != asker && !editors.contains(&who) && who < 3 && !ended;
                    let done = grant(app, caller, id).await;
                    assert_eq!(done.is_ok(), may, "{place}: {done:?}");
                    if may {
                        granted[what.kind()] += 1;
                        (open, editors) = (None, Vec::new());
                        assert!(what.is_done(app, caller).await, "{place}");
                        assert!(grant(app, caller, id).await.is_err(), "twice, {place}");
                        if what.kind() == 0 {
                            // The term ends by itself; the service is no person who changed the record.
                            bank.pass(31 * DAY);
                            app.expire_acceptances().await.unwrap();
                            assert!(!what.is_done(app, caller).await, "{place}");
                        }
                    }
                }
            }
        }
    }
    assert!(granted.iter().all(|count| *count > 1), "{granted:?} were granted");
}
