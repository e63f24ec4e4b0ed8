//! Creating and changing a record of any kind, as a request of its own.

use domain::{custom_field::Sent, right::Right};
use store::{Revision, Tx};

use super::{RecordKind, detail};
use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::Precondition,
};

impl Records {
    pub async fn create_record<K: RecordKind>(
        &self,
        caller: &Caller,
        new: impl Into<Sent<K::New>>,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<K::View>) -> String,
    ) -> Result<Creation> {
        self.create_sent::<K>(caller, new.into(), idempotency, render).await
    }

    async fn create_sent<K: RecordKind>(
        &self,
        caller: &Caller,
        sent: Sent<K::New>,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<K::View>) -> String,
    ) -> Result<Creation> {
        caller.require_right(K::RESOURCE, Right::Own)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_with::<K>(tx, (&sent.input, &sent.custom))?;
                    Ok((id.to_string(), detail::<K>(&author.core, tx, &scope, id)?))
                };
                author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }

    pub async fn change_record<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        change: impl Into<Sent<K::Change>>,
        precondition: Precondition,
    ) -> Result<(Detail<K::View>, Revision)> {
        self.change_sent::<K>(caller, id, change.into(), precondition).await
    }

    async fn change_sent<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        sent: Sent<K::Change>,
        precondition: Precondition,
    ) -> Result<(Detail<K::View>, Revision)> {
        caller.require_right(K::RESOURCE, Right::Own)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !author.change_with::<K>(tx, id, (Some(&sent.input), &sent.custom), &precondition)? {
                    return Ok::<_, Error>(None);
                }
                let detail = detail::<K>(&author.core, tx, &scope, id)?;
                Ok(tx.revision().map(|revision| (detail, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.record::<K>(caller, id).await,
        }
    }
}
