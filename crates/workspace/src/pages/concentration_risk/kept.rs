//! The result of a simulation, and saved simulations.

use app::analysis::{
    ChangeContent, ChangeKind, FieldContent, KeptSimulation, NamedContent, ShareContent, SimulationContent,
    SimulationHead, StandingContent,
};
use axum::extract::{Path, State};
use domain::{
    arrangement::Arrangement,
    concentration::{Basis, Dimension, Scope},
    field::{self, Fields as _},
    format,
    id::SimulationId,
    page::PageRequest,
    right::{Resource, Right},
    rounding::Hundredths,
    text::Name,
    vocabulary::Vocabulary as _,
    wording::Label,
};
use maud::{Markup, html};

use super::{level_badge, shares::rates, simulation};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{EVIDENCE_TARGETS, evidence, file, pick},
    respond::{self, Answer},
    route,
    texts::{analysis as texts, record},
    ui::{
        self, Confirm,
        badge::{Tone, badge},
        field::Field,
        notice::complaints,
        table::{Column, table},
    },
};

/// The maximum number of saved simulations listed.
const MOST_LISTED: u64 = 50;
/// The maximum number of entries of one dimension; the largest changes come first.
const MOST_MOVED: usize = 10;

fn address_of(id: SimulationId) -> String {
    format!("{}/simulations/{id}", route::CONCENTRATION)
}

fn simulation_id(id: &str) -> Result<SimulationId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

/// The changes, the figures before and after, and which shares move.
pub(super) fn outcome(view: &View, content: &SimulationContent) -> Markup {
    let t = |label| view.t(label);
    let part = html! {
        (changes(view, &content.changes))
        div.stats {
            (stood(view, texts::BEFORE, content.before.as_ref()))
            (stood(view, texts::AFTER, content.after.as_ref()))
        }
        (rates(view, &content.rates))
        (breaches(view, texts::NEW_BREACHES, Tone::Critical, &content.new_breaches))
        (breaches(view, texts::GONE_BREACHES, Tone::Good, &content.gone_breaches))
        @if content.shares.is_empty() { p { (t(texts::NO_CHANGE)) } }
        @for dimension in Dimension::ALL {
            @let moved: Vec<_> =
                content.shares.iter().filter(|share| share.dimension == dimension.as_str()).collect();
            @if !moved.is_empty() {
                h3 { (t(dimension.label())) }
                (shares(view, t(dimension.label()), &moved))
            }
        }
    };
    ui::section(t(texts::OUTCOME), &part)
}

fn changes(view: &View, changes: &[ChangeContent]) -> Markup {
    html! {
        ul.bullets {
            @for change in changes {
                li {
                    strong { (view.t(done_by(change.kind))) } " " (change.reference)
                    @if !change.provider.is_empty() { ": " (change.provider) " (" (change.service) ")" }
                    @for field in &change.fields {
                        br; span.hint { (named(view, field)) ": " (field.before) " → " (field.after) }
                    }
                }
            }
        }
    }
}

fn done_by(kind: ChangeKind) -> Label {
    match kind {
        ChangeKind::Sign => texts::DO_SIGN,
        ChangeKind::Change => texts::DO_CHANGE,
        ChangeKind::End => texts::DO_END,
    }
}

/// What people call a field of an arrangement.
fn named<'n>(view: &View, field: &'n FieldContent) -> &'n str {
    field::find(Arrangement::ALL, &field.field).map_or(field.field.as_str(), |known| view.t(known.label))
}

/// The figures before or after: the level and the breaches.
fn stood(view: &View, when: Label, standing: Option<&StandingContent>) -> Markup {
    html! {
        div {
            span.quiet { (view.t(when)) }
            @match standing {
                None => { span.figure { "–" } }
                Some(standing) => {
                    span.figure { (level_badge(view, &standing.level)) }
                    span.hint { (view.t(texts::BREACHES)) ": " (standing.breaches) }
                }
            }
        }
    }
}

