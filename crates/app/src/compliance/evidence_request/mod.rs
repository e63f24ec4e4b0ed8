//! Requests for evidence and their rules. Auditors and managers ask, close and open again; the owner of a request or a
//! manager answers.

mod answer;
mod report;

use domain::{
    change::Change,
    evidence::LinkType,
    evidence_request::{
        EvidenceRequest, EvidenceRequestComplaint, EvidenceRequestInput, EvidenceRequestStatus,
    },
    id::{EvidenceId, UserId},
    right::{Resource, Right},
    text::{Name, Prose},
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, assessment, evidence_link, evidence_request as rows, user};

use crate::{
    Core, Error, Result,
    audit::{Who, who},
    author::Author,
    catalogue::Edition,
    inbox::owner_of,
    records::{AnyKind, RecordKind, RecordRequest, any},
    words::{Kind, Texts},
};

pub use store::evidence_request::{EvidenceRequestFilter, EvidenceRequestRow};

/// A request with what is shown beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceRequestView {
    pub row: EvidenceRequestRow,
    /// Whether it is not answered although its day is over.
    pub is_late: bool,
    /// The name of the record, or the title of the requirement, that it is about.
    pub subject: Option<String>,
    pub asked_by: Who,
    pub answered_by: Option<Who>,
    /// What is attached to it.
    pub evidence: Vec<EvidenceId>,
}

impl RecordKind for EvidenceRequest {
    type Input = EvidenceRequestInput;
    type New = EvidenceRequestInput;
    type Change = EvidenceRequestInput;
    type View = EvidenceRequestView;

    const NOUN: &'static str = "evidence_request";
    const LIST: &'static str = "evidence_requests";
    const WORDS: Kind = Kind::new('b');
    const FOUND: Option<&'static str> = Some("evidence_request");
    const RESOURCE: Resource = Resource::EvidenceRequests;

    fn owner(&self) -> Option<&Name> {
        self.owner.as_ref()
    }

    fn create(author: &Author, tx: &mut Tx<'_>, input: &EvidenceRequestInput) -> Result<Self> {
        let mut asked = input.create()?;
        author.check_subject(tx, asked.subject.as_ref())?;
        if let Some(subject) = asked.subject.as_ref().filter(|_| !input.names_owner()) {
            asked.owner = author.owner_of_subject(tx, subject.as_str())?;
        }
        let reference = rows::next_reference(tx, author.scope())?;
        Ok(asked.by(reference, author.caller.actor().to_string()))
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &EvidenceRequestRow,
        input: &EvidenceRequestInput,
    ) -> Result<Self> {
        let request = input.change(&before.record)?;
        if request != before.record && before.record.status == EvidenceRequestStatus::Closed {
            return Err(Error::invalid(Self::NOUN, EvidenceRequestComplaint::Closed));
        }
        // The record may have been deleted since it was asked about.
        if request.subject != before.record.subject {
            author.check_subject(tx, request.subject.as_ref())?;
        }
        Ok(request)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "title": self.title().as_str(),
            "text": self.text.as_str(),
            "subject": self.subject.as_ref().map(Name::as_str),
            "owner": self.owner.as_ref().map(Name::as_str),
            "due_on": self.due_on,
            "status": self.status,
            "asked_by": self.asked_by,
            "answer": self.answer.as_ref().map(Prose::as_str),
            "answered_by": self.answered_by,
            "answered_at": self.answered_at,
        })
    }

    fn shown_as(&self) -> String {
        format!("{} {}", self.reference, self.title())
    }

    fn texts(&self) -> Texts<'_> {
        let answer = self.answer.as_ref().map(Prose::as_str);
        let owner = self.owner.as_ref().map(Name::as_str);
        Texts {
            heading: vec![self.title().to_string().into(), self.reference.to_string().into()],
            body: [self.text.as_str()].into_iter().chain(answer).chain(owner).collect(),
        }
    }

    fn search_text(filter: &EvidenceRequestFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<EvidenceRequestRow>,
    ) -> Result<Vec<EvidenceRequestView>> {
        let today = core.clock.now().day();
        let ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
        let targets = ids.iter().map(String::as_str);
        let mut attached = evidence_link::of_targets(reader, scope, LinkType::EvidenceRequest, targets)?;
        let mut views = Vec::with_capacity(rows.len());
        for (row, id) in rows.into_iter().zip(ids) {
            let record = &row.record;
            let subject = match &record.subject {
                Some(subject) => any::name_of(reader, scope, subject.as_str())?,
                None => None,
            };
            let answered_by = match &record.answered_by {
                Some(actor) => Some(who(reader, scope, actor)?),
                None => None,
            };
            views.push(EvidenceRequestView {
                is_late: record.is_late(today),
                subject,
                asked_by: who(reader, scope, &record.asked_by)?,
                answered_by,
                evidence: attached.remove(&id).unwrap_or_default().iter().map(|one| one.evidence).collect(),
                row,
            });
        }
        Ok(views)
    }

    fn row(view: &EvidenceRequestView) -> &EvidenceRequestRow {
        &view.row
    }

    /// Requirements are named in the reader's language.
    fn translate(view: &mut EvidenceRequestView, edition: &Edition, language: Language) {
        let subject = view.row.record.subject.as_ref();
        if let Some(requirement) = subject.and_then(|id| edition.requirements.get(id.as_str())) {
            view.subject = Some(requirement.title.get(language).to_owned());
        }
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(EvidenceRequestInput { owner: Change::Set(heir.to_string()), ..EvidenceRequestInput::default() })
    }

    /// What an auditor asked for stays.
    fn release(_: &Author, _: &mut Tx<'_>, _: &EvidenceRequestRow) -> Result<()> {
        Err(Error::invalid(Self::NOUN, EvidenceRequestComplaint::Kept))
    }
}

impl RecordRequest<EvidenceRequest> for EvidenceRequestInput {}

impl Author {
    /// Refuses a subject that this institution does not have, or that the caller may not read.
    fn check_subject(&self, tx: &mut Tx<'_>, subject: Option<&Name>) -> Result<()> {
        let Some(id) = subject.map(Name::as_str) else { return Ok(()) };
        let (noun, resource) = AnyKind::of_id(id)
            .map_or(("assessment", Resource::Assessments), |kind| (kind.noun, kind.resource));
        let may_read = self.caller.sees(noun) && self.caller.has(resource, Right::Read);
        if may_read && self.is_known(tx, id)? {
            return Ok(());
        }
        Err(Error::invalid("subject", EvidenceRequestComplaint::NoSuchRecord))
    }

    /// The owner of a record, or of the assessment of a requirement.
    fn owner_of_subject(&self, tx: &mut Tx<'_>, id: &str) -> Result<Option<Name>> {
        let Some(kind) = AnyKind::of_id(id) else {
            return Ok(assessment::get(tx, self.scope(), id)?.and_then(|row| row.assessment.owner));
        };
        let Some(fields) = kind.find(tx, self.scope(), id)? else { return Ok(None) };
        let Some(owner) = owner_of(&fields).and_then(|owner| Name::parse(owner).ok()) else {
            return Ok(None);
        };
        // Trainings name their person by the id of the account.
        match owner.as_str().parse::<UserId>() {
            Ok(person) => Ok(user::get(tx, self.scope(), person)?.map(|(account, _)| account.name)),
            Err(_) => Ok(Some(owner)),
        }
    }
}
