//! The first steps, depending on the reader's rights, until they are done.

use app::dashboard::Dashboard;
use domain::{
    page::PageRequest,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use crate::{Workspace, error::PageError, extract::Visit, route, texts::dashboard as texts, ui};

/// The maximum number of steps shown at once.
const MOST: usize = 3;

struct Step {
    done: bool,
    address: &'static str,
    title: Label,
    help: Label,
}

impl Step {
    fn new(done: bool, address: &'static str, title: Label, help: Label) -> Self {
        Self { done, address, title, help }
    }
}

/// The next steps, unless all of them are done.
pub(super) async fn card(
    workspace: &Workspace,
    visit: &Visit,
    dashboard: &Dashboard,
) -> Result<Markup, PageError> {
    let mut steps = first_steps(workspace, visit, dashboard).await?;
    steps.retain(|step| !step.done);
    steps.truncate(MOST);
    Ok(html! { @if !steps.is_empty() { (steps_card(visit, &steps, dashboard.is_empty())) } })
}

/// Every step of this reader, most useful first.
async fn first_steps(
    workspace: &Workspace,
    visit: &Visit,
    dashboard: &Dashboard,
) -> Result<Vec<Step>, PageError> {
    let caller = visit.caller();
    let second_factor = Step::new(
        visit.session().user.has_second_factor,
        route::PROFILE,
        texts::STEP_SECOND_FACTOR,
        texts::STEP_SECOND_FACTOR_HELP,
    );
    if !visit.may(Resource::Programmes, Right::Write) {
        return Ok(reading(dashboard, second_factor));
    }
    let mut steps = Vec::new();
    if visit.may(Resource::People, Right::Write) {
        steps.push(colleagues(workspace, visit).await?);
    }
    if visit.may(Resource::Profile, Right::Write) {
        let known = workspace.app.compliance.facts(caller).await?.kind.is_some();
        steps.push(Step::new(known, route::PROFILE_GUIDE, texts::STEP_PROFILE, texts::STEP_PROFILE_HELP));
        let done = dashboard.scores.iter().any(|score| score.standing.assessed > 0);
        steps.push(Step::new(done, route::ASSESSMENTS, texts::STEP_ASSESS, texts::STEP_ASSESS_HELP));
        let (done, address) = (dashboard.arrangements > 0, route::ARRANGEMENTS);
        steps.push(Step::new(done, address, texts::STEP_REGISTER, texts::STEP_REGISTER_HELP));
    }
    let done = dashboard.programmes > 0;
    steps.push(Step::new(done, route::PROGRAMMES, texts::STEP_PROGRAMME, texts::STEP_PROGRAMME_HELP));
    let done = dashboard.findings.total() > 0;
    steps.push(Step::new(done, route::FINDINGS, texts::STEP_FINDINGS, texts::STEP_FINDINGS_HELP));
    steps.push(second_factor);
    steps.extend(setting_up(workspace, visit).await?);
    Ok(steps)
}

/// The steps of a reader who may not write.
fn reading(dashboard: &Dashboard, second_factor: Step) -> Vec<Step> {
    let begun = !dashboard.is_empty();
    vec![
        second_factor,
        Step::new(begun, route::TIMELINE, texts::STEP_TIMELINE, texts::STEP_TIMELINE_HELP),
        Step::new(begun, route::REQUIREMENTS, texts::STEP_REQUIREMENTS, texts::STEP_REQUIREMENTS_HELP),
    ]
}

async fn colleagues(workspace: &Workspace, visit: &Visit) -> Result<Step, PageError> {
    let two = PageRequest::new(Some(2), None).unwrap_or_default();
    let done = workspace.app.people.users(visit.caller(), two).await?.total > 1;
    Ok(Step::new(done, route::USERS, texts::STEP_USERS, texts::STEP_USERS_HELP))
}

/// One-time settings.
async fn setting_up(workspace: &Workspace, visit: &Visit) -> Result<Vec<Step>, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let one = PageRequest::new(Some(1), None).unwrap_or_default();
    let mut steps = Vec::new();
    if visit.may(Resource::Thresholds, Right::Write) {
        let done = app.third_parties.thresholds(caller).await?.0.updated_at.is_some();
        steps.push(Step::new(done, route::LIMITS, texts::STEP_THRESHOLDS, texts::STEP_THRESHOLDS_HELP));
        let done = app.messages.webhooks(caller, one).await?.total > 0;
        steps.push(Step::new(done, route::WEBHOOKS, texts::STEP_WEBHOOK, texts::STEP_WEBHOOK_HELP));
    }
    if visit.may(Resource::Keys, Right::Write) {
        let done = app.people.list_keys(caller, one).await?.total > 0;
        steps.push(Step::new(done, route::API_KEYS, texts::STEP_KEY, texts::STEP_KEY_HELP));
    }
    Ok(steps)
}

/// Open while there is nothing else to see, closed below the records later.
fn steps_card(visit: &Visit, steps: &[Step], open: bool) -> Markup {
    let list = html! {
        ol.numbered {
            @for step in steps {
                li {
                    a href=(step.address) { (visit.t(step.title)) }
                    p.hint { (visit.t(step.help)) }
                }
            }
        }
    };
    let title = visit.t(texts::FIRST_STEPS);
    if open {
        return ui::section(title, &list);
    }
    html! { details.first-steps { summary { h2 { (title) } } (list) } }
}