pub(super) fn shares(view: &View, caption: &str, moved: &[&ShareContent]) -> Markup {
    let columns = [
        Column::text(view.t(texts::NAME)),
        Column::number(view.t(texts::BEFORE)),
        Column::number(view.t(texts::AFTER)),
        Column::number(view.t(texts::DIFFERENCE)),
    ];
    let shown = |share: Option<i64>| {
        share.map_or_else(|| "–".to_owned(), |share| view.percent(Hundredths::new(share)))
    };
    let rows: Vec<_> = moved
        .iter()
        .take(MOST_MOVED)
        .map(|share| {
            vec![
                html! { (share.name) },
                html! { (shown(share.before)) },
                html! { (shown(share.after)) },
                html! { (format::signed_points(view.language, Hundredths::new(share.difference))) },
            ]
        })
        .collect();
    table(caption, &columns, &rows)
}

pub(super) fn breaches(view: &View, title: Label, tone: Tone, breaches: &[NamedContent]) -> Markup {
    html! {
        @if !breaches.is_empty() {
            h3 { (badge(tone, view.t(title))) }
            ul.bullets {
                @for breach in breaches {
                    @let dimension = Dimension::find(&breach.dimension);
                    li {
                        (dimension.map_or(breach.dimension.as_str(), |known| view.t(known.label()))) ": "
                        (breach.name)
                    }
                }
            }
        }
    }
}

/// The form that saves the displayed simulation.
pub(super) fn keeping(visit: &Visit, form: &Form) -> Markup {
    let name = Form::filled([("name", form.value("name").to_owned())]);
    let asked = html! {
        p { (visit.t(texts::KEEP_HELP)) }
        form method="post" action={ (route::CONCENTRATION) "/simulations" } {
            (visit.form_token())
            @for (field, value) in form.sent().filter(|(field, _)| *field != "name") {
                input type="hidden" name=(field) value=(value);
            }
            (Field::text(visit, &name, "name", texts::SIMULATION_NAME).at_most(255).render())
            div.form-end { button.button type="submit" { (visit.t(texts::KEEP)) } }
        }
    };
    ui::section(visit.t(texts::KEEP_TITLE), &asked)
}

pub(super) async fn keep(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Analyses, Right::Write)?;
    let name = form.checked("name", Name::parse);
    let kept = match simulation::wanted(&mut form).and_then(|wanted| Ok((wanted, form.finish(name)?))) {
        Ok(((request, changes), name)) => {
            let render = Box::new(|_: &KeptSimulation| String::new());
            workspace
                .app
                .third_parties
                .keep_simulation(visit.caller(), name, request, changes, None, render)
                .await
        }
        Err(error) => Err(error),
    };
    match kept {
        Ok(kept) => {
            let address = format!("{}/simulations/{}", route::CONCENTRATION, kept.subject);
            respond::go_to(&route::done(&address, "kept"))
        }
        Err(error) => {
            form.refuse(error)?;
            let asked = keeping(&visit, &form);
            respond::refused(simulation::page(&workspace, &visit, &form, &asked).await?)
        }
    }
}

/// The saved simulations, newest first.
pub(super) async fn list(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let some = PageRequest::new(Some(MOST_LISTED), None).unwrap_or_default();
    let kept = workspace.app.third_parties.kept_simulations(visit.caller(), some).await?;
    if kept.items.is_empty() {
        return Ok(html! {});
    }
    let columns = [
        Column::text(visit.t(texts::SIMULATION_NAME)),
        Column::tight(visit.t(texts::SIMULATED)),
        Column::tight(visit.t(texts::BEFORE)),
        Column::tight(visit.t(texts::AFTER)),
    ];
    let level = |level: &str| {
        if level.is_empty() {
            html! { "–" }
        } else {
            level_badge(visit, level)
        }
    };
    let cells = |head: &SimulationHead| {
        vec![
            html! { a href=(address_of(head.id)) { (head.name) } },
            html! { (visit.time(head.made_at)) },
            level(&head.level_before),
            level(&head.level_after),
        ]
    };
    let rows: Vec<_> = kept.items.iter().map(cells).collect();
    let title = visit.t(texts::KEPT_SIMULATIONS);
    Ok(ui::section(title, &table(title, &columns, &rows)))
}

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let id = simulation_id(id)?;
        return file::pdf(workspace.app.report.simulation_pdf(visit.caller(), id, visit.language).await?);
    }
    respond::page(page(&workspace, &visit, simulation_id(&id)?, &Form::default()).await?)
}

