//! Audit bundles: what was asked for, how far it is, and the files.

use std::collections::HashMap;

use app::{Error, audit::Who, bundle::BundleRow};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    bundle::{BundleState, BundleWish},
    id::BundleId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::file,
    respond::{self, Answer},
    route,
    texts::{bundle as texts, common},
    ui::{
        self, Confirm,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        filter, history,
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::BUNDLES, get(list).post(ask))
        .route(&format!("{}/{{id}}/content", route::BUNDLES), get(content))
        .route(&format!("{}/{{id}}/delete", route::BUNDLES), post(delete))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let yesterday = visit.now.day().plus_days(-1);
    let form = Form::filled([("as_of", yesterday.to_string())]);
    respond::page(page(&workspace, &visit, &form).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let t = |label| visit.t(label);
    let bundles = workspace.app.bundle.bundles(visit.caller(), requested(visit)).await?;
    let actors = bundles.items.iter().map(|bundle| bundle.asked_by.clone()).collect();
    let people = workspace.app.actor_names(visit.caller(), actors).await?;
    let rows: Vec<_> = bundles.items.iter().map(|bundle| cells(visit, &people, bundle)).collect();
    let columns = [
        Column::text(t(texts::AS_OF)),
        Column::text(t(texts::FRAMEWORK)),
        Column::text(t(texts::STATE)),
        Column::text(t(texts::ASKED_BY)),
        Column::text(t(texts::ASKED_AT)),
        Column::number(t(texts::SIZE)),
        Column::actions(t(common::ACTIONS)),
    ];
    let key = workspace.app.bundle_key().await?;
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (ui::notice::done(visit, &[("asked", texts::WAS_ASKED), ("deleted", texts::WAS_DELETED)]))
        (asking(workspace, visit, form).await?)
        @if bundles.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        @else {
            (counted(visit, bundles.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(visit, &bundles))
        }
        (ui::section(t(texts::KEY), &html! { p { (t(texts::KEY_HELP)) } p { code { (key) } } }))
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

async fn asking(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let mut frameworks = vec![Choice::new("", visit.t(texts::ALL_FRAMEWORKS))];
    frameworks.extend(filter::framework_choices(&*workspace.app.edition_of(visit.caller()).await?));
    let names = [("as_of", texts::AS_OF), ("from", texts::FROM), ("framework", texts::FRAMEWORK)];
    Ok(html! {
        (complaints(visit, form, &names))
        form.card method="post" action=(route::BUNDLES) {
            (visit.form_token())
            (Field::day(visit, form, "as_of", texts::AS_OF).hint(texts::AS_OF_HINT).render())
            (Field::day(visit, form, "from", texts::FROM).hint(texts::FROM_HINT).optional().render())
            (field::select(visit, form, "framework", texts::FRAMEWORK, &frameworks))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::ASK)) } }
        }
    })
}

fn cells(visit: &Visit, people: &HashMap<String, Who>, bundle: &BundleRow) -> Vec<Markup> {
    let tone = match bundle.state {
        BundleState::Waiting | BundleState::Making => Tone::Notice,
        BundleState::Made => Tone::Good,
        BundleState::Failed => Tone::Critical,
    };
    let day = visit.day(bundle.wish.as_of);
    let framework = bundle.wish.framework.map(|framework| framework.name());
    vec![
        html! { (day) },
        html! { (framework.unwrap_or_else(|| visit.t(texts::ALL_FRAMEWORKS).to_owned())) },
        html! {
            (badge(tone, visit.t(bundle.state.label())))
            @if bundle.state == BundleState::Making { " " (bundle.progress) " %" }
            @if let Some(problem) = &bundle.problem { br; span.quiet { (problem) } }
            @if let Some(at) = bundle.file.as_ref().and_then(|file| file.stamped_at) {
                br; span.quiet { (visit.fill(texts::STAMPED, &[("time", &visit.moment(at))])) }
            }
        },
        html! { (history::author(visit, people.get(&bundle.asked_by))) },
        visit.time(bundle.asked_at),
        html! { @if let Some(file) = &bundle.file { (file.bytes) } },
        html! {
            @if bundle.file.is_some() {
                a.button href={ (route::BUNDLES) "/" (bundle.id) "/content" }
                    aria-label=(visit.fill(texts::DOWNLOAD_OF, &[("day", &day)])) { (visit.t(texts::DOWNLOAD)) }
            }
            @if bundle.state != BundleState::Making && visit.may(Resource::Keys, Right::Write) {
                (confirm(visit, bundle, &day))
            }
        },
    ]
}

fn confirm(visit: &Visit, bundle: &BundleRow, day: &str) -> Markup {
    let action = format!("{}/{}/delete", route::BUNDLES, bundle.id);
    let confirm = Confirm {
        action: &action,
        opener: common::DELETE,
        about: day,
        question: visit.fill(texts::DELETE_ASK, &[("day", &day)]),
        sure: texts::DELETE_SURE,
    };
    confirm.render(visit)
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let id: BundleId = id.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.bundle.delete_bundle(posted.visit.caller(), id).await?;
    respond::go_to(&route::done(route::BUNDLES, "deleted"))
}

async fn ask(State(workspace): State<Workspace>, Posted { visit, mut form }: Posted) -> Answer {
    let (as_of, from) = (form.parse("as_of"), form.parse_optional("from"));
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let named = form.value("framework").trim().to_owned();
    let framework = match named.as_str() {
        "" => None,
        id => form.checked("framework", |_| edition.framework_named(id)),
    };
    let wish = as_of.map(|as_of| BundleWish { framework, as_of, from, language: visit.language });
    let asked = match form.finish(wish) {
        Ok(wish) => workspace.app.bundle.ask_for_bundle(visit.caller(), wish, None, |_| String::new()).await,
        Err(error) => Err(error),
    };
    match asked {
        Ok(_) => respond::go_to(&route::done(route::BUNDLES, "asked")),
        Err(error) => {
            let error = match error {
                Error::Conflict(complaint) => Error::invalid("as_of", complaint),
                error => error,
            };
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

/// The file as a download.
async fn content(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let id: BundleId = id.parse().map_err(|_| PageError::NotFound)?;
    file::download(workspace.app.bundle.bundle_content(visit.caller(), id).await?).await
}
