//! Signed-in browsers: the digest of their cookie's value, never the cookie.

use std::{fmt, str::FromStr};

use domain::{
    id::{SessionId, UserId},
    moment::Moment,
    text::Name,
    time_zone::TimeZone,
    user::SecondFactorPolicy,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
    user::{self, UserRow},
};

crate::sql! {
    INSERT = "INSERT INTO sessions (id, tenant_id, user_id, digest, stage, address, agent, created_at, seen_at,
                                    failures, proved_at, provider_factor)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    BY_DIGEST = "SELECT u.id, u.tenant_id, COALESCE(u.address, u.email), u.name, u.role, u.language, u.theme, u.disabled_at,
                        u.signed_in_at, u.version, u.created_at, u.updated_at, u.password_hash, u.totp_secret,
                        s.id, s.stage, s.address, s.agent, s.created_at, s.seen_at, s.failures, s.proved_at, t.name,
                        u.time_zone, t.time_zone, t.second_factor, u.ends_on, s.provider_factor,
                        (SELECT COUNT(*) FROM inbox i
                         WHERE i.tenant_id = s.tenant_id AND i.user_id = s.user_id AND i.read_at IS NULL)
                 FROM sessions s JOIN users u ON u.id = s.user_id JOIN tenants t ON t.id = s.tenant_id
                 WHERE s.digest = $1 AND t.closed_at IS NULL";
    LIST = "SELECT id, stage, address, agent, created_at, seen_at, failures, proved_at, provider_factor FROM sessions
            WHERE user_id = $2 AND tenant_id = $1 AND stage = 'open' ORDER BY id";
    TOUCH = "UPDATE sessions SET seen_at = $2 WHERE id = $1";
    FAILURES = "SELECT failures FROM sessions WHERE id = $3 AND user_id = $2 AND tenant_id = $1";
    SET_FAILURES = "UPDATE sessions SET failures = $2 WHERE id = $1";
    PROVE = "UPDATE sessions SET proved_at = $2, digest = $3, failures = 0 WHERE id = $1";
    DELETE = "DELETE FROM sessions WHERE id = $1";
    DELETE_ONE = "DELETE FROM sessions WHERE id = $3 AND user_id = $2 AND tenant_id = $1";
    DELETE_OTHERS = "DELETE FROM sessions WHERE user_id = $2 AND tenant_id = $1 AND id <> $3";
    PRUNE_IDLE = "DELETE FROM sessions WHERE seen_at <= $1";
    PRUNE_OLD = "DELETE FROM sessions WHERE created_at <= $1";
}

/// The progress of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The password was right; the second factor is still missing. Gives access to nothing.
    Code,
    Open,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Open => "open",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownStage;

impl fmt::Display for UnknownStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is no stage of a session")
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Self, UnknownStage> {
        [Self::Code, Self::Open].into_iter().find(|known| known.as_str() == text).ok_or(UnknownStage)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    pub id: SessionId,
    pub stage: Stage,
    /// The address the browser signed in from.
    pub address: String,
    /// The browser's `User-Agent`.
    pub agent: String,
    pub created_at: Moment,
    pub seen_at: Moment,
    /// Wrong codes presented with it.
    pub failures: i64,
    /// When the person last presented a passkey, or their password and a code where there is a second factor. Of a session
    /// that waits for its code: when they showed the first of both, unless an identity provider did not ask for it anew.
    pub proved_at: Option<Moment>,
    /// Whether it began with a second factor that is no code: one the identity provider saw, or a passkey.
    pub provider_factor: bool,
}

/// A session with the user and the tenant it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedSession {
    pub session: SessionRow,
    pub user: UserRow,
    pub tenant_name: Name,
    pub tenant_zone: TimeZone,
    pub second_factor: SecondFactorPolicy,
    /// The number of notices that the user has not read.
    pub unread: u64,
}

/// The session's columns, starting at `first`; the last of them is at `factor`.
fn read(row: &Row<'_>, first: usize, factor: usize) -> Result<SessionRow> {
    Ok(SessionRow {
        id: row.parse(first)?,
        stage: row.parse(first + 1)?,
        address: row.get(first + 2)?,
        agent: row.get(first + 3)?,
        created_at: row.get(first + 4)?,
        seen_at: row.get(first + 5)?,
        failures: row.get(first + 6)?,
        proved_at: row.get(first + 7)?,
        provider_factor: row.get(factor)?,
    })
}

pub fn insert(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    session: &SessionRow,
    digest: &str,
) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            session.id,
            scope.tenant(),
            user,
            digest,
            session.stage.as_str(),
            &session.address,
            &session.agent,
            session.created_at,
            session.seen_at,
            session.failures,
            session.proved_at,
            session.provider_factor,
        ],
    )?;
    Ok(())
}

/// The session with this digest, of any tenant: the tenant is not known before, so there is no scope yet.
pub fn by_digest(reader: &mut Reader<'_>, digest: &str) -> Result<Option<ResolvedSession>> {
    reader.query_opt(&BY_DIGEST, params![digest], |row| {
        Ok(ResolvedSession {
            user: user::read(row, (23, 26))?,
            session: read(row, 14, 27)?,
            tenant_name: Name::parse(row.text(22)?).map_err(Error::corrupt)?,
            tenant_zone: row.parse(24)?,
            second_factor: row.parse(25)?,
            unread: row.get(28)?,
        })
    })
}

/// A person's open sessions, oldest first.
pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<Vec<SessionRow>> {
    reader.query(&LIST, params![scope.tenant(), user], |row| read(row, 0, 8))
}

pub fn touch(tx: &mut Tx<'_>, id: SessionId, at: Moment) -> Result<()> {
    tx.execute(&TOUCH, params![id, at])?;
    Ok(())
}

/// Wrong codes presented with one of a person's sessions.
pub fn failures(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    id: SessionId,
) -> Result<Option<i64>> {
    reader.query_opt(&FAILURES, params![scope.tenant(), user, id], |row| row.get(0))
}

pub fn set_failures(tx: &mut Tx<'_>, id: SessionId, failures: i64) -> Result<()> {
    tx.execute(&SET_FAILURES, params![id, failures])?;
    Ok(())
}

/// Records that the signed-in user confirmed their identity, and gives the session another cookie, so that a copy of the
/// one before gains nothing. False if the session no longer exists.
pub fn prove(tx: &mut Tx<'_>, id: SessionId, digest: &str, at: Moment) -> Result<bool> {
    Ok(tx.execute(&PROVE, params![id, at, digest])? > 0)
}

/// Ends a session whose cookie was presented.
pub fn delete(tx: &mut Tx<'_>, id: SessionId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![id])? > 0)
}

/// Ends one of a user's sessions; false if it belongs to another user.
pub fn delete_one(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, id: SessionId) -> Result<bool> {
    Ok(tx.execute(&DELETE_ONE, params![scope.tenant(), user, id])? > 0)
}

/// Ends all of a user's sessions but one and returns their number.
pub fn delete_others(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    kept: Option<SessionId>,
) -> Result<u64> {
    let kept = kept.map_or_else(String::new, |id| id.to_string());
    tx.execute(&DELETE_OTHERS, params![scope.tenant(), user, kept])
}

/// Deletes sessions not seen since `idle` or begun before `old`.
pub fn prune(tx: &mut Tx<'_>, idle: Moment, old: Moment) -> Result<u64> {
    Ok(tx.execute(&PRUNE_IDLE, params![idle])? + tx.execute(&PRUNE_OLD, params![old])?)
}
