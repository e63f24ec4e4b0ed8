//! The form of a programme.

use app::{Error, programme::ProgrammeRow};
use domain::{
    framework::Framework,
    id::ProgrammeId,
    programme::{Programme, ProgrammeInput, ProgrammeStatus},
    right::{Resource, Right},
    text::Name,
};
use maud::Markup;

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        bulk_field::BulkField,
        cell::{self, Cell},
        field::{Ask, FormField, Section},
        form::{FormTexts, RecordForm, RecordSteps},
    },
    route,
    texts::programme as texts,
    ui::{
        field::{self, Choice},
        filter,
    },
};

type Asked = FormField<Programme>;

impl RecordForm for Programme {
    const ADDRESS: &'static str = route::PROGRAMMES;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAME: &'static str = "name";
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::title(Self::NAME, |programme| &programme.name),
        Asked::chosen(
            Self::FRAMEWORK,
            |ask| Box::pin(frameworks(ask)),
            |programme| Some(programme.framework.to_string()),
        ),
        Asked::person(Self::OWNER, |programme| programme.owner.as_ref()).bulk().cell(),
        Asked::day(Self::STARTS_ON, |programme| programme.starts_on).bulk().shown_apart(),
        Asked::day(Self::ENDS_ON, |programme| programme.ends_on).bulk().shown_apart(),
        Asked::prose(Self::DESCRIPTION, |programme| programme.description.as_ref()).bulk(),
        Asked::suggested(
            Self::FUNCTIONS,
            |ask| Box::pin(functions(ask)),
            |programme| programme.functions.iter().map(Name::to_string).collect(),
        )
        .hint(texts::FUNCTIONS_HINT),
    ])];
    const CELLS: &'static [Cell<Self>] = &[Cell::step(
        |visit, programme| {
            let may_archive = visit.may(Resource::Programmes, Right::Decide);
            cell::steps(visit, programme.status, |to| may_archive || to != ProgrammeStatus::Archived)
        },
        <Self as RecordSteps>::step,
    )];
    const BULK: &'static [BulkField<Self>] =
        &[BulkField::step(|visit| field::words::<ProgrammeStatus>(visit), <Self as RecordSteps>::step)];

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
async fn frameworks(ask: &Ask<'_, Programme>) -> Result<Vec<Choice>, PageError> {
    let edition = ask.workspace.app.edition_of(ask.visit.caller()).await?;
    let mut choices = filter::framework_choices(&edition);
    if let Ok(kept) = ask.form.value("framework").parse::<Framework>()
        && choices.iter().all(|choice| choice.value != kept.as_str())
    {
        choices.push(Choice::new(kept.to_string(), kept.name()));
    }
    Ok(choices)
}

/// The functions of the register.
async fn functions(ask: &Ask<'_, Programme>) -> Result<Vec<Choice>, PageError> {
    let known = ask.workspace.app.third_parties.register_functions(ask.visit.caller()).await?;
    Ok(known.into_iter().map(|name| Choice::new(name, "")).collect())
}
