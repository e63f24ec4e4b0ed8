//! The form of a programme.

use app::{Error, programme::ProgrammeRow};
use domain::{
    framework::Framework,
    id::ProgrammeId,
    programme::{Programme, ProgrammeInput, ProgrammeStatus},
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        bulk_field::BulkField,
        cell::{self, Cell},
        form::{FormTexts, RecordForm, RecordSteps, filled},
    },
    route,
    texts::{common, programme as texts, record as shared},
    ui::{
        field::{self, Choice, Field},
        filter,
    },
};

impl RecordForm for Programme {
    const ADDRESS: &'static str = route::PROGRAMMES;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAME: &'static str = "name";
    const NAMES: &'static [(&'static str, Label)] = &[
        ("name", common::NAME),
        ("framework", shared::FRAMEWORK),
        ("owner", shared::OWNER),
        ("starts_on", texts::STARTS_ON),
        ("ends_on", texts::ENDS_ON),
        ("description", shared::DESCRIPTION),
        ("functions", texts::FUNCTIONS),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::step(
            |visit, programme| {
                let may_archive = visit.may(Resource::Programmes, Right::Decide);
                cell::steps(visit, programme.status, |to| may_archive || to != ProgrammeStatus::Archived)
            },
            <Self as RecordSteps>::step,
        ),
        Cell::owner(|programme| programme.owner.as_ref()),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(|visit| field::words::<ProgrammeStatus>(visit), <Self as RecordSteps>::step),
        BulkField::person("owner", shared::OWNER),
        BulkField::day("starts_on", texts::STARTS_ON),
        BulkField::day("ends_on", texts::ENDS_ON),
        BulkField::prose("description", shared::DESCRIPTION),
    ];

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&ProgrammeRow>,
    ) -> Result<Markup, PageError> {
        let frameworks = frameworks(workspace, visit, form).await?;
        let functions = functions(workspace, visit, form).await?;
        Ok(html! {
            (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).render())
            div.columns {
                (field::select(visit, form, "framework", shared::FRAMEWORK, &frameworks))
                (Field::person(visit, form, "owner", shared::OWNER).render())
                (Field::day(visit, form, "starts_on", texts::STARTS_ON).optional().render())
                (Field::day(visit, form, "ends_on", texts::ENDS_ON).optional().render())
            }
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
            (functions)
        })
    }

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&ProgrammeRow>,
    ) -> Result<ProgrammeInput, Error> {
        Ok(ProgrammeInput {
            name: form.required_change("name"),
            description: form.change("description"),
            framework: form.required_change("framework"),
            owner: form.change("owner"),
            starts_on: form.change("starts_on"),
            ends_on: form.change("ends_on"),
            functions: form.lines("functions"),
            ..ProgrammeInput::default()
        })
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &ProgrammeRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let functions: Vec<_> = record.functions.iter().map(Name::as_str).collect();
        Ok(vec![
            ("name", record.name.to_string()),
            ("framework", record.framework.to_string()),
            ("owner", filled(record.owner.as_ref())),
            ("starts_on", filled(record.starts_on)),
            ("ends_on", filled(record.ends_on)),
            ("description", filled(record.description.as_ref())),
            ("functions", functions.join("\n")),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: ProgrammeId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for Programme {
    fn step(form: &Form) -> ProgrammeInput {
        ProgrammeInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..ProgrammeInput::default()
        }
    }
}

/// The frameworks to choose from, with the one the programme keeps although it is no longer in force.
async fn frameworks(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Vec<Choice>, PageError> {
    let mut choices = filter::framework_choices(&*workspace.app.edition_of(visit.caller()).await?);
    if let Ok(kept) = form.value("framework").parse::<Framework>()
        && choices.iter().all(|choice| choice.value != kept.as_str())
    {
        choices.push(Choice::new(kept.to_string(), kept.name()));
    }
    Ok(choices)
}

/// The functions under test, suggested from those in the register.
async fn functions(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let known = workspace.app.register_functions(visit.caller()).await?;
    let suggestions: Vec<_> = known.into_iter().map(|name| Choice::new(name, "")).collect();
    let hint = Some(texts::FUNCTIONS_HINT);
    Ok(field::suggested(visit, form, "functions", texts::FUNCTIONS, hint, &suggestions))
}
