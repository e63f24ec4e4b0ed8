//! One risk: its ratings, its treatment, its acceptance, and its history.

use app::{history::Detail, records::RecordKind as _, risk::RiskView, task::TaskRow};
use axum::extract::{Path, State};
use domain::{
    approval::ApprovalAction,
    change::Change,
    evidence::LinkType,
    id::RiskId,
    right::{Resource, Right},
    risk::{AcceptanceInput, Appetite, Rating, Risk, RiskInput, RiskStatus},
    transition::Lifecycle as _,
};
use maud::{Markup, html};

use super::{DONE, address_of, matrix::Scale, rated_badge, tone};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{approvals, evidence, names::Names, past, record, requirements},
    respond::Answer,
    route,
    texts::{common, own_risk as texts, record as shared},
    ui::{
        self,
        badge::badge,
        field::{self, Field},
        history,
        table::{Column, table},
    },
};

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: RiskId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: mut risk, history: steps, .. }, _) =
        workspace.app.records.record::<Risk>(visit.caller(), id).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    Risk::translate(&mut risk, &edition, visit.language);
    let scale = Scale::of(&edition, visit.language);
    let appetite = workspace.app.compliance.risk_appetite(visit.caller()).await?;
    let badge_of = |word: &str| record::status_badge(visit, word, tone);
    let past = past::section(workspace, visit, id, &steps, badge_of).await?;
    let actions_of = workspace.app.records.tasks_about(visit.caller(), id.to_string()).await?;
    let names = Names::of(workspace, visit, named(&risk)).await?;
    let removal = workspace.app.records.removal::<Risk>(visit.caller(), id).await?;
    let t = |label| visit.t(label);
    let owner = risk.row.record.owner.as_ref();
    let may_write = workspace.app.people.may_change(visit.caller(), Resource::Risks, owner).await?
        && risk.row.archived_at.is_none();
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Risk, id, may_attach).await?;
    let accepts = may_write && risk.row.record.status.can_become(RiskStatus::Accepted);
    let asked = accepts.then_some(ApprovalAction::Accept);
    let controls: Vec<_> = risk.row.record.controls.iter().filter_map(|id| id.parse().ok()).collect();
    let behind = requirements::behind(workspace, visit, &[], &controls).await?;
    let approval = approvals::offer(workspace, visit, id.to_string(), asked).await?;
    let (address, title, status) = (address_of(id), risk.row.record.title.as_str(), risk.row.record.status);
    let actions = html! {
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let offered = |to: RiskStatus| to != RiskStatus::Accepted;
    let content = html! {
        (ui::head(title, &risk.row.record.reference.to_string(), Some(actions)))
        (ui::notice::done(visit, &DONE))
        (record::archived(visit, &address, risk.row.archived_at, visit.may(Resource::Risks, Right::Decide)))
        (record::form::complaints::<Risk>(visit, form, &[("note", shared::NOTE), ("risk", texts::RISK)]))
        div.split {
            div {
                section.card {
                    (facts(visit, (&names, &scale), &risk))
                    (record::field::passages(visit, &risk.row.record))
                    (record::field::links(visit, &names, &risk.row.record))
                    (behind)
                }
                (treatment(visit, &risk, &actions_of))
                (acceptance(visit, form, (&risk, &names), &appetite, may_write))
                (evidence)
            }
            div {
                (approval)
                @if may_write {
                    (ui::section(t(shared::NEXT_STEP),
                        &history::moves(visit, form, &format!("{address}/move"), status, offered)))
                }
                (past)
                @if visit.may(Resource::Risks, Right::Decide) { div #risk { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

/// The ids that the page shows by their names.
fn named(risk: &RiskView) -> Vec<String> {
    let record = &risk.row.record;
    let people =
        record.acceptance.iter().flat_map(|held| [Some(held.proposed_by.clone()), held.approved_by.clone()]);
    people.flatten().chain(record::field::linked(record)).collect()
}

fn facts(visit: &Visit, (names, scale): (&Names, &Scale), risk: &RiskView) -> Markup {
    let (record, t) = (&risk.row.record, |label| visit.t(label));
    html! {
        div.row {
            (badge(tone(record.status), t(record.status.label())))
            @if risk.exceeds.is_some() { (badge(ui::badge::Tone::Critical, t(texts::ABOVE))) }
            (record::library_badge(visit, &risk.library_texts))
        }
        @if let Some(level) = risk.exceeds {
            p.hint { (visit.fill(texts::ABOVE_HELP, &[("level", &t(level.label()))])) }
        }
        dl.facts {
            dt { (t(Risk::INHERENT.label)) } dd { (rating(visit, scale, record.inherent)) }
            dt { (t(Risk::RESIDUAL.label)) } dd { (rating(visit, scale, record.residual)) }
            dt { (t(Risk::TARGET.label)) }
            dd { @if record.target.is_some() { (rating(visit, scale, record.target)) } @else { (visit.or_none(None::<&str>)) } }
            (record::field::facts(visit, record))
            @if let Some(source) = &record.adopted_from {
                dt { (t(Risk::ADOPTED_FROM.label)) }
                dd { a href={ (route::RISK_REGISTER) "/" (source) } { (names.get(source).as_deref().unwrap_or(source)) } }
            }
            dt { (t(common::CHANGED)) } dd { (visit.time(risk.row.updated_at)) }
        }
    }
}

fn rating(view: &View, scale: &Scale, rating: Option<Rating>) -> Markup {
    let badge = rated_badge(view, rating);
    let Some(rating) = rating else { return badge };
    let (likelihood, impact) = (scale.likelihood(rating.likelihood()), scale.impact(rating.impact()));
    let field = view.fill(texts::FIELD, &[("likelihood", &likelihood), ("impact", &impact)]);
    html! { (badge) " " span.quiet { (field) } }
}

/// What is done about the risk: tasks, each with its owner and day.
fn treatment(visit: &Visit, risk: &RiskView, actions: &[TaskRow]) -> Markup {
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::ACTION)),
        Column::tight(t(common::STATUS)),
        Column::person(t(shared::OWNER)),
        Column::tight(t(shared::DUE_ON)),
    ];
    let cells = |row: &TaskRow| {
        vec![
            html! { a href={ (route::TASKS) "/" (row.id) } { (row.record.title.as_str()) } },
            html! { (t(row.record.status.label())) },
            visit.person(row.record.owner.as_ref()),
            visit.day_or_none(row.record.due_on),
        ]
    };
    let rows: Vec<_> = actions.iter().map(cells).collect();
    let new = format!("{}?about={}#new-task", route::WORK, risk.row.record.reference);
    ui::section(
        t(texts::ACTIONS),
        &html! {
            @if rows.is_empty() { p.quiet { (t(texts::NO_ACTIONS)) } }
            @else { (table(t(texts::ACTIONS), &columns, &rows)) }
            @if visit.may(Resource::Tasks, Right::Write) {
                div.row { (ui::link_button(&new, t(texts::ADD_ACTION), false)) }
            }
        },
    )
}

fn acceptance(
    visit: &Visit,
    form: &Form,
    (risk, names): (&RiskView, &Names),
    appetite: &Appetite,
    may_write: bool,
) -> Markup {
    let (record, t) = (&risk.row.record, |label| visit.t(label));
    let held = record.acceptance.as_ref();
    if record.status == RiskStatus::Closed || (held.is_none() && !may_write) {
        return html! {};
    }
    let open = may_write && record.status != RiskStatus::Accepted;
    ui::section(
        t(Risk::ACCEPTANCE.label),
        &html! {
            @if let Some(acceptance) = held {
                p.prose { (acceptance.reason.as_str()) }
                dl.facts {
                    dt { (t(Risk::UNTIL.label)) } dd { (visit.day(acceptance.until)) }
                    dt { (t(Risk::PROPOSED_BY.label)) } dd { (names.link(&acceptance.proposed_by)) }
                    dt { (t(Risk::APPROVED_BY.label)) }
                    dd {
                        @match &acceptance.approved_by {
                            Some(person) => (names.link(person)),
                            None => (t(texts::NOT_APPROVED)),
                        }
                    }
                }
            }
            @if open { (ask(visit, form, risk, appetite)) }
        },
    )
}

/// Saves a proposal, or accepts the risk with the entries.
fn ask(visit: &Visit, form: &Form, risk: &RiskView, appetite: &Appetite) -> Markup {
    let held = risk.row.record.acceptance.as_ref();
    let filled = Form::filled([
        ("acceptance.reason", held.map(|held| held.reason.to_string()).unwrap_or_default()),
        ("acceptance.until", held.map(|held| held.until.to_string()).unwrap_or_default()),
    ]);
    let form = if form.is_checked("acceptance.until") { form } else { &filled };
    let level = visit.t(appetite.second_person_from.label());
    html! {
        p.hint { (visit.fill(texts::ACCEPTANCE_HELP, &[("level", &level)])) }
        form method="post" action={ (address_of(risk.row.id)) "/acceptance" } {
            (visit.form_token())
            (field::required_area(visit, form, "acceptance.reason", Risk::REASON.label, None))
            (Field::day(visit, form, "acceptance.until", Risk::UNTIL.label).render())
            div.row {
                button.button type="submit" { (visit.t(texts::PROPOSE)) }
                @if visit.may(Resource::Risks, Right::Decide) {
                    button.button type="submit" name="status" value="accepted" { (visit.t(texts::ACCEPT)) }
                }
            }
        }
    }
}

pub(super) async fn propose(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, record::form::id_of::<Risk>(&id)?);
    let acceptance = AcceptanceInput {
        reason: form.required_change("acceptance.reason"),
        until: form.required_change("acceptance.until"),
    };
    let status = form.filled_change("status");
    let done = if matches!(status, Change::Set(_)) { "moved" } else { "proposed" };
    let input = RiskInput { acceptance: Change::Set(acceptance), status, ..RiskInput::default() };
    let precondition = record::precondition(&form);
    let result = workspace.app.records.change_record::<Risk>(visit.caller(), id, input, precondition).await;
    record::form::settled::<Risk, _>(&workspace, &visit, id, form, result, done).await
}
