//! Audit bundles: asked for, made by a job from one snapshot, and kept for download.
//!
//! The crate `bundle` knows the format; this module knows what belongs into one. Everything in a bundle follows from
//! versions of records, the audit chain up to the end of the day and the files of evidence, so that the same day gives
//! the same bytes however much changes later.

mod books;
mod claims;
mod evidence;
mod gather;
mod key;
mod lists;
mod make;
mod page;
mod remove;
mod trail;
mod words;

use domain::{
    bundle::{BundleState, BundleWish},
    evidence::{EvidenceFile, FileName},
    id::BundleId,
    key_limits::Verb,
    page::{Page, PageRequest},
    right::{Resource, Right},
    violation::RecordComplaint,
};
use serde_json::json;
use store::{Reader, Tx, bundle as rows, evidence_file::StoredFile};

pub use store::bundle::BundleRow;

pub(crate) use self::key::KEY_CONTEXT;
use crate::{
    Bundles, Error, Result,
    author::Author,
    authz::Caller,
    evidence::EvidenceContent,
    idempotency::{Creation, Idempotency},
    pages::{self, Rendered},
    records::KINDS,
};

impl Bundles {
    /// Asks for a bundle, which a job makes. An institution has one made at a time.
    pub async fn ask_for_bundle(
        &self,
        caller: &Caller,
        wish: BundleWish,
        idempotency: Option<Idempotency>,
        render: fn(&BundleRow) -> String,
    ) -> Result<Creation> {
        check_reader(caller)?;
        let author = Author::new(self, caller);
        let tenant = self.tenant_of(caller).await?;
        wish.check(tenant.time_zone.local(author.now).day)?;
        let ask = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                match rows::in_hand(tx, author.scope())? {
                    // The same wish is the same bundle.
                    Some(row) if row.wish == wish => return Ok((row.id.to_string(), row)),
                    Some(_) => return Err(Error::Conflict(RecordComplaint::BundleInHand.into())),
                    None => {}
                }
                let id: BundleId = author.core.ids.next(author.now);
                let row = BundleRow::new(id, wish.clone(), author.caller.actor().to_string(), author.now);
                rows::insert(tx, author.scope(), &row)?;
                let framework = wish.framework.map(|framework| framework.to_string());
                let detail = json!({
                    "framework": framework, "as_of": wish.as_of, "from": wish.from,
                    "language": wish.language.as_str(),
                });
                author.audit(tx, "bundle.asked", id, &detail)?;
                Ok((id.to_string(), row))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        let made = self.db.tenant(caller.scope()).write(ask).await?;
        self.begin_bundles();
        Ok(made)
    }

    /// A rendered page of the list, newest first.
    pub async fn bundle_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<BundleRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, request)?);
        self.page(caller, "bundles", &pages::part(request), load, render).await
    }

    /// One bundle, rendered.
    pub async fn rendered_bundle(
        &self,
        caller: &Caller,
        id: BundleId,
        render: fn(&BundleRow) -> Vec<u8>,
    ) -> Result<Rendered> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| rows::get(r, &scope, id)?.ok_or(Error::NotFound);
        self.page(caller, "bundle", &id.to_string(), load, render).await
    }

    /// A page of the list as values.
    pub async fn bundles(&self, caller: &Caller, request: PageRequest) -> Result<Page<BundleRow>> {
        check_reader(caller)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    /// The bytes of a bundle that is made.
    pub async fn bundle_content(&self, caller: &Caller, id: BundleId) -> Result<EvidenceContent> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        let row = found.ok_or(Error::NotFound)?;
        let Some(file) = row.file.filter(|_| row.state == BundleState::Made) else {
            return Err(Error::Conflict(RecordComplaint::BundleNotMade.into()));
        };
        let name = FileName::cleaned(&format!("audit-bundle-{}.zip", row.wish.as_of));
        let (bytes, sha256) = (file.bytes, file.sha256);
        let shown = EvidenceFile { name, media_type: "application/zip".to_owned(), bytes, sha256 };
        let stored = StoredFile { content_id: file.content_id, bytes };
        Ok(EvidenceContent::of(self, scope, shown, stored))
    }
}

/// A bundle holds the audit log and records of every kind.
fn check_reader(caller: &Caller) -> Result<()> {
    caller.require_right(Resource::AuditLog, Right::Read)?;
    caller.require_scope("audit", Verb::Read)?;
    caller.require_noun("assessment", Verb::Read)?;
    KINDS.iter().try_for_each(|kind| caller.require_noun(kind.noun, Verb::Read))
}
