//! The form of a request for evidence.

use app::{Error, evidence_request::EvidenceRequestRow};
use domain::{
    evidence_request::{EvidenceRequest, EvidenceRequestInput},
    id::EvidenceRequestId,
    text::Name,
    wording::Label,
};
use maud::Markup;

use super::{detail, texts};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        REQUEST_SUBJECTS, pick,
        record::{
            field::{FormField, Section},
            form::{FormTexts, RecordForm},
        },
    },
    route,
};

type Asked = FormField<EvidenceRequest>;

impl RecordForm for EvidenceRequest {
    const ADDRESS: &'static str = route::EVIDENCE_REQUESTS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::NEW_INTRO,
    };
    const NAMES: &'static [(&'static str, Label)] = &[("evidence_request", Self::TITLE.label)];
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::prose(Self::TEXT, |request| Some(&request.text)).required(),
        Asked::record(Self::SUBJECT, &REQUEST_SUBJECTS, |request| {
            request.subject.as_ref().map(Name::to_string)
        }),
        Asked::person(Self::OWNER, |request| request.owner.as_ref()).bulk().cell(),
        Asked::day(Self::DUE_ON, |request| Some(request.due_on)).required().bulk().cell().shown_apart(),
    ])];

    /// The page of a record links here with its id.
    fn proposed(visit: &Visit) -> Form {
        Form::filled(visit.query("subject").map(|id| ("subject", id)))
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
            pick::id(workspace, visit, form, "subject", &REQUEST_SUBJECTS).await?
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

    /// The title is made of the text.
    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &EvidenceRequestRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        Ok(vec![(Self::TITLE.name, row.record.title().to_string())])
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
