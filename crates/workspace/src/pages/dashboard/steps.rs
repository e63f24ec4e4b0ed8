//! What a new institution does once, until it has done it.

use app::arrangement::ArrangementFilter;
use domain::{page::PageRequest, permission::Permission, wording::Label};
use maud::{Markup, html};

use crate::{
    Workspace,
    oops::Oops,
    route,
    texts::dashboard as texts,
    ui::{
        self,
        badge::{Tone, badge},
    },
    visit::Visit,
};

struct Step {
    done: bool,
    address: &'static str,
    title: Label,
    help: Label,
}

/// The steps, unless all of them are done.
pub(super) async fn card(workspace: &Workspace, visit: &Visit) -> Result<Markup, Oops> {
    let steps = first_steps(workspace, visit).await?;
    Ok(html! { @if steps.iter().any(|step| !step.done) { (steps_card(visit, &steps)) } })
}

async fn first_steps(workspace: &Workspace, visit: &Visit) -> Result<Vec<Step>, Oops> {
    let (app, caller) = (&workspace.app, visit.caller());
    let one = PageRequest::new(Some(2), None).unwrap_or_default();
    let mut steps = vec![Step {
        done: visit.session().user.has_second_factor,
        address: route::PROFILE,
        title: texts::STEP_SECOND_FACTOR,
        help: texts::STEP_SECOND_FACTOR_HELP,
    }];
    if caller.may(Permission::Write) {
        steps.push(Step {
            done: app.arrangements(caller, &ArrangementFilter::default(), one).await?.total > 0,
            address: route::ARRANGEMENTS,
            title: texts::STEP_REGISTER,
            help: texts::STEP_REGISTER_HELP,
        });
        steps.push(Step {
            done: app.thresholds(caller).await?.0.updated_at.is_some(),
            address: route::SETTINGS,
            title: texts::STEP_THRESHOLDS,
            help: texts::STEP_THRESHOLDS_HELP,
        });
        steps.push(Step {
            done: app.webhooks(caller, one).await?.total > 0,
            address: route::WEBHOOKS,
            title: texts::STEP_WEBHOOK,
            help: texts::STEP_WEBHOOK_HELP,
        });
    }
    if caller.may(Permission::ManageKeys) {
        steps.push(Step {
            done: app.list_keys(caller, one).await?.total > 0,
            address: route::API_KEYS,
            title: texts::STEP_KEY,
            help: texts::STEP_KEY_HELP,
        });
    }
    if caller.may_administer() {
        steps.push(Step {
            done: app.users(caller, one).await?.total > 1,
            address: route::USERS,
            title: texts::STEP_USERS,
            help: texts::STEP_USERS_HELP,
        });
    }
    Ok(steps)
}

fn steps_card(visit: &Visit, steps: &[Step]) -> Markup {
    let list = html! {
        ul.steps {
            @for step in steps {
                li {
                    div {
                        a href=(step.address) { (visit.t(step.title)) }
                        p.hint { (visit.t(step.help)) }
                    }
                    @if step.done { (badge(Tone::Good, visit.t(texts::DONE))) }
                    @else { (badge(Tone::Notice, visit.t(texts::OPEN))) }
                }
            }
        }
    };
    ui::section(visit.t(texts::FIRST_STEPS), &list)
}
