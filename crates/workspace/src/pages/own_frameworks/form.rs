//! The form of an own framework.

use app::{Error, own_framework::OwnFrameworkRow};
use domain::{
    id::OwnFrameworkId,
    own_framework::{OwnFramework, OwnFrameworkInput, OwnFrameworkStatus},
    wording::Label,
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
        field::{FormField, Section},
        form::{FormTexts, RecordForm, RecordSteps},
    },
    route,
    texts::own_framework as texts,
    ui::field,
};

type Asked = FormField<OwnFramework>;

impl RecordForm for OwnFramework {
    const ADDRESS: &'static str = route::OWN_FRAMEWORKS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAMES: &'static [(&'static str, Label)] = &[("own_frameworks", texts::TITLE)];
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::title(Self::TITLE, |framework| &framework.title),
        Asked::text(Self::KEY, |framework| Some(framework.key.to_string()))
            .hint(texts::KEY_HINT)
            .fixed()
            .shown_apart(),
        Asked::line(Self::EDITION, |framework| framework.edition.as_ref()).bulk(),
        Asked::person(Self::OWNER, |framework| framework.owner.as_ref()).bulk().cell(),
        Asked::prose(Self::DESCRIPTION, |framework| framework.description.as_ref()).bulk(),
    ])];
    const CELLS: &'static [Cell<Self>] = &[Cell::step(
        |visit, framework| {
            let is_editor = framework.editors.contains(&visit.caller().actor().to_string());
            let may_approve = !is_editor && framework.requirements > 0;
            cell::steps(visit, framework.status, |to| to != OwnFrameworkStatus::Approved || may_approve)
        },
        <Self as RecordSteps>::step,
    )];
    const BULK: &'static [BulkField<Self>] =
        &[BulkField::step(|visit| field::words::<OwnFrameworkStatus>(visit), <Self as RecordSteps>::step)];

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&OwnFrameworkRow>,
    ) -> Result<OwnFrameworkInput, Error> {
        Ok(OwnFrameworkInput {
            key: form.required_change("key"),
            title: form.required_change("title"),
            description: form.change("description"),
            edition: form.change("edition"),
            owner: form.change("owner"),
            ..OwnFrameworkInput::default()
        })
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: OwnFrameworkId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for OwnFramework {
    fn step(form: &Form) -> OwnFrameworkInput {
        OwnFrameworkInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..OwnFrameworkInput::default()
        }
    }
}
