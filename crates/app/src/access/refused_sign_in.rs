//! Refused sign-ins of an account, for its owner and for administrators.

use domain::{
    id::UserId,
    right::{Resource, Right},
};
pub use store::refused_sign_in::RefusedRow;
use store::{Reader, Tx, refused_sign_in as rows, user::UserRow};

use crate::{
    Access, Error, Result,
    authz::Caller,
    security::{SecurityEvent, What},
    session::{Session, Visitor},
};

/// How long refused sign-ins are shown.
const KEPT_SECONDS: i64 = 90 * 24 * 60 * 60;
/// The maximum number of rows per account and day: an attacker with many addresses must not fill the store.
const ROWS_PER_DAY: i64 = 100;
const SHOWN: u32 = 20;
const SHOWN_TO_ADMINISTRATORS: u32 = 50;

impl Access {
    /// Records a refused sign-in: in the security events and, if the account exists, for its owner. The latter is
    /// stored in the background, so that the response time does not reveal whether the account exists.
    pub(crate) fn note_refusal(&self, user: &UserRow, what: What, visitor: &Visitor, reason: &'static str) {
        let event = SecurityEvent::refused(what).of(user.tenant, user.id).because(reason);
        self.note(event.from(visitor.address));
        let (this, now) = (self.clone(), self.clock.now());
        let (scope, user) = (*Caller::user(user.tenant, user.id, user.role).scope(), user.id);
        let means = match what {
            What::Code => "code",
            _ if reason.starts_with("passkey") => "passkey",
            _ => "password",
        };
        let address = visitor.address.to_string();
        tokio::spawn(async move {
            let count =
                move |tx: &mut Tx<'_>| rows::count(tx, &scope, user, (means, &address), (now, ROWS_PER_DAY));
            if let Err(error) = this.db.platform().bookkeep(count).await {
                tracing::warn!(%error, "a refused sign-in is not shown to its owner");
            }
        });
    }

    /// The refused sign-ins of the person's own account, the latest first.
    pub async fn own_refused_sign_ins(&self, session: &Session) -> Result<Vec<RefusedRow>> {
        let (scope, user) = (*session.caller.scope(), session.user.id);
        self.db.tenant(&scope).read(move |r| rows::of_user(r, &scope, user, SHOWN)).await.map_err(Error::from)
    }

    /// The refused sign-ins of one account, for an administrator.
    pub async fn refused_sign_ins_of(&self, caller: &Caller, user: UserId) -> Result<Vec<RefusedRow>> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::of_user(r, &scope, user, SHOWN)).await.map_err(Error::from)
    }

    /// The refused sign-ins of all accounts of the tenant, the latest first.
    pub async fn refused_sign_ins(&self, caller: &Caller) -> Result<Vec<RefusedRow>> {
        caller.require_right(Resource::People, Right::Read)?;
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| rows::of_tenant(r, &scope, SHOWN_TO_ADMINISTRATORS);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// Deletes expired rows. A job calls it.
    pub(crate) async fn prune_refused_sign_ins(&self) -> Result<u64> {
        let before = self.clock.now().plus_seconds(-KEPT_SECONDS);
        self.db.platform().bookkeep(move |tx| rows::prune(tx, before)).await.map_err(Error::from)
    }
}
