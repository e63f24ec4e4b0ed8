//! One training on one page: its facts, the lessons of its module, and the result of a course held elsewhere.

use app::{
    catalogue::training::Training as Module, history::Detail, records::RecordKind as _,
    training::TrainingView,
};
use axum::extract::{Path, State};
use domain::{
    correction::CorrectedField,
    evidence::LinkType,
    id::TrainingId,
    right::{Resource, Right},
    text::Name,
    training::{ResultInput, Training, TrainingState},
};
use maud::{Markup, html};

use super::{DONE, address_of, score, state_badge, training_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        evidence, past,
        record::{
            self,
            correction::{self, Corrections, Now},
            form::settled,
        },
        reference::edition,
    },
    respond::Answer,
    texts::{common, record as shared, training as texts},
    ui::{self, field::Field},
};

/// Of the fields of the form that corrects the result.
const PREFIX: &str = "result";

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: TrainingId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: mut training, history: steps, corrections }, _) =
        workspace.app.compliance.training(visit.caller(), id).await?;
    let corrections = Corrections::of(workspace, visit, corrections, Vec::new()).await?;
    let edition = edition(workspace)?;
    Training::translate(&mut training, &edition, visit.language);
    let module = training.row.record.module.as_deref().and_then(|module| edition.trainings.get(module));
    let (may_write, may_decide) =
        (visit.may(Resource::Trainings, Right::Write), visit.may(Resource::Trainings, Right::Decide));
    let is_live = training.row.archived_at.is_none();
    let history = past::section(workspace, visit, id, &steps, |word| {
        record::status_badge(visit, word, TrainingState::tone)
    })
    .await?;
    let may_attach = may_write && is_live && visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Training, id, may_attach).await?;
    let removal = if may_decide {
        let removal = workspace.app.records.removal::<Training>(visit.caller(), id).await?;
        record::removal(visit, &address_of(id), &training.title, removal)
    } else {
        html! {}
    };
    let others: Vec<_> = [("training", texts::TRAINING)].into_iter().chain(correction::NAMES).collect();
    let lead = format!("{} · {}", training.row.record.reference, training.person);
    let content = html! {
        (ui::head(&training.title, &lead, Some(actions(visit, &training, module.is_some()))))
        (ui::notice::done(visit, &DONE))
        (record::archived(visit, &address_of(id), training.row.archived_at, may_decide))
        (record::form::complaints::<Training>(visit, form, &others))
        section #training .card {
            (facts(visit, &training))
            (corrections.list(visit, |_| true))
            @if may_decide && is_live && can_be_corrected(visit, &training) {
                @let action = format!("{}/correct", address_of(id));
                (correction::form(visit, form, (PREFIX, &action), &now(&training.row.record), false))
            }
        }
        @if let Some(module) = module { (lessons(visit, module)) }
        @if may_write && is_live && can_have_result(visit, &training) { (result_form(visit, form, id)) }
        (evidence)
        (history)
        (removal)
    };
    Ok(ui::layout::page(visit, &training.title, &content))
}

/// Whether the reader may record a result: of a course held elsewhere, and not their own.
fn can_have_result(visit: &Visit, training: &TrainingView) -> bool {
    let record = &training.row.record;
    record.module.is_none() && record.is_open() && !is_own(visit, training)
}

/// Whether the reader, who may decide, may correct the result: of a course held elsewhere, and not their own.
fn can_be_corrected(visit: &Visit, training: &TrainingView) -> bool {
    let record = &training.row.record;
    record.module.is_none() && !record.is_open() && !is_own(visit, training)
}

/// The recorded result, as the form that corrects it shows it.
fn now(record: &Training) -> Vec<Now> {
    let day = record.passed_on.map(|day| Now::Day(CorrectedField::PassedOn, day));
    let score = Now::Line(CorrectedField::Score, record.score.map(|score| score.to_string()));
    day.into_iter().chain([score]).collect()
}

fn is_own(visit: &Visit, training: &TrainingView) -> bool {
    training.row.record.person == visit.session().user.id
}

