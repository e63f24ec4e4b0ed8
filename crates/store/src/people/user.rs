//! Users. Their secrets are separate from their record, so that a page never holds them by accident.

use std::fmt;

use domain::{
    id::{TenantId, UserId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
    text::Name,
    time_zone::TimeZone,
    user::{Email, Role, Theme},
    wording::Language,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO users (id, tenant_id, email, name, role, language, theme, password_hash,
                                 version, created_at, updated_at, ends_on, address)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
              ON CONFLICT (email) DO NOTHING";
    IN_TENANT = "SELECT id FROM users WHERE tenant_id = $1 AND COALESCE(address, email) = $2 ORDER BY id LIMIT 1";
    GET = "SELECT id, tenant_id, COALESCE(address, email), name, role, language, theme, disabled_at, signed_in_at, version, created_at,
                  updated_at, password_hash, totp_secret, totp_pending, totp_step, code_failures, code_failed_at,
                  time_zone, totp_pending_at, ends_on
           FROM users WHERE tenant_id = $1 AND id = $2";
    BY_EMAIL = "SELECT id, tenant_id, COALESCE(address, email), name, role, language, theme, disabled_at, signed_in_at, version,
                       created_at, updated_at, password_hash, totp_secret, totp_pending, totp_step, code_failures,
                       code_failed_at, time_zone, totp_pending_at, ends_on
                FROM users WHERE email = $1 OR address = $1 ORDER BY id LIMIT $2";
    LIST = "SELECT id, tenant_id, COALESCE(address, email), name, role, language, theme, disabled_at, signed_in_at, version, created_at,
                   updated_at, password_hash, totp_secret, totp_pending, totp_step, code_failures, code_failed_at,
                   time_zone, totp_pending_at, ends_on
            FROM users WHERE tenant_id = $1 ORDER BY id LIMIT $2 OFFSET $3";
    NAMED = "SELECT id, name, COALESCE(address, email) FROM users
             WHERE tenant_id = $1 AND (LOWER(name) = LOWER($2) OR LOWER(COALESCE(address, email)) = LOWER($2))
             ORDER BY id LIMIT 1";
    ANSWERING = "SELECT id FROM users
                 WHERE tenant_id = $1 AND (LOWER(name) = LOWER($2) OR LOWER(COALESCE(address, email)) = LOWER($2))
                 ORDER BY id LIMIT 2";
    NAMES = "SELECT name FROM users WHERE tenant_id = $1 AND disabled_at IS NULL ORDER BY id LIMIT $2";
    COUNT = "SELECT COUNT(*) FROM users WHERE tenant_id = $1";
    ADMINISTRATORS = "SELECT COALESCE(address, email) FROM users
                      WHERE tenant_id = $1 AND role = 'administrator' AND disabled_at IS NULL ORDER BY id";
    ADMINISTRATOR_IDS = "SELECT id FROM users
                         WHERE tenant_id = $1 AND role = 'administrator' AND disabled_at IS NULL ORDER BY id";
    MANAGERS = "SELECT id FROM users
                WHERE tenant_id = $1 AND role IN ('manager', 'administrator') AND disabled_at IS NULL";
    CONTACTS = "SELECT name, COALESCE(address, email) FROM users
                WHERE tenant_id = $1 AND role = 'administrator' AND disabled_at IS NULL ORDER BY id LIMIT $2";
    ABLE_ADMINISTRATORS = "SELECT u.id FROM users u
                           WHERE u.tenant_id = $1 AND u.role = 'administrator' AND u.disabled_at IS NULL
                             AND u.ends_on IS NULL
                             AND (u.password_hash IS NOT NULL
                                  OR EXISTS (SELECT 1 FROM passkeys k
                                             WHERE k.user_id = u.id AND k.tenant_id = u.tenant_id)
                                  OR EXISTS (SELECT 1 FROM user_identities i
                                             JOIN identity_providers o
                                               ON o.tenant_id = i.tenant_id AND o.issuer = i.issuer
                                             WHERE i.user_id = u.id AND i.tenant_id = u.tenant_id))
                           ORDER BY u.id LIMIT $2";
    EXISTS = whole("one row is enough to answer", "SELECT id FROM users LIMIT 1");
    UPDATE = "UPDATE users SET name = $4, role = $5, language = $6, theme = $7, disabled_at = $8, time_zone = $10, ends_on = $11,
                               version = version + 1, updated_at = $9
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    SET_PASSWORD = "UPDATE users SET password_hash = $3, version = version + 1, updated_at = $4
                    WHERE tenant_id = $1 AND id = $2";
    SET_PENDING = "UPDATE users SET totp_pending = $3, totp_pending_at = $4 WHERE tenant_id = $1 AND id = $2";
    SET_TOTP = "UPDATE users SET totp_secret = $3, totp_step = $4, totp_pending = NULL, version = version + 1,
                                 updated_at = $5
                WHERE tenant_id = $1 AND id = $2";
    SPEND_STEP = "UPDATE users SET totp_step = $3
                  WHERE tenant_id = $1 AND id = $2 AND (totp_step IS NULL OR totp_step < $3)";
    SET_CODE_FAILURES = "UPDATE users SET code_failures = $3, code_failed_at = $4 WHERE tenant_id = $1 AND id = $2";
    NOTE_SIGN_IN = "UPDATE users SET signed_in_at = $3 WHERE tenant_id = $1 AND id = $2";
    INSERT_CODE = "INSERT INTO recovery_codes (tenant_id, user_id, digest) VALUES ($1, $2, $3)";
    DELETE_CODES = "DELETE FROM recovery_codes WHERE user_id = $2 AND tenant_id = $1";
    SPEND_CODE = "DELETE FROM recovery_codes WHERE user_id = $2 AND tenant_id = $1 AND digest = $3";
    COUNT_CODES = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $2 AND tenant_id = $1";
}

/// In no more tenants than this an address is looked for.
const MOST_TENANTS: u32 = 50;

/// Where the statements of this module have the time zone and the last day.
const ZONE: (usize, usize) = (18, 20);

/// A person, without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRow {
    pub id: UserId,
    pub tenant: TenantId,
    pub email: Email,
    pub name: Name,
    pub role: Role,
    /// `None`: as the browser requests.
    pub language: Option<Language>,
    pub theme: Theme,
    /// `None`: the institution's.
    pub time_zone: Option<TimeZone>,
    pub disabled_at: Option<Moment>,
    /// The last day on which the account is open, if it is limited.
    pub ends_on: Option<Day>,
    pub signed_in_at: Option<Moment>,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// Whether a password was ever chosen; until then the user is only invited.
    pub has_password: bool,
    pub has_second_factor: bool,
}

