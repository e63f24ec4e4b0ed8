//! Approvals: who may decide, that a decision is carried out once and only about what was asked, and that the people
//! concerned get their notices.

use app::{
    App, Error,
    approval::{ApprovalDecision, ApprovalFilter, NewApproval},
    authz::Caller,
    pages::Precondition,
    session::Session,
};
use domain::{
    approval::{Approval, ApprovalInput, ApprovalState},
    approval_policy::{StoredPolicy, StoredRule},
    change::Change,
    finding::{AcceptanceInput, Finding, FindingInput, FindingStatus},
    id::{ApprovalId, FindingId},
    inbox::Reason,
    page::PageRequest,
    user::Role,
};

use crate::{Bank, on_both_engines};

on_both_engines! {
    a_critical_finding_is_accepted_by_another_manager_and_by_no_one_else,
    a_change_of_the_record_lets_the_request_lapse,
    the_people_concerned_get_notices,
    an_acceptance_lasts_no_longer_than_the_policy_allows,
    only_an_administrator_with_a_fresh_proof_sets_the_policy,
    no_decision_is_carried_out_by_an_excluded_person_twice_or_on_a_changed_version,
}

pub(crate) const ANNA: &str = "anna@north.example";
const BEN: &str = "ben@north.example";
const CARA: &str = "cara@north.example";
const DANA: &str = "dana@north.example";

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

async fn finding(app: &App, by: &Caller, severity: &str, owner: Option<&str>) -> FindingId {
    let input = FindingInput {
        title: set("Old cipher"),
        severity: set(severity),
        owner: owner.map_or(Change::Keep, set),
        ..FindingInput::default()
    };
    let render = |made: &app::history::Detail<store::record::RecordRow<Finding>>| made.record.id.to_string();
    app.records.create_record::<Finding>(by, input, None, render).await.unwrap().body.parse().unwrap()
}

fn accept(subject: FindingId, until: &str) -> ApprovalInput {
    ApprovalInput {
        subject: set(&subject.to_string()),
        action: set("accept"),
        reason: set("The system is replaced in spring"),
        until: set(until),
        details: Change::Keep,
        approvers: Change::Keep,
    }
}

async fn ask(app: &App, by: &Caller, input: ApprovalInput) -> Result<ApprovalId, Error> {
    let render = |made: &app::history::Detail<store::record::RecordRow<Approval>>| made.record.id.to_string();
    let made = app.records.create_record::<Approval>(by, NewApproval::Ask(input), None, render).await?;
    Ok(made.body.parse().unwrap())
}

async fn decide(app: &App, by: &Caller, id: ApprovalId, decision: ApprovalDecision) -> Result<(), Error> {
    let note = Some("Agreed".to_owned());
    app.approval.decide_approval(by, id, decision, note, Precondition::None).await.map(|_| ())
}

async fn state(app: &App, by: &Caller, id: ApprovalId) -> ApprovalState {
    app.records.record::<Approval>(by, id).await.unwrap().0.record.record.state
}

async fn status(app: &App, by: &Caller, id: FindingId) -> FindingStatus {
    app.records.record::<Finding>(by, id).await.unwrap().0.record.record.status
}

fn accepted_directly(until: &str) -> FindingInput {
    let acceptance = AcceptanceInput { reason: set("We live with it"), until: set(until) };
    FindingInput {
        status: set("risk_accepted"),
        acceptance: Change::Set(acceptance),
        ..FindingInput::default()
    }
}

/// Ben and Cara manage, Dana contributes; Anna administers.
pub(crate) async fn people(bank: &Bank) -> [Session; 4] {
    bank.add(BEN, Role::Manager).await;
    bank.add(CARA, Role::Manager).await;
    bank.add(DANA, Role::Contributor).await;
    [
        bank.signed_in(ANNA).await,
        bank.signed_in(BEN).await,
        bank.signed_in(CARA).await,
        bank.signed_in(DANA).await,
    ]
}

