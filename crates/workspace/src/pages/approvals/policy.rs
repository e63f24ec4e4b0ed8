//! The policy of the institution: which decisions need a second person, and how long an acceptance may last.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::{
    approval::ApprovalAction,
    approval_policy::{
        ApprovalNeed, ApprovalPolicy, Extent, StoredPolicy, StoredRule, decisions, is_always_needed,
    },
    page::PageRequest,
    right::{Resource, Right},
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{approval as texts, common},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
        table::{Column, table},
    },
};

const BINDS_KEYS: &str = "binds_keys";
const RETEST: &str = "retest_before_closing";
const NAMES: [(&str, Label); 3] =
    [("rules", texts::ACTION), ("longest_acceptance_days", texts::LONGEST), (RETEST, texts::RETEST)];

/// How many accounts can be chosen from.
const MOST_PEOPLE: u32 = 500;

/// The field of a rule.
fn field_of((action, extent): (ApprovalAction, Extent)) -> String {
    match extent {
        Extent::Severity(severity) => format!("{action}.{severity}"),
        Extent::Kind(kind) => format!("{action}.{kind}"),
        Extent::All => action.to_string(),
    }
}

/// The field of the people whom a rule names.
fn people_field(decision: (ApprovalAction, Extent)) -> String {
    format!("{}.people", field_of(decision))
}

fn days_field(severity: Severity) -> String {
    format!("days.{severity}")
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let policy = workspace.app.approval.approval_policy(visit.caller()).await?;
    let people = people(&workspace, &visit).await?;
    respond::page(page(&visit, &filled(&policy), &policy, &people))
}

/// The people who can be named: those who may take part in decisions at all.
async fn people(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, PageError> {
    let page = workspace.app.people.people_page(visit.caller(), PageRequest::part(MOST_PEOPLE, 0)).await?;
    let able = page.items.into_iter().filter(|person| {
        let is_open = person.account.as_ref().is_none_or(|account| account.active);
        is_open && person.role.right(Resource::Approvals) >= Right::Own
    });
    Ok(able.map(|person| Choice::new(person.id.to_string(), person.name.to_string())).collect())
}

fn filled(policy: &ApprovalPolicy) -> Form {
    let rules = decisions().flat_map(|decision| {
        let rule = policy.rule(decision.0, decision.1);
        let people = rule.people.into_iter().map(move |person| (people_field(decision), person.to_string()));
        std::iter::once((field_of(decision), rule.need.to_string())).chain(people)
    });
    let days = Severity::ALL
        .iter()
        .map(|severity| (days_field(*severity), policy.longest_days(*severity).to_string()));
    let keys = policy.binds_keys.then(|| (BINDS_KEYS.to_owned(), "1".to_owned()));
    let retested = Severity::ALL.iter().filter(|severity| policy.closing_needs_retest(**severity));
    let retested = retested.map(|severity| (RETEST.to_owned(), severity.to_string()));
    let all: Vec<(String, String)> = rules.chain(days).chain(retested).chain(keys).collect();
    Form::filled(all.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

fn page(visit: &Visit, form: &Form, policy: &ApprovalPolicy, people: &[Choice]) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::POLICY), t(texts::POLICY_INTRO), None))
        (ui::notice::done(visit, &[("chosen", texts::WAS_CHOSEN)]))
        (complaints(visit, form, &NAMES))
        section.card {
            @if visit.may(Resource::ApprovalPolicy, Right::Decide) { (ask(visit, form, people)) }
            @else { (facts(visit, policy, people)) }
        }
    };
    ui::layout::page(visit, t(texts::POLICY), &content)
}

/// The label of a rule: the decision, and of which records.
fn named(view: &View, (action, extent): (ApprovalAction, Extent)) -> String {
    let of = match extent {
        Extent::Severity(severity) => view.t(severity.label()),
        Extent::Kind(kind) => view.t(kind.label()),
        Extent::All if action == ApprovalAction::Archive => view.t(texts::OF_ANY_RECORD),
        Extent::All => return view.t(action.label()).to_owned(),
    };
    format!("{}: {of}", view.t(action.label()))
}

