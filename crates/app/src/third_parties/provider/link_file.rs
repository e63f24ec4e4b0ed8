//! Files that a provider sends with its answers, through its link: examined like all evidence, and kept as evidence of the
//! institution.

use std::net::IpAddr;

use domain::{
    change::Change,
    evidence::{EvidenceInput, FileName, LinkType},
    id::EvidenceId,
    provider::{Provider, Review, ReviewFile},
    wording::Label,
};
use serde_json::json;
use store::{Reader, Tx, evidence_link::Link, record, review_link::ReviewLink, tenant};

use super::ReviewChange;
use crate::{
    Error, Result, ThirdParties, author::Author, authz::Caller, evidence::SentFile, pages::Precondition,
    token::Token, upload::Spool,
};

const SENT_WITH: Label = Label::new(
    "Sent by {provider} through the link to its due-diligence questionnaire ({review}).",
    "Von {provider} über den Link zum Fragebogen der Dienstleisterprüfung gesandt ({review}).",
);

impl ThirdParties {
    /// Begins to receive a file of the holder of a link. Nothing is received for a questionnaire that takes no more.
    pub async fn questionnaire_spool(&self, token: &Token, address: IpAddr) -> Result<Spool> {
        let link = self.review_link(token, address).await?.ok_or(Error::NotFound)?;
        self.admit_submission(link.review)?;
        let caller = Caller::system(link.tenant);
        self.room_for_file(&caller, &link, None).await?;
        self.spool_from_link(&caller, self.compliance.max_evidence_bytes()).await
    }

    /// Keeps a file that was received, as evidence of the provider, and notes it with the review.
    pub async fn add_questionnaire_file(
        &self,
        token: &Token,
        address: IpAddr,
        question: Option<String>,
        file: SentFile,
    ) -> Result<()> {
        let link = self.review_link(token, address).await?.ok_or(Error::NotFound)?;
        let caller = Caller::system(link.tenant);
        let name = FileName::cleaned(&file.name).as_str().to_owned();
        let (input, provider) = self.room_for_file(&caller, &link, question.as_deref()).await?;
        let target = Link { kind: LinkType::Provider, target: provider };
        let kept =
            self.compliance.add_evidence(&caller, input, Some(file), Some(target), None, |_| String::new());
        let evidence: EvidenceId = kept.await?.subject.parse().map_err(Error::internal)?;
        let author = Author::new(self, &caller);
        let write = move |tx: &mut Tx<'_>| {
            let file = ReviewFile { evidence, question: question.clone(), name: name.clone() };
            author.change::<Review>(tx, link.review, &ReviewChange::File(file), &Precondition::None)?;
            let detail = json!({ "file": name, "evidence": evidence });
            author.audit(tx, "review.file_added", link.review, &detail)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Refuses a file that the review does not take; gives what the evidence will say and the id of the provider.
    async fn room_for_file(
        &self,
        caller: &Caller,
        link: &ReviewLink,
        question: Option<&str>,
    ) -> Result<(EvidenceInput, String)> {
        let (scope, review) = (*caller.scope(), link.review);
        let question = question.map(str::to_owned);
        let read = move |reader: &mut Reader<'_>| {
            let row = record::get::<Review>(reader, &scope, review)?.ok_or(Error::NotFound)?;
            row.record.takes_file(question.as_deref())?;
            let provider = row.record.provider_id;
            let named = record::get::<Provider>(reader, &scope, provider)?.ok_or(Error::NotFound)?;
            let tenant = tenant::by_id(reader, scope.tenant())?.ok_or(Error::NotFound)?;
            let text = SENT_WITH.text(tenant.language);
            let text = text.replacen("{review}", &review.to_string(), 1);
            let text = text.replacen("{provider}", named.record.name.as_str(), 1);
            let owner = named.record.owner.map_or(Change::Keep, |owner| Change::Set(owner.to_string()));
            let input = EvidenceInput { description: Change::Set(text), owner, ..EvidenceInput::default() };
            Ok::<_, Error>((input, provider.to_string()))
        };
        self.db.tenant(&scope).read(read).await
    }
}
