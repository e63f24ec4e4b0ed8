//! The form of a training: its day, and whether the person is a member of the management body.

use app::{Error, training::TrainingRow};
use domain::{
    id::TrainingId,
    training::{Training, TrainingInput},
};
use maud::Markup;

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        field::{FormField, Section},
        form::{FormTexts, RecordForm},
    },
    route,
    texts::training as texts,
};

type Asked = FormField<Training>;

impl RecordForm for Training {
    const ADDRESS: &'static str = route::TRAININGS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::NEW_INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::day(Self::DUE_ON, |training| Some(training.due_on)).required().wide().bulk().cell(),
        Asked::flag(Self::MANAGEMENT_BODY, |training| training.management_body),
    ])];

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&TrainingRow>,
    ) -> Result<TrainingInput, Error> {
        let input = TrainingInput {
            due_on: form.required_change("due_on"),
            management_body: form.box_change("management_body"),
        };
        form.finish(Some(input))
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &TrainingRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        Ok(vec![(Self::TITLE.name, row.record.title.to_string())])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: TrainingId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}
