//! Removing the second factor and the passkeys of another person, for a lost device.
//!
//! An administrator who could do this alone to another administrator could act as them. So where there is a third one, that
//! one confirms it.

use domain::{actor::Actor, id::UserId, moment::Moment, user::Role, violation::AccountComplaint};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx,
    factor_removal::{self as rows, RemovalRow},
    passkey,
    user::{self as users, UserRow},
};

use crate::{Access, Error, Result, audit, authz::Caller, notice::Notice, user::forget_second_factor};

/// A removal that is not confirmed within a day lapses.
const WAITING_SECONDS: i64 = 24 * 60 * 60;

/// A removal that waits for another administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingRemoval {
    pub asked_at: Moment,
    /// Whether the caller may confirm it: neither who asked nor whose factors they are.
    pub may_confirm: bool,
}

fn is_waiting(removal: &RemovalRow, now: Moment) -> bool {
    (0..WAITING_SECONDS).contains(&removal.asked_at.seconds_until(now))
}

fn may_confirm(removal: &RemovalRow, actor: Actor, user: UserId) -> bool {
    removal.asked_by != actor.to_string() && actor != Actor::User(user)
}

/// Whether a person asks for it whom a third administrator can confirm.
fn needs_confirmation(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    actor: Actor,
    user: &UserRow,
) -> Result<bool> {
    let Actor::User(asking) = actor else { return Ok(false) };
    let has_factor = user.has_second_factor || !passkey::of_user(reader, scope, user.id)?.is_empty();
    if user.role != Role::Administrator || !has_factor {
        return Ok(false);
    }
    let able = users::able_administrators(reader, scope, 3)?;
    Ok(able.into_iter().any(|id| id != asking && id != user.id))
}

impl Access {
    /// Removes factors, or notes that another administrator has to confirm it. False in the latter case.
    pub(crate) fn remove_factors_of(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        (actor, user): (Actor, &UserRow),
        now: Moment,
    ) -> Result<bool> {
        if !needs_confirmation(tx, scope, actor, user)? {
            self.take_factors_away(tx, scope, user, now)?;
            return Ok(true);
        }
        rows::ask(tx, scope, user.id, &RemovalRow { asked_by: actor.to_string(), asked_at: now })?;
        audit::record(tx, actor, now, "user.factor_removal_asked", user.id, &json!({}))?;
        Ok(false)
    }

    fn take_factors_away(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        user: &UserRow,
        now: Moment,
    ) -> Result<()> {
        forget_second_factor(tx, scope, user.id, now)?;
        if user.has_second_factor {
            self.people.tell_owner(tx, scope, (user.id, None), &Notice::SecondFactorOff, now)?;
        }
        // What was lost may hold passkeys too.
        if passkey::delete_of_user(tx, scope, user.id)? {
            self.people.tell_owner(tx, scope, (user.id, None), &Notice::PasskeyRemoved, now)?;
        }
        Ok(rows::clear(tx, scope, user.id)?)
    }

    /// The removal of a person's factors that waits for a confirmation, if there is one.
    pub async fn waiting_removal(&self, caller: &Caller, user: UserId) -> Result<Option<WaitingRemoval>> {
        caller.require_administrator()?;
        let (scope, actor, now) = (*caller.scope(), caller.actor(), self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, user)).await?;
        Ok(found.filter(|removal| is_waiting(removal, now)).map(|removal| WaitingRemoval {
            asked_at: removal.asked_at,
            may_confirm: may_confirm(&removal, actor, user),
        }))
    }

    /// Confirms, as another administrator, that a person's factors are removed.
    pub async fn confirm_removal(&self, caller: &Caller, id: UserId) -> Result<()> {
        caller.require_administrator()?;
        let (this, actor, now, scope) = (self.clone(), caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        let user = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let waiting = rows::get(tx, &scope, id)?.filter(|removal| is_waiting(removal, now));
                let removal = waiting.ok_or(Error::NotFound)?;
                if !may_confirm(&removal, actor, id) {
                    return Err(Error::invalid("user", AccountComplaint::SecondPerson));
                }
                let (user, _) = users::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                this.take_factors_away(tx, &scope, &user, now)?;
                let detail = json!({ "asked_by": removal.asked_by });
                audit::record(tx, actor, now, "user.factors_removed", id, &detail)?;
                Ok(user)
            })
            .await?;
        self.people.note_account(&user, "factors_removed");
        self.messages.post_user_mail();
        Ok(())
    }
}
