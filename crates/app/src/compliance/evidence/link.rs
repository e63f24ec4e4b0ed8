//! Attaching evidence to records.

use domain::{
    arrangement::Arrangement,
    control::Control,
    cra_report::CraReport,
    drill_run::DrillRun,
    evidence::{Evidence, EvidenceComplaint, LinkType, MAX_LINKS},
    evidence_request::EvidenceRequest,
    finding::Finding,
    id::EvidenceId,
    incident::Incident,
    key_limits::Verb,
    provider::Provider,
    right::{Resource, Right},
    risk::Risk,
    test_case::TestCase,
    training::Training,
};
use serde_json::json;
use store::{
    Revision, Tx,
    evidence_link::{self, Link},
    record::{self, Kind},
};

use super::EvidenceView;
use crate::{Compliance, Error, Result, author::Author, authz::Caller, history::Detail};

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
        let (scope, text) = (self.scope(), link.target.as_str());
        Ok(match link.kind {
            LinkType::Control => self.has::<Control>(tx, text)?,
            LinkType::DrillRun => self.has::<DrillRun>(tx, text)?,
            LinkType::Assessment => self.core.edition_in(tx, scope)?.requirements.get(text).is_some(),
            LinkType::TestCase => self.has::<TestCase>(tx, text)?,
            LinkType::Provider => self.has::<Provider>(tx, text)?,
            LinkType::Risk => self.has::<Risk>(tx, text)?,
            LinkType::Incident => self.has::<Incident>(tx, text)?,
            LinkType::Finding => self.has::<Finding>(tx, text)?,
            LinkType::CraReport => self.has::<CraReport>(tx, text)?,
            LinkType::Arrangement => self.has::<Arrangement>(tx, text)?,
            LinkType::Training => self.has::<Training>(tx, text)?,
            LinkType::EvidenceRequest => self.has::<EvidenceRequest>(tx, text)?,
        })
    }

    fn has<K: Kind>(&self, tx: &mut Tx<'_>, id: &str) -> Result<bool> {
        match id.parse::<K::Id>() {
            Ok(id) => Ok(record::get::<K>(tx, self.scope(), id)?.is_some()),
            Err(_) => Ok(false),
        }
    }
}
