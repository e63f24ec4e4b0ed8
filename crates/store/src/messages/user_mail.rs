//! Mail to users that is still to be sent, sealed by the caller. A mail is deleted once it was sent.

use domain::{
    id::{TenantId, UserMailId},
    moment::Moment,
};

use crate::{
    Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO letters (id, tenant_id, link, sealed, tries, created_at, due_at, ends_at, waits_for, about)
              VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9)";
    DUE = "SELECT id, sealed, tries, created_at, due_at, ends_at, tenant_id FROM letters
           WHERE due_at <= $1 AND ends_at > $1 ORDER BY due_at, id LIMIT $2";
    CLAIM = "UPDATE letters SET due_at = $3, tries = tries + 1 WHERE id = $1 AND due_at = $2";
    LATER = "UPDATE letters SET due_at = $3 WHERE id = $1 AND due_at = $2";
    POSTPONE = "UPDATE letters SET due_at = $3, tries = tries - 1 WHERE id = $1 AND due_at = $2";
    RELEASE = "UPDATE letters SET due_at = $3, waits_for = NULL WHERE tenant_id = $1 AND waits_for = $2";
    DELETE_ABOUT = "DELETE FROM letters WHERE tenant_id = $1 AND about = $2";
    DELETE_OTHERS = "DELETE FROM letters WHERE tenant_id = $1 AND about = $2 AND id <> $3";
    DELETE = "DELETE FROM letters WHERE id = $1";
    PRUNE = "DELETE FROM letters WHERE ends_at <= $1";
}

/// A mail to be kept until it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUserMail {
    pub id: UserMailId,
    /// The tenant it belongs to, as far as that is known.
    pub tenant: Option<TenantId>,
    /// The digest of the one-time link it contains: when the link is void, so is the mail.
    pub link: Option<String>,
    /// The address that has to be confirmed before it is sent.
    pub waits_for: Option<String>,
    /// What it is about, if a later mail about the same replaces it.
    pub about: Option<String>,
    pub sealed: String,
    pub created_at: Moment,
    /// From then on it need not be sent.
    pub ends_at: Moment,
}

/// A mail that this process may send until the lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedUserMail {
    pub id: UserMailId,
    pub tenant: Option<TenantId>,
    pub sealed: String,
    /// How often it was tried, including this time.
    pub tries: u64,
    pub created_at: Moment,
    pub ends_at: Moment,
    pub lease_until: Moment,
}

pub fn insert(tx: &mut Tx<'_>, mail: &NewUserMail) -> Result<()> {
    let NewUserMail { id, tenant, link, waits_for, about, sealed, created_at, ends_at } = mail;
    // A mail that is due only when it need not be sent any more is never claimed, by nodes of earlier versions either.
    let due_at = if waits_for.is_some() { ends_at } else { created_at };
    let (waits_for, about) = (waits_for.as_deref(), about.as_deref());
    tx.execute(
        &INSERT,
        params![*id, *tenant, link.as_deref(), sealed, *created_at, *due_at, *ends_at, waits_for, about],
    )?;
    Ok(())
}

/// Makes the mails due that waited for this address to be confirmed.
pub fn release(tx: &mut Tx<'_>, scope: &TenantScope, address: &str, now: Moment) -> Result<()> {
    tx.execute(&RELEASE, params![scope.tenant(), address, now])?;
    Ok(())
}

/// Deletes the unsent mails about a subject.
pub fn delete_about(tx: &mut Tx<'_>, scope: &TenantScope, about: &str) -> Result<()> {
    tx.execute(&DELETE_ABOUT, params![scope.tenant(), about])?;
    Ok(())
}

/// Deletes the unsent mails about a subject except one.
pub fn delete_others_about(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    about: &str,
    mail: UserMailId,
) -> Result<()> {
    tx.execute(&DELETE_OTHERS, params![scope.tenant(), about, mail])?;
    Ok(())
}

/// Claims mails that are due, so that no other process sends them before the lease ends.
pub fn claim(tx: &mut Tx<'_>, now: Moment, lease_until: Moment, limit: u32) -> Result<Vec<ClaimedUserMail>> {
    let due = tx.query(&DUE, params![now, limit], |row| read(row, lease_until))?;
    let mut ours = Vec::with_capacity(due.len());
    for (mail, due_at) in due {
        if tx.execute(&CLAIM, params![mail.id, due_at, lease_until])? > 0 {
            ours.push(mail);
        }
    }
    Ok(ours)
}

fn read(row: &Row<'_>, lease_until: Moment) -> Result<(ClaimedUserMail, Moment)> {
    let mail = ClaimedUserMail {
        id: row.parse(0)?,
        tenant: row.parse_opt(6)?,
        sealed: row.get(1)?,
        tries: u64::try_from(row.get::<i64>(2)?).map_err(Error::corrupt)? + 1,
        created_at: row.get(3)?,
        ends_at: row.get(5)?,
        lease_until,
    };
    Ok((mail, row.get(4)?))
}

/// Puts a mail back to be retried at `due_at`; not if its lease has ended, because another process may hold it.
pub fn put_back(tx: &mut Tx<'_>, mail: &ClaimedUserMail, due_at: Moment) -> Result<()> {
    tx.execute(&LATER, params![mail.id, mail.lease_until, due_at])?;
    Ok(())
}

/// The same for a mail that was not tried at all.
pub fn postpone(tx: &mut Tx<'_>, mail: &ClaimedUserMail, due_at: Moment) -> Result<()> {
    tx.execute(&POSTPONE, params![mail.id, mail.lease_until, due_at])?;
    Ok(())
}

pub fn delete(tx: &mut Tx<'_>, id: UserMailId) -> Result<()> {
    tx.execute(&DELETE, params![id])?;
    Ok(())
}

/// Deletes mails that need not be sent any more and returns their number.
pub fn prune(tx: &mut Tx<'_>, now: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![now])
}