impl UserRow {
    /// Whether the account is closed at this moment: by hand, or because its last day in the institution's zone has
    /// passed.
    pub fn is_shut(&self, zone: &TimeZone, now: Moment) -> bool {
        let past = self.ends_on.is_some_and(|last| zone.local(now).day > last);
        self.disabled_at.is_some() || past
    }

    /// Whether the address stands in for a name that was not given yet.
    pub fn is_nameless(&self) -> bool {
        self.name.as_str() == self.email.as_str()
    }
}

/// The secrets a sign-in is checked against.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    pub password_hash: Option<String>,
    /// Sealed.
    pub totp_secret: Option<String>,
    /// Sealed; not confirmed with a code yet.
    pub totp_pending: Option<String>,
    /// When the pending secret was created; unknown for one of an earlier version.
    pub totp_pending_at: Option<Moment>,
    /// The latest time step whose code was accepted: no code works twice.
    pub totp_step: Option<i64>,
    /// Wrong codes from browsers the account does not know.
    pub code_failures: Failures,
}

/// Wrong codes in a row, and when the last one came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    pub count: i64,
    pub last: Option<Moment>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

/// Reads a user; the arguments name the columns of the time zone and the last day.
pub(crate) fn read(row: &Row<'_>, (zone, end): (usize, usize)) -> Result<UserRow> {
    Ok(UserRow {
        id: row.parse(0)?,
        tenant: row.parse(1)?,
        email: row.parse(2)?,
        name: Name::parse(row.text(3)?).map_err(Error::corrupt)?,
        role: row.parse(4)?,
        language: row.parse_opt(5)?,
        theme: row.parse(6)?,
        time_zone: row.parse_opt(zone)?,
        disabled_at: row.get(7)?,
        ends_on: row.parse_opt(end)?,
        signed_in_at: row.get(8)?,
        version: row.get(9)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
        has_password: row.get::<Option<String>>(12)?.is_some(),
        has_second_factor: row.get::<Option<String>>(13)?.is_some(),
    })
}

