//! Attaching evidence to records.

use domain::{
    evidence::{Evidence, EvidenceComplaint, LinkType, MAX_LINKS},
    id::EvidenceId,
    key_limits::Verb,
    right::{Resource, Right},
};
use serde_json::json;
use store::{
    Revision, Tx,
    evidence_link::{self, Link},
    record,
};

use super::EvidenceView;
use crate::{Compliance, Error, Result, author::Author, authz::Caller, history::Detail, records::AnyKind};

impl Compliance {
    /// Attaches evidence to a record. Attaching it again changes nothing.
    pub async fn link_evidence(
        &self,
        caller: &Caller,
        id: EvidenceId,
        link: Link,
    ) -> Result<(Detail<EvidenceView>, Revision)> {
        caller.require_right(Resource::Evidence, Right::Write)?;
        let author = Author::new(self, caller);
        self.db
            .tenant(caller.scope())
            .write(move |tx| {
                record::get::<Evidence>(tx, author.scope(), id)?.ok_or(Error::NotFound)?;
                author.attach(tx, id, &link)
            })
            .await?;
        self.records.record::<Evidence>(caller, id).await
    }

    /// Removes a link.
    pub async fn unlink_evidence(&self, caller: &Caller, id: EvidenceId, link: Link) -> Result<()> {
        caller.require_right(Resource::Evidence, Right::Write)?;
        caller.require_noun(link.kind.as_str(), Verb::Write)?;
        let author = Author::new(self, caller);
        self.db
            .tenant(caller.scope())
            .write(move |tx| {
                record::get::<Evidence>(tx, author.scope(), id)?.ok_or(Error::NotFound)?;
                if !evidence_link::delete(tx, author.scope(), id, &link)? {
                    return Err(Error::NotFound);
                }
                author.audit(tx, "evidence.unlinked", id, &json!({ "type": link.kind, "id": link.target }))
            })
            .await
    }
}

impl Author {
    pub(crate) fn attach(&self, tx: &mut Tx<'_>, id: EvidenceId, link: &Link) -> Result<()> {
        // The record shows the evidence from now on, so it is changed too.
        self.caller.require_noun(link.kind.as_str(), Verb::Write)?;
        if !self.is_record(tx, link)? {
            return Err(Error::invalid("id", EvidenceComplaint::NoSuchRecord));
        }
        if evidence_link::count(tx, self.scope(), id)? >= MAX_LINKS {
            return Err(Error::invalid("id", EvidenceComplaint::TooManyLinks { most: MAX_LINKS }));
        }
        evidence_link::put(tx, self.scope(), id, link, self.now)?;
        self.audit(tx, "evidence.linked", id, &json!({ "type": link.kind, "id": link.target }))
    }

    /// Whether the record exists.
    fn is_record(&self, tx: &mut Tx<'_>, link: &Link) -> Result<bool> {
        let (scope, id) = (self.scope(), link.target.as_str());
        match AnyKind::of_id(id).filter(|kind| kind.noun == link.kind.as_str()) {
            Some(kind) => Ok(kind.find(tx, scope, id)?.is_some()),
            None if link.kind == LinkType::Assessment => {
                Ok(self.core.edition_in(tx, scope)?.requirements.get(id).is_some())
            }
            None => Ok(false),
        }
    }
}
