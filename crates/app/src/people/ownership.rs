//! The owner of a record as a person: whose records some roles may write, and whose own they may not approve.
//!
//! Records name their owner by a text: a name, an address or the id of an account. Users choose their own names, so a
//! name that several accounts have makes none of them the owner.

use domain::{
    actor::Actor,
    id::UserId,
    right::{Resource, Right},
    text::Name,
};
use store::{Reader, user};

use crate::{Error, People, Result, author::Author, authz::Caller};

/// The accounts that the text can mean.
pub(crate) fn meant(reader: &mut Reader<'_>, caller: &Caller, owner: &Name) -> Result<Vec<UserId>> {
    match owner.as_str().parse() {
        Ok(id) => Ok(vec![id]),
        Err(_) => user::answering_to(reader, caller.scope(), owner.as_str()).map_err(Error::from),
    }
}

/// Whether the caller, and no other account, is meant.
pub(crate) fn owns(reader: &mut Reader<'_>, caller: &Caller, owner: Option<&Name>) -> Result<bool> {
    let (Actor::User(id), Some(owner)) = (caller.actor(), owner) else { return Ok(false) };
    Ok(meant(reader, caller, owner)? == [id])
}

/// Whether the caller can be meant.
pub(crate) fn may_own(reader: &mut Reader<'_>, caller: &Caller, owner: Option<&Name>) -> Result<bool> {
    let (Actor::User(id), Some(owner)) = (caller.actor(), owner) else { return Ok(false) };
    Ok(meant(reader, caller, owner)?.contains(&id))
}

impl People {
    /// Whether the caller may change a record of this resource with this owner.
    pub async fn may_change(
        &self,
        caller: &Caller,
        resource: Resource,
        owner: Option<&Name>,
    ) -> Result<bool> {
        match caller.right(resource) {
            Right::Nothing | Right::Read => Ok(false),
            Right::Write | Right::Decide => Ok(true),
            Right::Own => {
                let (caller, owner) = (caller.clone(), owner.cloned());
                let scope = *caller.scope();
                self.db.tenant(&scope).read(move |r| owns(r, &caller, owner.as_ref())).await
            }
        }
    }

    /// The same as a refusal, for a form that is not judged yet.
    pub async fn require_change(
        &self,
        caller: &Caller,
        resource: Resource,
        owner: Option<&Name>,
    ) -> Result<()> {
        let may = self.may_change(caller, resource, owner).await?;
        if may { Ok(()) } else { Err(caller.lacks(resource, Right::Write)) }
    }

    /// Whether the caller can be the owner that the text names.
    pub async fn is_named(&self, caller: &Caller, owner: Option<&Name>) -> Result<bool> {
        let (caller, owner) = (caller.clone(), owner.cloned());
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| may_own(r, &caller, owner.as_ref())).await
    }
}

impl Author {
    /// The accounts that the text can mean.
    pub(crate) fn named(&self, reader: &mut Reader<'_>, owner: &Name) -> Result<Vec<UserId>> {
        meant(reader, &self.caller, owner)
    }

    /// Refuses a user who may write only what they own, unless they are the owner.
    pub(crate) fn require_owner(
        &self,
        reader: &mut Reader<'_>,
        resource: Resource,
        owner: Option<&Name>,
    ) -> Result<()> {
        if self.caller.has(resource, Right::Write) || owns(reader, &self.caller, owner)? {
            return Ok(());
        }
        Err(self.caller.lacks(resource, Right::Write))
    }

    pub(crate) fn can_be_owner(&self, reader: &mut Reader<'_>, owner: Option<&Name>) -> Result<bool> {
        may_own(reader, &self.caller, owner)
    }
}