async fn a_critical_finding_is_accepted_by_another_manager_and_by_no_one_else(bank: Bank) {
    let app = &bank.test.app;
    let [anna, ben, cara, dana] = people(&bank).await;
    // Dana found it, Ben owns it.
    let found = finding(app, &dana.caller, "critical", Some(BEN)).await;
    let direct = app
        .records
        .change_record::<Finding>(&cara.caller, found, accepted_directly("2026-12-31"), Precondition::None)
        .await;
    assert!(matches!(direct, Err(Error::ApprovalRequired { .. })), "{direct:?}");

    let id = ask(app, &anna.caller, accept(found, "2026-12-31")).await.unwrap();
    let twice = ask(app, &dana.caller, accept(found, "2026-12-31")).await;
    assert!(twice.unwrap_err().to_string().contains("asked for already"));
    let view = app.approval.approval(&anna.caller, id).await.unwrap();
    let able: Vec<String> = view.deciders.iter().map(|(person, _)| person.to_string()).collect();
    assert_eq!(able, [cara.user.id.to_string()], "neither who asked, nor the owner, nor the contributor");
    assert!(view.is_own && view.refusal.is_some());

    let refusals = [(&anna, "the person who asked"), (&ben, "the owner"), (&dana, "who changed the record")];
    for (person, why) in refusals {
        for decision in [ApprovalDecision::Grant, ApprovalDecision::Refuse] {
            let refused = decide(app, &person.caller, id, decision).await.unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }
    assert_eq!(status(app, &anna.caller, found).await, FindingStatus::Open);
    decide(app, &cara.caller, id, ApprovalDecision::Grant).await.unwrap();
    assert_eq!(status(app, &anna.caller, found).await, FindingStatus::RiskAccepted);
    assert_eq!(state(app, &anna.caller, id).await, ApprovalState::Granted);
    assert!(decide(app, &cara.caller, id, ApprovalDecision::Grant).await.is_err(), "once");

    // What the policy leaves alone keeps its direct way, and is not asked for.
    let small = finding(app, &dana.caller, "medium", None).await;
    let needless = ask(app, &dana.caller, accept(small, "2026-12-31")).await.unwrap_err().to_string();
    assert!(needless.contains("needs no approval"), "{needless}");
    app.records
        .change_record::<Finding>(&cara.caller, small, accepted_directly("2026-12-31"), Precondition::None)
        .await
        .unwrap();
    // A finding is not made harmless and accepted in one go.
    let sly = finding(app, &dana.caller, "high", None).await;
    let input = FindingInput { severity: set("low"), ..accepted_directly("2026-12-31") };
    let sly = app.records.change_record::<Finding>(&cara.caller, sly, input, Precondition::None).await;
    assert!(matches!(sly, Err(Error::ApprovalRequired { .. })));
}

async fn a_change_of_the_record_lets_the_request_lapse(bank: Bank) {
    let app = &bank.test.app;
    let [anna, _, cara, dana] = people(&bank).await;
    let found = finding(app, &dana.caller, "high", None).await;
    let id = ask(app, &dana.caller, accept(found, "2026-12-31")).await.unwrap();
    let renamed = FindingInput { title: set("Older cipher"), ..FindingInput::default() };
    app.records.change_record::<Finding>(&anna.caller, found, renamed, Precondition::None).await.unwrap();
    let (lapsed, _) = app.records.record::<Approval>(&dana.caller, id).await.unwrap();
    let lapsed = lapsed.record.record;
    assert_eq!((lapsed.state, &lapsed.changed[..]), (ApprovalState::Lapsed, &["title".to_owned()][..]));
    assert!(decide(app, &cara.caller, id, ApprovalDecision::Grant).await.is_err());
    assert_eq!(status(app, &dana.caller, found).await, FindingStatus::Open);
    assert_eq!(app.approval.approvals_waiting(&cara.caller).await.unwrap(), 0);
    // It can be asked anew, withdrawn by who asked, and by no one else.
    let again = ask(app, &dana.caller, accept(found, "2026-12-31")).await.unwrap();
    assert!(decide(app, &cara.caller, again, ApprovalDecision::Withdraw).await.is_err());
    decide(app, &dana.caller, again, ApprovalDecision::Withdraw).await.unwrap();
    assert_eq!(state(app, &dana.caller, again).await, ApprovalState::Withdrawn);
}

async fn the_people_concerned_get_notices(bank: Bank) {
    let app = &bank.test.app;
    let [anna, ben, cara, dana] = people(&bank).await;
    let found = finding(app, &dana.caller, "high", None).await;
    let asked = ApprovalInput {
        approvers: Change::Set(vec![ben.user.id.to_string()]),
        ..accept(found, "2026-12-31")
    };
    let id = ask(app, &dana.caller, asked).await.unwrap();
    let reasons = async |of: &Session| -> Vec<Reason> {
        let page = app.messages.inbox(&of.caller, PageRequest::default()).await.unwrap();
        page.items.into_iter().map(|notice| notice.reason).collect()
    };
    assert_eq!(reasons(&ben).await, [Reason::ApprovalWanted]);
    assert_eq!(app.approval.approvals_waiting(&ben.caller).await.unwrap(), 1);
    assert!(reasons(&cara).await.is_empty(), "only who was named");
    let waiting = ApprovalFilter { approver: Some(ben.user.id), ..ApprovalFilter::default() };
    let page = app.records.records::<Approval>(&ben.caller, &waiting, PageRequest::default()).await.unwrap();
    assert_eq!(page.items.iter().map(|row| row.id).collect::<Vec<_>>(), [id]);
    let wrong = ApprovalInput {
        subject: set(&finding(app, &dana.caller, "high", None).await.to_string()),
        approvers: Change::Set(vec![dana.user.id.to_string()]),
        ..accept(found, "2026-12-31")
    };
    let refused = ask(app, &dana.caller, wrong).await.unwrap_err().to_string();
    assert!(refused.contains("may not decide this"), "{refused}");
    decide(app, &ben.caller, id, ApprovalDecision::Refuse).await.unwrap();
    assert_eq!(reasons(&dana).await, [Reason::ApprovalDecided]);
    assert!(reasons(&anna).await.is_empty());
    let audited = bank.audited().await;
    for action in ["approval.created", "approval.refused"] {
        assert!(audited.iter().any(|entry| entry == action), "{action}");
    }
}

async fn an_acceptance_lasts_no_longer_than_the_policy_allows(bank: Bank) {
    let app = &bank.test.app;
    let [_, _, cara, dana] = people(&bank).await;
    let found = finding(app, &dana.caller, "critical", None).await;
    let today = bank.test.clock.now().day();
    let late = ask(app, &dana.caller, accept(found, &today.plus_days(91).to_string())).await;
    assert!(late.unwrap_err().to_string().contains(&today.plus_days(90).to_string()));
    let id = ask(app, &dana.caller, accept(found, &today.plus_days(90).to_string())).await.unwrap();
    decide(app, &cara.caller, id, ApprovalDecision::Grant).await.unwrap();
}

fn rule(action: &str, severity: Option<&str>, needs: &str) -> StoredPolicy {
    let rule = StoredRule {
        action: action.to_owned(),
        severity: severity.map(str::to_owned),
        kind: None,
        needs: needs.to_owned(),
        people: Vec::new(),
    };
    StoredPolicy { rules: vec![rule], ..StoredPolicy::default() }
}

async fn only_an_administrator_with_a_fresh_proof_sets_the_policy(bank: Bank) {
    let app = &bank.test.app;
    let [anna, ben, cara, dana] = people(&bank).await;
    let none = rule("accept", Some("critical"), "none");
    let refused = app.approval.choose_approval_policy(&ben.caller, &none).await;
    assert!(matches!(refused, Err(Error::RoleNeeded(_) | Error::NotAdministrator)), "{refused:?}");
    bank.pass(600);
    assert!(matches!(
        app.approval.choose_approval_policy(&anna.caller, &none).await,
        Err(Error::ProofNeeded)
    ));
    let fresh = bank.signed_in(ANNA).await;
    app.approval.choose_approval_policy(&fresh.caller, &none).await.unwrap();
    let found = finding(app, &dana.caller, "critical", None).await;
    app.records
        .change_record::<Finding>(&cara.caller, found, accepted_directly("2026-12-31"), Precondition::None)
        .await
        .unwrap();
    app.approval
        .choose_approval_policy(&fresh.caller, &rule("archive", None, "second_person"))
        .await
        .unwrap();
    let refused = app.records.archive_record::<Finding>(&cara.caller, found, true, Precondition::None).await;
    assert!(refused.is_err());
    assert!(bank.audited().await.iter().any(|action| action == "approval_policy.changed"));
}

/// A small generator, so that a failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Random edits, owners, policies, requests and decisions. Every finding that is accepted in the end was accepted by a
/// granted approval of a person whom the policy of that moment allowed: neither who asked, nor the owner, nor an editor
/// since the last decision; and no approval is granted twice or about another version.
async fn no_decision_is_carried_out_by_an_excluded_person_twice_or_on_a_changed_version(bank: Bank) {
    let app = &bank.test.app;
    let people = people(&bank).await;
    let admin = bank.signed_in(ANNA).await;
    let mut found = finding(app, &people[3].caller, "critical", None).await;
    let mut dice = Dice(20_261_118);
    let mut editors: Vec<usize> = vec![3];
    let mut owner: Option<usize> = None;
    let mut need = "manager";
    let mut open: Option<(ApprovalId, usize)> = None;
    let mut granted = 0;
    for step in 0..250 {
        let who = usize::try_from(dice.roll(4)).unwrap();
        let caller = &people[who].caller;
        if step % 20 == 19 {
            // After a while everyone has changed the record, so another one is found.
            found = finding(app, caller, "critical", None).await;
            (editors, owner, open) = (vec![who], None, None);
            continue;
        }
        match dice.roll(10) {
            0 => {
                // An edit, sometimes of the owner.
                let input = if dice.roll(2) == 0 {
                    owner = Some(usize::try_from(dice.roll(4)).unwrap());
                    FindingInput {
                        owner: set(&people[owner.unwrap()].user.id.to_string()),
                        ..FindingInput::default()
                    }
                } else {
                    FindingInput { title: set(&format!("Cipher {step}")), ..FindingInput::default() }
                };
                let before = app.records.record::<Finding>(caller, found).await.unwrap().0.record.version;
                app.records.change_record::<Finding>(caller, found, input, Precondition::None).await.unwrap();
                if app.records.record::<Finding>(caller, found).await.unwrap().0.record.version > before {
                    editors.push(who);
                    if let Some((id, _)) = open.take() {
                        assert_eq!(state(app, caller, id).await, ApprovalState::Lapsed, "step {step}");
                    }
                }
            }
            1 => {
                need = ["second_person", "manager"][usize::try_from(dice.roll(2)).unwrap()];
                let admin = if step % 20 == 0 { bank.signed_in(ANNA).await } else { admin.clone() };
                if app
                    .approval
                    .choose_approval_policy(&admin.caller, &rule("accept", Some("critical"), need))
                    .await
                    .is_err()
                {
                    need = current_need(app, caller).await;
                }
            }
            2 => {
                if let Ok(id) = ask(app, caller, accept(found, "2026-12-31")).await {
                    assert!(open.is_none(), "two requests at once at step {step}");
                    open = Some((id, who));
                }
            }
            3..=8 => {
                let Some((id, asker)) = open else { continue };
                let is_manager = who < 3;
                let allowed = who != asker && owner != Some(who) && !editors.contains(&who) && is_manager;
                let done = decide(app, caller, id, ApprovalDecision::Grant).await;
                assert_eq!(done.is_ok(), allowed, "step {step}: {who} {need} {done:?}");
                if allowed {
                    granted += 1;
                    open = None;
                    editors.clear();
                    assert_eq!(status(app, caller, found).await, FindingStatus::RiskAccepted);
                    assert!(decide(app, caller, id, ApprovalDecision::Grant).await.is_err(), "twice");
                    // It opens again, which is an edit.
                    bank.pass(1);
                    let again = FindingInput { status: set("open"), ..FindingInput::default() };
                    let by = usize::try_from(dice.roll(3)).unwrap();
                    app.records
                        .change_record::<Finding>(&people[by].caller, found, again, Precondition::None)
                        .await
                        .unwrap();
                    editors.push(by);
                }
            }
            _ => {
                let direct = accepted_directly("2026-12-31");
                let refused =
                    app.records.change_record::<Finding>(caller, found, direct, Precondition::None).await;
                assert!(refused.is_err(), "step {step}");
            }
        }
        bank.pass(1);
    }
    assert!(granted > 3, "only {granted} of 250 steps granted something");
}

async fn current_need(app: &App, caller: &Caller) -> &'static str {
    let policy = app.approval.approval_policy(caller).await.unwrap();
    let rule =
        policy.rule(domain::approval::ApprovalAction::Accept, Some(domain::vocabulary::Severity::Critical));
    rule.need.as_str()
}
