//! For whom the institution requires a second factor.

use axum::extract::State;
use domain::{
    right::{Resource, Right},
    user::SecondFactorPolicy,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::{self, Choice},
};

const POLICY: &str = "second_factor";

pub(super) fn part(visit: &Visit, policy: SecondFactorPolicy) -> Markup {
    let form = Form::filled([(POLICY, policy.to_string())]);
    let help = |policy| match policy {
        SecondFactorPolicy::Nobody => texts::FACTOR_NOBODY,
        SecondFactorPolicy::Administrators => texts::FACTOR_ADMINISTRATORS,
        SecondFactorPolicy::Everybody => texts::FACTOR_EVERYBODY,
    };
    let choices: Vec<_> = SecondFactorPolicy::ALL
        .iter()
        .map(|policy| Choice::new(policy.as_str(), visit.t(policy.label())).help(visit.t(help(*policy))))
        .collect();
    html! {
        p { (visit.t(texts::FACTOR_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/second-factor" } {
                (visit.form_token())
                (field::choices(visit, &form, POLICY, texts::FACTOR_FOR, false, &choices))
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (visit.t(policy.label())) } } }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let policy: Option<SecondFactorPolicy> = form.parse(POLICY);
    workspace.app.people.require_second_factor(visit.caller(), form.finish(policy)?).await?;
    respond::go_to(&route::done(route::SETTINGS, "second-factor"))
}