/// One kept simulation; `form` holds what was asked when it could not be attached.
async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: SimulationId,
    form: &Form,
) -> Result<Markup, PageError> {
    let kept = workspace.app.third_parties.kept_simulation(visit.caller(), id).await?;
    let (address, t) = (address_of(kept.head.id), |label| visit.t(label));
    let actions = html! {
        (ui::link_button(&format!("{address}.pdf"), "PDF", false))
        (ui::link_button(&format!("{}/simulate", route::CONCENTRATION), t(texts::SIMULATION), false))
    };
    let deletion = Confirm {
        action: &format!("{address}/delete"),
        opener: texts::DELETE_OPENER,
        about: &kept.head.name,
        question: visit.fill(texts::DELETE_SIMULATION, &[("name", &kept.head.name)]),
        sure: record::DELETE_SURE,
    };
    let record = pick::field(workspace, visit, form, ("id", texts::ATTACH_ID), &EVIDENCE_TARGETS).await?;
    let content = html! {
        (ui::head(&kept.head.name, t(texts::KEPT_INTRO), Some(actions)))
        (ui::notice::done(visit, &[("kept", texts::SIMULATION_KEPT)]))
        (complaints(visit, form, &[("id", texts::ATTACH_ID)]))
        p.hint { (asked(visit, &kept)) }
        (outcome(visit, &kept.content))
        @if visit.may(Resource::Analyses, Right::Write) {
            (attaching(visit, &address, &record))
            (deletion.render(visit))
        }
    };
    Ok(ui::layout::page(visit, &kept.head.name, &content))
}

/// The form that keeps the report as evidence.
fn attaching(visit: &Visit, address: &str, record: &Markup) -> Markup {
    let asked = html! {
        p { (visit.t(texts::ATTACH_HELP)) }
        form method="post" action={ (address) "/attach" } {
            (visit.form_token())
            (record)
            div.form-end { button.button type="submit" { (visit.t(texts::ATTACH)) } }
        }
    };
    ui::section(visit.t(texts::ATTACH), &asked)
}

pub(super) async fn attach(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, simulation_id(&id)?);
    visit.caller().require_right(Resource::Analyses, Right::Write)?;
    let link = match form.value("id").trim() {
        "" => Ok(None),
        _ => evidence::picked_link(&workspace, &visit, &mut form).await.map(Some),
    };
    let attached = match link {
        Ok(link) => {
            let report = (id, visit.language);
            workspace
                .app
                .report
                .attach_simulation(visit.caller(), report, link, None, |_| String::new())
                .await
        }
        Err(error) => Err(error),
    };
    match attached {
        Ok(made) => {
            let address = format!("{}/{}", route::EVIDENCE, made.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, id, &form).await?)
        }
    }
}

/// When it was simulated, and on which basis.
fn asked(view: &View, kept: &KeptSimulation) -> Markup {
    let content = &kept.content;
    let word = |label: Option<Label>| label.map(|label| view.t(label)).unwrap_or_default();
    html! {
        (view.t(texts::SIMULATED)) " " (view.time(kept.head.made_at)) ", " (view.t(texts::AS_OF)) " "
        (view.day_or_none(content.as_of.parse().ok())) ", "
        (word(Basis::find(&content.basis).map(Basis::label))) ", "
        (word(Scope::find(&content.scope).map(Scope::label)))
    }
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    workspace
        .app
        .third_parties
        .delete_simulation(posted.visit.caller(), simulation_id(&id)?)
        .await
        .map_err(PageError::from)?;
    respond::go_to(&route::done(&format!("{}/simulate", route::CONCENTRATION), "deleted"))
}
