//! The form of an own framework.

use app::{Error, own_framework::OwnFrameworkRow};
use domain::{
    framework::Framework,
    id::OwnFrameworkId,
    own_framework::{OwnFramework, OwnFrameworkInput, OwnFrameworkStatus},
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
    texts::{own_framework as texts, record as shared},
    ui::field::{self, Field},
};

impl RecordForm for OwnFramework {
    const ADDRESS: &'static str = route::OWN_FRAMEWORKS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", texts::HEADING),
        ("key", texts::KEY),
        ("edition", texts::EDITION),
        ("owner", shared::OWNER),
        ("description", shared::DESCRIPTION),
        ("own_frameworks", texts::TITLE),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::step(
            |visit, framework| {
                let is_editor = framework.editors.contains(&visit.caller().actor().to_string());
                let may_approve = !is_editor && framework.requirements > 0;
                cell::steps(visit, framework.status, |to| to != OwnFrameworkStatus::Approved || may_approve)
            },
            <Self as RecordSteps>::step,
        ),
        Cell::owner(|framework| framework.owner.as_ref()),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(|visit| field::words::<OwnFrameworkStatus>(visit), <Self as RecordSteps>::step),
        BulkField::line("edition", texts::EDITION),
        BulkField::person("owner", shared::OWNER),
        BulkField::prose("description", shared::DESCRIPTION),
    ];

    async fn form_fields(
        _: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&OwnFrameworkRow>,
    ) -> Result<Markup, PageError> {
        Ok(html! {
            (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
            div.columns {
                @if before.is_none() {
                    (Field::text(visit, form, "key", texts::KEY).hint(texts::KEY_HINT).at_most(Framework::MAX).render())
                }
                (Field::text(visit, form, "edition", texts::EDITION).optional().at_most(Name::MAX).render())
                (Field::person(visit, form, "owner", shared::OWNER).render())
            }
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
        })
    }

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

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &OwnFrameworkRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        Ok(vec![
            ("title", record.title.to_string()),
            ("edition", filled(record.edition.as_ref())),
            ("owner", filled(record.owner.as_ref())),
            ("description", filled(record.description.as_ref())),
        ])
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
