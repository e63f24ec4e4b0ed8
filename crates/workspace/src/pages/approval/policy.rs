//! The policy of the institution: which decisions need a second person, and how long an acceptance may last.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::{
    approval::ApprovalAction,
    approval_policy::{ApprovalNeed, ApprovalPolicy, StoredPolicy, StoredRule, decisions},
    right::{Resource, Right},
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
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
const NAMES: [(&str, Label); 2] = [("rules", texts::ACTION), ("longest_acceptance_days", texts::LONGEST)];

/// The field of a rule.
fn field_of(action: ApprovalAction, severity: Option<Severity>) -> String {
    match severity {
        Some(severity) => format!("{action}.{severity}"),
        None => action.to_string(),
    }
}

fn days_field(severity: Severity) -> String {
    format!("days.{severity}")
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let policy = workspace.app.approval_policy(visit.caller()).await?;
    respond::page(page(&visit, &filled(&policy), &policy))
}

fn filled(policy: &ApprovalPolicy) -> Form {
    let rules = decisions().map(|(action, severity)| {
        (field_of(action, severity), policy.rule(action, severity).need.to_string())
    });
    let days = Severity::ALL
        .iter()
        .map(|severity| (days_field(*severity), policy.longest_days(*severity).to_string()));
    let keys = policy.binds_keys.then(|| (BINDS_KEYS.to_owned(), "1".to_owned()));
    let all: Vec<(String, String)> = rules.chain(days).chain(keys).collect();
    Form::filled(all.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

fn page(visit: &Visit, form: &Form, policy: &ApprovalPolicy) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::POLICY), t(texts::POLICY_INTRO), None))
        (ui::notice::done(visit, &[("chosen", texts::WAS_CHOSEN)]))
        (complaints(visit, form, &NAMES))
        section.card {
            @if visit.may(Resource::ApprovalPolicy, Right::Decide) { (ask(visit, form, policy)) }
            @else { (facts(visit, policy)) }
        }
    };
    ui::layout::page(visit, t(texts::POLICY), &content)
}

/// The label of a rule: the decision, and of which findings.
fn named(view: &View, action: ApprovalAction, severity: Option<Severity>) -> String {
    let of = severity.map_or(view.t(texts::OF_ANY_RECORD), |severity| view.t(severity.label()));
    format!("{}: {of}", view.t(action.label()))
}

fn ask(visit: &Visit, form: &Form, policy: &ApprovalPolicy) -> Markup {
    // The form cannot choose people yet; it keeps a rule that names some as it is.
    let needs = |held: ApprovalNeed| -> Vec<Choice> {
        let offered = |need: &&ApprovalNeed| **need != ApprovalNeed::Named || held == ApprovalNeed::Named;
        let chosen = ApprovalNeed::ALL.iter().filter(offered);
        chosen.map(|need| Choice::new(need.as_str(), visit.t(need.label()))).collect()
    };
    let rule = |(action, severity): (ApprovalAction, Option<Severity>)| {
        let name = field_of(action, severity);
        let held = form.value(&name).to_owned();
        html! {
            div.field {
                label for=(name) { (named(visit, action, severity)) }
                select id=(name) name=(name) {
                    @for choice in needs(policy.rule(action, severity).need) {
                        option value=(choice.value) selected[held == *choice.value] { (choice.text) }
                    }
                }
            }
        }
    };
    html! {
        form method="post" action=(route::APPROVAL_POLICY) {
            (visit.form_token())
            div.columns { @for decision in decisions() { (rule(decision)) } }
            h2.part { (visit.t(texts::LONGEST)) }
            div.columns {
                @for severity in Severity::ALL {
                    (Field::number(visit, form, &days_field(*severity), severity.label(), (1, 3650)).render())
                }
            }
            (field::switch(visit, form, BINDS_KEYS, texts::BINDS_KEYS, Some(texts::BINDS_KEYS_HELP)))
            div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, policy: &ApprovalPolicy) -> Markup {
    let columns = [Column::text(visit.t(texts::ACTION)), Column::tight(visit.t(texts::DECIDERS))];
    let rule = |(action, severity)| {
        let need = policy.rule(action, severity).need;
        vec![html! { (named(visit, action, severity)) }, html! { (visit.t(need.label())) }]
    };
    let rows: Vec<_> = decisions().map(rule).collect();
    html! {
        (table(visit.t(texts::POLICY), &columns, &rows))
        dl.facts {
            @for severity in Severity::ALL {
                dt { (visit.t(texts::LONGEST)) ": " (visit.t(severity.label())) }
                dd { (policy.longest_days(*severity)) }
            }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let held = workspace.app.approval_policy(visit.caller()).await?;
    let chosen = chosen(&form, &held);
    match workspace.app.choose_approval_policy(visit.caller(), &chosen).await {
        Ok(_) => respond::go_to(&route::done(route::APPROVAL_POLICY, "chosen")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &held))
        }
    }
}

fn chosen(form: &Form, held: &ApprovalPolicy) -> StoredPolicy {
    let rule = |(action, severity): (ApprovalAction, Option<Severity>)| {
        let needs = form.value(&field_of(action, severity)).to_owned();
        let people = held.rule(action, severity).people;
        let is_named = needs == ApprovalNeed::Named.as_str();
        StoredRule {
            action: action.to_string(),
            severity: severity.map(|severity| severity.to_string()),
            needs,
            people: people.iter().filter(|_| is_named).map(ToString::to_string).collect(),
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
    }
}
