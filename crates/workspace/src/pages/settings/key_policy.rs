//! What the institution lets its API keys do: whether they may decide, and whether they end with their maker's account.

use axum::extract::State;
use domain::key_policy::KeyPolicy;
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field,
};

const DECIDE: &str = "keys_may_decide";
const END_WITH_MAKER: &str = "keys_end_with_maker";

pub(super) fn part(visit: &Visit, policy: KeyPolicy) -> Markup {
    let ticked = [(DECIDE, policy.may_decide), (END_WITH_MAKER, policy.end_with_maker)];
    let ticked = ticked.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| (name, "1".to_owned()));
    let form = Form::filled(ticked);
    let word = |is_on| visit.t(if is_on { common::YES } else { common::NO });
    html! {
        p { (visit.t(texts::KEY_POLICY_HELP)) }
        @if visit.caller().may_administer() {
            form method="post" action={ (route::SETTINGS) "/key-policy" } {
                (visit.form_token())
                (field::switch(visit, &form, DECIDE, texts::KEYS_DECIDE, Some(texts::KEYS_DECIDE_HELP)))
                (field::switch(visit, &form, END_WITH_MAKER, texts::KEYS_END, Some(texts::KEYS_END_HELP)))
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else {
            dl.facts {
                dt { (visit.t(texts::KEYS_DECIDE)) } dd { (word(policy.may_decide)) }
                dt { (visit.t(texts::KEYS_END)) } dd { (word(policy.end_with_maker)) }
            }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, form } = posted;
    let policy =
        KeyPolicy { may_decide: form.is_checked(DECIDE), end_with_maker: form.is_checked(END_WITH_MAKER) };
    workspace.app.people.set_key_policy(visit.caller(), policy).await?;
    respond::go_to(&route::done(route::SETTINGS, "key-policy"))
}
