//! Arrangements that stand in no template are taken over into the templates, with one press.

use app::register::{Overview, TakeOver};
use axum::extract::State;
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::register as texts,
    ui::{self, badge::Tone, notice::notice},
};

/// How many of those that were left out the page names.
const NAMED: usize = 20;

/// Says how many arrangements wait, and offers to take them over.
pub(super) fn offered(visit: &Visit, overview: &Overview, may_write: bool) -> Markup {
    if overview.waiting == 0 {
        return html! {};
    }
    let title = visit.fill(texts::WAITING, &[("count", &overview.waiting)]);
    let content = html! {
        p { (visit.t(texts::WAITING_HELP)) }
        @if may_write {
            (ui::post_button(visit, &format!("{}/take-over", route::REGISTER), visit.t(texts::TAKE_OVER)))
        }
    };
    notice(Tone::Warning, &title, &content)
}

/// What was done is on the answer itself: it names what was left out, which no later page knows.
pub(super) async fn take(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, .. } = posted;
    match workspace.app.third_parties.take_over_arrangements(visit.caller()).await {
        Ok(taken) => {
            let page = super::page_with(&workspace, &visit, &Form::default(), &done(&visit, &taken)).await?;
            respond::page(page)
        }
        Err(error) => {
            let mut form = Form::default();
            form.refuse(error)?;
            respond::refused(super::page(&workspace, &visit, &form).await?)
        }
    }
}

fn done(view: &View, taken: &TakeOver) -> Markup {
    let values: [(&str, &dyn std::fmt::Display); 2] =
        [("arrangements", &taken.arrangements), ("rows", &taken.rows)];
    let state = super::verdict(view, 1, taken.problems.refused, taken.readiness_pct < 100);
    let content = html! {
        p { (view.fill(texts::TAKEN_OVER_HELP, &values)) " " (state) }
        @if taken.left > 0 {
            p { (view.fill(texts::LEFT_OUT, &[("left", &taken.left)])) }
            ul.bullets {
                @for left in taken.left_out.iter().take(NAMED) { li { (left.reference) ": " (left.company) } }
            }
        }
    };
    notice(if taken.left > 0 { Tone::Warning } else { Tone::Good }, view.t(texts::TAKEN_OVER), &content)
}