fn actions(visit: &Visit, training: &TrainingView, has_module: bool) -> Markup {
    let (record, address, t) = (&training.row.record, address_of(training.row.id), |label| visit.t(label));
    let is_live = training.row.archived_at.is_none();
    let takes = has_module && is_live && record.is_open() && is_own(visit, training);
    let take = if record.attempts == 0 { texts::TAKE } else { texts::TAKE_AGAIN };
    html! {
        @if has_module && record.attempts > 0 {
            (ui::link_button(&format!("{address}/result"), t(texts::SHOW_RESULT), false))
        }
        @if record.passed_on.is_some() {
            (ui::link_button(&format!("{address}/certificate.pdf"), t(texts::CERTIFICATE), false))
        }
        @if visit.may(Resource::Trainings, Right::Write) && is_live {
            (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false))
        }
        @if takes { (ui::link_button(&format!("{address}/quiz"), t(take), true)) }
    }
}

fn facts(visit: &Visit, training: &TrainingView) -> Markup {
    let (record, t) = (&training.row.record, |label| visit.t(label));
    let marked = if record.management_body { common::YES } else { common::NO };
    html! {
        div.row { (state_badge(visit, training.state)) }
        dl.facts {
            dt { (t(Training::PERSON.label)) } dd { (training.person) }
            dt { (t(Training::MANAGEMENT_BODY.label)) } dd { (t(marked)) }
            @if record.module.is_none() {
                dt { (t(Training::PROVIDER.label)) } dd { (visit.or_none(record.provider.as_ref().map(Name::as_str))) }
            }
            dt { (t(Training::DUE_ON.label)) } dd { (visit.day(record.due_on)) }
            dt { (t(Training::ATTEMPTS.label)) } dd { (record.attempts) }
            dt { (t(Training::SCORE.label)) } dd { (score(visit, record)) }
            dt { (t(Training::PASSED_ON.label)) } dd { (visit.day_or_none(record.passed_on)) }
            dt { (t(common::CHANGED)) } dd { (visit.time(training.row.updated_at)) }
        }
    }
}

/// What the module teaches; its questions are on the page of the quiz.
fn lessons(visit: &Visit, module: &Module) -> Markup {
    let language = visit.language;
    html! {
        (ui::section(visit.t(texts::OBJECTIVES), &html! {
            p { (module.summary.get(language)) }
            ul.bullets { @for objective in &module.objectives { li { (objective.get(language)) } } }
        }))
        @for lesson in &module.lessons {
            (ui::section(lesson.title.get(language), &html! {
                @for part in &lesson.text { p.prose { (part.get(language)) } }
            }))
        }
    }
}

fn result_form(visit: &Visit, form: &Form, id: TrainingId) -> Markup {
    let t = |label| visit.t(label);
    ui::section(
        t(texts::RECORD_RESULT),
        &html! {
            p.hint { (t(texts::RECORD_HELP)) }
            form method="post" action={ (address_of(id)) "/result" } {
                (visit.form_token())
                div.columns {
                    (Field::day(visit, form, "passed_on", Training::PASSED_ON.label).render())
                    (Field::number(visit, form, "score", Training::SCORE.label, (0, 100)).optional().render())
                }
                div.form-end { button.button type="submit" { (t(texts::RECORD_RESULT)) } }
            }
        },
    )
}

pub(super) async fn record_result(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, training_id(&id)?);
    visit.caller().require_right(Resource::Trainings, Right::Write)?;
    let input = ResultInput {
        passed_on: form.required_change("passed_on"),
        score: form.decimal("score"),
        ..ResultInput::default()
    };
    let recorded = match form.finish(Some(input)) {
        Ok(input) => {
            let precondition = record::precondition(&form);
            workspace.app.compliance.record_training_result(visit.caller(), id, input, precondition).await
        }
        Err(error) => Err(error),
    };
    settled::<Training, _>(&workspace, &visit, id, form, recorded, "recorded").await
}

pub(super) async fn correct(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, training_id(&id)?);
    visit.caller().require_right(Resource::Trainings, Right::Decide)?;
    let (detail, _) = workspace.app.compliance.training(visit.caller(), id).await?;
    let inputs = correction::inputs(&visit, &mut form, PREFIX, &now(&detail.record.row.record));
    let saved = match form.finish(Some(inputs)) {
        Ok(inputs) => {
            let precondition = record::precondition(&form);
            workspace
                .app
                .records
                .correct_record::<Training>(visit.caller(), id, (), inputs, precondition)
                .await
        }
        Err(error) => Err(error),
    };
    settled::<Training, _>(&workspace, &visit, id, form, saved, "corrected").await
}
