//! What is read from the one snapshot: the audit chain, every list, and what requirements rest on.

use std::{fs::File, sync::Arc};

use bundle::{ChainSlice, Subject, Writer};
use domain::{bundle::BundleWish, moment::Moment};
use store::{Reader, TenantScope, audit_key};

use super::{claims::Claims, evidence::WantedFile, lists, page, trail};
use crate::{
    Core, Result, authz::Caller, catalogue::Edition, records::end_of, report::no_room, scratch::Scratch,
    vault::Vault,
};

/// What the work needs to know besides the snapshot.
pub(super) struct Gathering {
    pub(super) scope: TenantScope,
    pub(super) wish: BundleWish,
    pub(super) institution: String,
    pub(super) edition: Arc<Edition>,
    pub(super) scratch: Scratch,
    vault: Vault,
}

/// A bundle with its lists, and what comes after them.
pub(super) struct Gathered {
    pub(super) writer: Writer<File>,
    pub(super) slice: ChainSlice,
    pub(super) subject: Subject,
    pub(super) claims: Claims,
    pub(super) files: Vec<WantedFile>,
}

impl Gathering {
    pub(super) async fn new(core: &Core, caller: &Caller, wish: &BundleWish) -> Result<Self> {
        Ok(Self {
            scope: *caller.scope(),
            wish: wish.clone(),
            institution: core.tenant_of(caller).await?.name.to_string(),
            edition: core.edition_of(caller).await?,
            scratch: core.scratch.clone(),
            vault: core.vault.clone(),
        })
    }

    /// Writes what the snapshot holds.
    pub(super) fn gather(&self, reader: &mut Reader<'_>) -> Result<Gathered> {
        let until = end_of(reader, &self.scope, self.wish.as_of)?;
        let since = self.since(reader)?;
        let mut writer = Writer::new(self.scratch.file().map_err(no_room)?);
        let keys = Arc::new(self.vault.audit_keys(&audit_key::kept(reader)?));
        let (trail, slice) = trail::write(reader, &mut writer, &self.scope, &keys, (since, until))?;
        let mut claims = Claims::new(&self.edition, self.wish.framework);
        lists::write(self, reader, &mut writer, until, &trail, &mut claims)?;
        let files = claims.wanted_files(reader, &self.scope)?;
        Ok(Gathered { subject: self.subject(until), writer, slice, claims, files })
    }

    /// The first moment of the first day of the audit entries.
    fn since(&self, reader: &mut Reader<'_>) -> Result<Option<Moment>> {
        let Some(from) = self.wish.from else { return Ok(None) };
        Ok(Some(end_of(reader, &self.scope, from.plus_days(-1))?.plus_millis(1)))
    }

    fn subject(&self, until: Moment) -> Subject {
        Subject {
            institution: self.institution.clone(),
            framework: self.wish.framework.map(|framework| framework.to_string()),
            as_of: self.wish.as_of.to_string(),
            from: self.wish.from.map(|day| day.to_string()),
            until: until.millis(),
            language: self.wish.language.as_str().to_owned(),
            catalogue: self.edition.version.to_string(),
        }
    }

    /// Writes what follows from lists and files: requirements, applicability and the page for people.
    pub(super) fn finish(&self, writer: &mut Writer<File>, claims: &Claims) -> Result<()> {
        claims.write(self, writer)?;
        let text = page::written(self, writer, claims);
        Ok(writer.bytes("index.html", text.as_bytes())?)
    }
}