fn ask(visit: &Visit, form: &Form, people: &[Choice]) -> Markup {
    html! {
        form method="post" action=(route::APPROVAL_POLICY) {
            (visit.form_token())
            div.columns { @for decision in decisions() { (rule(visit, form, decision, people)) } }
            h2.part { (visit.t(texts::LONGEST)) }
            div.columns {
                @for severity in Severity::ALL {
                    (Field::number(visit, form, &days_field(*severity), severity.label(), (1, 3650)).render())
                }
            }
            (field::choices(visit, form, RETEST, texts::RETEST, true, &severities(visit)))
            p.hint { (visit.t(texts::RETEST_HELP)) }
            (field::switch(visit, form, BINDS_KEYS, texts::BINDS_KEYS, Some(texts::BINDS_KEYS_HELP)))
            div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

fn severities(view: &View) -> Vec<Choice> {
    Severity::ALL.iter().map(|severity| Choice::new(severity.as_str(), view.t(severity.label()))).collect()
}

/// Who decides, and the people to choose from, folded unless the rule names some.
fn rule(visit: &Visit, form: &Form, decision: (ApprovalAction, Extent), people: &[Choice]) -> Markup {
    let (name, chosen) = (field_of(decision), people_field(decision));
    let held = form.value(&name).to_owned();
    let needs =
        ApprovalNeed::ALL.iter().filter(|need| **need != ApprovalNeed::None || !is_always_needed(decision.0));
    html! {
        div.field {
            label for=(name) { (named(visit, decision)) }
            select id=(name) name=(name) {
                @for need in needs {
                    option value=(need.as_str()) selected[held == need.as_str()] { (visit.t(need.label())) }
                }
            }
            details open[held == ApprovalNeed::Named.as_str()] {
                summary { (visit.t(texts::PEOPLE)) }
                p.hint { (visit.t(texts::PEOPLE_HELP)) }
                (field::choices(visit, form, &chosen, texts::PEOPLE, true, people))
            }
        }
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, policy: &ApprovalPolicy, people: &[Choice]) -> Markup {
    let columns = [Column::text(visit.t(texts::ACTION)), Column::tight(visit.t(texts::DECIDERS))];
    let rule = |decision: (ApprovalAction, Extent)| {
        let rule = policy.rule(decision.0, decision.1);
        let is_named =
            |choice: &&Choice| rule.people.iter().any(|person| *choice.value == person.to_string());
        let names: Vec<&str> = people.iter().filter(is_named).map(|choice| choice.text.as_str()).collect();
        vec![
            html! { (named(visit, decision)) },
            html! {
                (visit.t(rule.need.label()))
                @if !names.is_empty() { ": " (names.join(", ")) }
            },
        ]
    };
    let rows: Vec<_> = decisions().map(rule).collect();
    html! {
        (table(visit.t(texts::POLICY), &columns, &rows))
        dl.facts {
            @for severity in Severity::ALL {
                dt { (visit.t(texts::LONGEST)) ": " (visit.t(severity.label())) }
                dd { (policy.longest_days(*severity)) }
            }
            dt { (visit.t(texts::RETEST)) }
            dd { (visit.or_none(retested(visit, policy).as_deref())) }
        }
    }
}

/// The severities whose findings need a retest, in words; `None` for none.
fn retested(view: &View, policy: &ApprovalPolicy) -> Option<String> {
    let needed = Severity::ALL.iter().filter(|severity| policy.closing_needs_retest(**severity));
    let words: Vec<&str> = needed.map(|severity| view.t(severity.label())).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let held = workspace.app.approval.approval_policy(visit.caller()).await?;
    let chosen = chosen(&form);
    match workspace.app.approval.choose_approval_policy(visit.caller(), &chosen).await {
        Ok(_) => respond::go_to(&route::done(route::APPROVAL_POLICY, "chosen")),
        Err(error) => {
            form.refuse(error)?;
            let people = people(&workspace, &visit).await?;
            respond::refused(page(&visit, &form, &held, &people))
        }
    }
}

fn chosen(form: &Form) -> StoredPolicy {
    let rule = |decision: (ApprovalAction, Extent)| {
        let needs = form.value(&field_of(decision)).to_owned();
        // Boxes that stayed checked mean nothing under another rule.
        let is_named = needs == ApprovalNeed::Named.as_str();
        let (action, extent) = decision;
        StoredRule {
            action: action.to_string(),
            severity: extent.severity().map(|severity| severity.to_string()),
            kind: extent.kind().map(|kind| kind.to_string()),
            needs,
            people: form.all(&people_field(decision)).filter(|_| is_named).map(str::to_owned).collect(),
        }
    };
    let days: BTreeMap<String, u32> = Severity::ALL
        .iter()
        .map(|severity| (severity.to_string(), form.value(&days_field(*severity)).parse().unwrap_or(0)))
        .collect();
    StoredPolicy {
        rules: decisions().map(rule).collect(),
        longest_acceptance_days: days,
        binds_keys: form.is_checked(BINDS_KEYS),
        retest_before_closing: Some(form.all(RETEST).map(str::to_owned).collect()),
    }
}
