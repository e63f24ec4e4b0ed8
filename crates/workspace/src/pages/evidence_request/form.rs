//! The form of a request for evidence.

use app::{Error, evidence_request::EvidenceRequestRow, records::PickKind};
use domain::{
    evidence_request::{EvidenceRequest, EvidenceRequestInput},
    id::{EvidenceRequestId, Uuid7},
    wording::Label,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        pick,
        record::{
            bulk_field::BulkField,
            cell::Cell,
            form::{FormTexts, RecordForm, filled},
        },
    },
    route,
    texts::{evidence_request as texts, record as shared},
    ui::field::{self, Field},
};

/// What evidence can be asked for.
const SUBJECTS: [PickKind; 13] = [
    PickKind("control"),
    PickKind("risk"),
    PickKind("finding"),
    PickKind("incident"),
    PickKind("test_case"),
    PickKind("programme"),
    PickKind("drill_run"),
    PickKind("provider"),
    PickKind("arrangement"),
    PickKind("function"),
    PickKind("own_framework"),
    PickKind("evidence"),
    PickKind("training"),
];

impl RecordForm for EvidenceRequest {
    const ADDRESS: &'static str = route::EVIDENCE_REQUESTS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::NEW_INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("title", texts::REQUEST),
        ("text", texts::TEXT),
        ("subject", texts::SUBJECT),
        ("owner", shared::OWNER),
        ("due_on", shared::DUE_ON),
        ("asked_by", texts::ASKED_BY),
        ("answer", texts::ANSWER),
        ("answered_by", texts::ANSWERED_BY),
        ("answered_at", texts::ANSWERED_AT),
        ("evidence_request", texts::REQUEST),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::owner(|request| request.owner.as_ref()),
        Cell::required_day(("due_on", "due_on"), shared::DUE_ON, |request| Some(request.due_on)),
    ];
    const BULK: &'static [BulkField<Self>] =
        &[BulkField::person("owner", shared::OWNER), BulkField::day("due_on", shared::DUE_ON).required()];

    /// The page of a record links here with its id.
    fn proposed(visit: &Visit) -> Form {
        Form::filled(visit.query("subject").map(|id| ("subject", id)))
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        _: Option<&EvidenceRequestRow>,
    ) -> Result<Markup, PageError> {
        let mut shown = form.clone();
        let subject = form.value("subject").to_owned();
        if Uuid7::of_id(&subject).is_some() {
            shown.replace("subject", pick::labels(workspace, visit, [subject]).await?);
        }
        let subject = pick::field(workspace, visit, &shown, ("subject", texts::SUBJECT), &SUBJECTS).await?;
        Ok(html! {
            (field::required_area(visit, form, "text", texts::TEXT, None))
            (subject)
            div.columns {
                (Field::person(visit, form, "owner", shared::OWNER).render())
                (Field::day(visit, form, "due_on", shared::DUE_ON).render())
            }
        })
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&EvidenceRequestRow>,
    ) -> Result<EvidenceRequestInput, Error> {
        // A request can be about a requirement, too, which is named by its id.
        let edition = workspace.app.edition_of(visit.caller()).await?;
        let subject = if edition.requirements.get(form.value("subject").trim()).is_some() {
            form.change("subject")
        } else {
            pick::id(workspace, visit, form, "subject", &SUBJECTS).await?
        };
        let input = EvidenceRequestInput {
            text: form.required_change("text"),
            subject,
            // A new request without an owner is answered by the owner of its subject.
            owner: if before.is_some() || form.is_part() {
                form.change("owner")
            } else {
                form.filled_change("owner")
            },
            due_on: form.required_change("due_on"),
        };
        form.finish(Some(input))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &EvidenceRequestRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let subject = record.subject.iter().map(ToString::to_string);
        Ok(vec![
            ("title", record.title().to_string()),
            ("text", record.text.to_string()),
            ("subject", pick::labels(workspace, visit, subject).await?),
            ("owner", filled(record.owner.as_ref())),
            ("due_on", record.due_on.to_string()),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: EvidenceRequestId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}