fn read_whole(row: &Row<'_>) -> Result<(UserRow, Credentials)> {
    let credentials = Credentials {
        password_hash: row.get(12)?,
        totp_secret: row.get(13)?,
        totp_pending: row.get(14)?,
        totp_pending_at: row.get(19)?,
        totp_step: row.get(15)?,
        code_failures: Failures { count: row.get(16)?, last: row.get(17)? },
    };
    Ok((read(row, ZONE)?, credentials))
}

pub fn insert(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: &UserRow,
    password_hash: Option<&str>,
) -> Result<()> {
    let email = user.email.as_str();
    if tx.query_opt(&IN_TENANT, params![scope.tenant(), email], |row| row.get::<String>(0))?.is_some() {
        return Err(Error::Duplicate("users".into()));
    }
    if insert_as(tx, scope, user, password_hash, (email, None))? {
        return Ok(());
    }
    // A person of another tenant has the address: the column that is unique over all tenants gets a stand-in.
    let stand_in = format!("{}@shared.invalid", user.id);
    insert_as(tx, scope, user, password_hash, (&stand_in, Some(email)))?;
    Ok(())
}

/// Says whether the first of the addresses was free in the whole store.
fn insert_as(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: &UserRow,
    password_hash: Option<&str>,
    (email, address): (&str, Option<&str>),
) -> Result<bool> {
    let inserted = tx.execute(
        &INSERT,
        params![
            user.id,
            scope.tenant(),
            email,
            user.name.as_str(),
            user.role.as_str(),
            user.language.map(Language::as_str),
            user.theme.as_str(),
            password_hash,
            user.version,
            user.created_at,
            user.updated_at,
            user.ends_on.map(|day| day.to_string()),
            address,
        ],
    )?;
    Ok(inserted > 0)
}

/// The id, name and address of the user with this name or address, in any letter case.
pub fn named(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    text: &str,
) -> Result<Option<(UserId, String, String)>> {
    let person = |row: &Row<'_>| Ok((row.parse(0)?, row.get(1)?, row.get(2)?));
    reader.query_opt(&NAMED, params![scope.tenant(), text], person)
}

/// The users with this name or address, in any letter case: one, or two of several.
pub fn answering_to(reader: &mut Reader<'_>, scope: &TenantScope, text: &str) -> Result<Vec<UserId>> {
    reader.query(&ANSWERING, params![scope.tenant(), text], |row| row.parse(0))
}

/// The names of the users whose accounts are open, at most `limit`.
pub fn names(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<String>> {
    reader.query(&NAMES, params![scope.tenant(), limit], |row| row.get(0))
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: UserId,
) -> Result<Option<(UserRow, Credentials)>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read_whole)
}

/// The people with this address, of whichever tenant, the oldest account first: this is how a tenant is found, so there
/// is no scope yet. A new account of another tenant therefore never comes before one that exists.
pub fn by_email(reader: &mut Reader<'_>, email: &Email) -> Result<Vec<(UserRow, Credentials)>> {
    reader.query(&BY_EMAIL, params![email.as_str(), MOST_TENANTS], read_whole)
}

pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<UserRow>> {
    let total = reader.query_one(&COUNT, params![scope.tenant()], |row| row.get(0))?;
    let items = reader
        .query(&LIST, params![scope.tenant(), request.limit(), request.offset()], |row| read(row, ZONE))?;
    Ok(Page::new(items, total, request))
}

