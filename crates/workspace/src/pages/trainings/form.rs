//! The form of a training: its day, and whether the person is a member of the management body.

use app::{Error, training::TrainingRow};
use domain::{
    id::TrainingId,
    training::{Training, TrainingInput},
    wording::Label,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        bulk_field::BulkField,
        cell::Cell,
        form::{FormTexts, RecordForm},
    },
    route,
    texts::{record as shared, training as texts},
    ui::field::{self, Field},
};

impl RecordForm for Training {
    const ADDRESS: &'static str = route::TRAININGS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::NEW_INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", texts::TRAINING),
        ("module", texts::MODULE),
        ("provider", texts::PROVIDER),
        ("owner", texts::PERSON),
        ("due_on", shared::DUE_ON),
        ("management_body", texts::MEMBER),
        ("attempts", texts::ATTEMPTS),
        ("score", texts::SCORE),
        ("passed_on", texts::PASSED_ON),
    ];
    const CELLS: &'static [Cell<Self>] =
        &[Cell::required_day(("due_on", "due_on"), shared::DUE_ON, |training| Some(training.due_on))];
    const BULK: &'static [BulkField<Self>] = &[BulkField::day("due_on", shared::DUE_ON).required()];

    async fn form_fields(
        _: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&TrainingRow>,
    ) -> Result<Markup, PageError> {
        Ok(html! {
            (Field::day(visit, form, "due_on", shared::DUE_ON).render())
            (field::switch(visit, form, "management_body", texts::MEMBER, None))
        })
    }

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
        let mut fields =
            vec![("title", row.record.title.to_string()), ("due_on", row.record.due_on.to_string())];
        fields.extend(row.record.management_body.then(|| ("management_body", "1".to_owned())));
        Ok(fields)
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