/// The addresses of the tenant's administrators.
pub fn administrators(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<Email>> {
    reader.query(&ADMINISTRATORS, params![scope.tenant()], |row| row.parse(0))
}

/// The tenant's administrators with an open account.
pub fn administrator_ids(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<UserId>> {
    reader.query(&ADMINISTRATOR_IDS, params![scope.tenant()], |row| row.parse(0))
}

/// The people who manage the institution's records and have an open account.
pub fn managers(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<UserId>> {
    reader.query(&MANAGERS, params![scope.tenant()], |row| row.parse(0))
}

/// Names and addresses of the first few administrators, for users who need one.
pub fn contacts(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<(Name, Email)>> {
    reader.query(&CONTACTS, params![scope.tenant(), limit], |row| {
        Ok((row.check(0, Name::parse)?, row.parse(1)?))
    })
}

/// Administrators with an open account without a last day who can sign in: with a password, a passkey or an identity
/// of the tenant's provider.
pub fn able_administrators(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<UserId>> {
    reader.query(&ABLE_ADMINISTRATORS, params![scope.tenant(), limit], |row| row.parse(0))
}

/// Whether the whole store has any user at all.
pub fn any(reader: &mut Reader<'_>) -> Result<bool> {
    Ok(reader.query_opt(&EXISTS, &[], |row| row.get::<String>(0))?.is_some())
}

/// Stores the changed record if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, user: &UserRow) -> Result<bool> {
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            user.id,
            user.version,
            user.name.as_str(),
            user.role.as_str(),
            user.language.map(Language::as_str),
            user.theme.as_str(),
            user.disabled_at,
            user.updated_at,
            user.time_zone.as_ref().map(TimeZone::as_str),
            user.ends_on.map(|day| day.to_string()),
        ],
    )?;
    Ok(changed > 0)
}

pub fn set_password(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, hash: &str, at: Moment) -> Result<()> {
    tx.execute(&SET_PASSWORD, params![scope.tenant(), id, hash, at])?;
    Ok(())
}

/// Stores a new, sealed second factor until a code confirms it.
pub fn set_pending(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, sealed: &str, at: Moment) -> Result<()> {
    tx.execute(&SET_PENDING, params![scope.tenant(), id, sealed, at])?;
    Ok(())
}

/// Sets or removes the second factor, together with the step of the code that confirmed it.
pub fn set_totp(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: UserId,
    sealed: Option<&str>,
    step: Option<i64>,
    at: Moment,
) -> Result<()> {
    tx.execute(&SET_TOTP, params![scope.tenant(), id, sealed, step, at])?;
    Ok(())
}

/// Marks the code of a time step as used; false if it, or a later one, was used before.
pub fn spend_step(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, step: i64) -> Result<bool> {
    Ok(tx.execute(&SPEND_STEP, params![scope.tenant(), id, step])? > 0)
}

pub fn set_code_failures(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, failures: Failures) -> Result<()> {
    tx.execute(&SET_CODE_FAILURES, params![scope.tenant(), id, failures.count, failures.last])?;
    Ok(())
}

pub fn note_sign_in(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, at: Moment) -> Result<()> {
    tx.execute(&NOTE_SIGN_IN, params![scope.tenant(), id, at])?;
    Ok(())
}

/// Replaces all recovery codes; none removes them.
pub fn replace_codes(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, digests: &[String]) -> Result<()> {
    tx.execute(&DELETE_CODES, params![scope.tenant(), id])?;
    for digest in digests {
        tx.execute(&INSERT_CODE, params![scope.tenant(), id, digest])?;
    }
    Ok(())
}

/// Uses up a recovery code; false if there is no such code.
pub fn spend_code(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, digest: &str) -> Result<bool> {
    Ok(tx.execute(&SPEND_CODE, params![scope.tenant(), id, digest])? > 0)
}

pub fn count_codes(reader: &mut Reader<'_>, scope: &TenantScope, id: UserId) -> Result<u64> {
    reader.query_one(&COUNT_CODES, params![scope.tenant(), id], |row| row.get(0))
}
