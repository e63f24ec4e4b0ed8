//! Notices to people, and how they want to be notified.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    id::{NoticeId, TenantId, UserId, UserMailId},
    inbox::{NoticeChoices, Reason, Way},
    moment::Moment,
    page::{Page, PageRequest},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    PUT = "INSERT INTO inbox (id, tenant_id, user_id, reason, subject, version, kind, reference, title, actor, due,
                              created_at, mail_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           ON CONFLICT (tenant_id, user_id, reason, subject, version) DO NOTHING";
    LIST = "SELECT id, user_id, reason, subject, version, kind, reference, title, actor, due, created_at, read_at
            FROM inbox WHERE tenant_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3 OFFSET $4";
    COUNT = "SELECT COUNT(*) FROM inbox WHERE tenant_id = $1 AND user_id = $2";
    GET = "SELECT id, user_id, reason, subject, version, kind, reference, title, actor, due, created_at, read_at
           FROM inbox WHERE tenant_id = $1 AND user_id = $2 AND id = $3";
    READ = "UPDATE inbox SET read_at = $4 WHERE tenant_id = $1 AND user_id = $2 AND id = $3 AND read_at IS NULL";
    READ_ALL = "UPDATE inbox SET read_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL";
    DUE = "SELECT tenant_id, user_id FROM inbox WHERE mail_at <= $1 ORDER BY mail_at, tenant_id, user_id LIMIT $2";
    TO_MAIL = "SELECT id, user_id, reason, subject, version, kind, reference, title, actor, due, created_at, read_at
               FROM inbox WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL
                 AND (mail_at <= $3 OR EXISTS (SELECT 1 FROM letters l WHERE l.id = inbox.letter))
               ORDER BY id LIMIT $4";
    MAILED = "UPDATE inbox SET mail_at = NULL, letter = $4
              WHERE tenant_id = $1 AND user_id = $2
                AND (mail_at <= $3 OR EXISTS (SELECT 1 FROM letters l WHERE l.id = inbox.letter))";
    PRUNE = "DELETE FROM inbox WHERE created_at < $1";
    CHOICES = "SELECT hour, ways FROM inbox_choices WHERE user_id = $2 AND tenant_id = $1";
    CHOOSE = "INSERT INTO inbox_choices (user_id, tenant_id, hour, ways) VALUES ($2, $1, $3, $4)
              ON CONFLICT (user_id) DO UPDATE SET hour = excluded.hour, ways = excluded.ways";
}

/// A notice to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    pub id: NoticeId,
    pub user: UserId,
    pub reason: Reason,
    /// The id of the record that it is about.
    pub subject: String,
    /// Another version of the record can be the subject of another notice.
    pub version: i64,
    /// The table of the record.
    pub kind: String,
    pub reference: Option<String>,
    pub title: String,
    /// The person or key that caused it; none if time did.
    pub actor: Option<String>,
    /// When the record is due: a day or a moment, as text.
    pub due: Option<String>,
    pub created_at: Moment,
    pub read_at: Option<Moment>,
}

/// Returns whether the person did not have it yet.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, row: &NoticeRow, mail_at: Option<Moment>) -> Result<bool> {
    let added = tx.execute(
        &PUT,
        params![
            row.id,
            scope.tenant(),
            row.user,
            row.reason.as_str(),
            row.subject.as_str(),
            row.version,
            row.kind.as_str(),
            row.reference.as_deref(),
            row.title.as_str(),
            row.actor.as_deref(),
            row.due.as_deref(),
            row.created_at,
            mail_at
        ],
    )?;
    Ok(added > 0)
}

fn read(row: &Row<'_>) -> Result<NoticeRow> {
    Ok(NoticeRow {
        id: row.parse(0)?,
        user: row.parse(1)?,
        reason: row.parse(2)?,
        subject: row.get(3)?,
        version: row.get(4)?,
        kind: row.get(5)?,
        reference: row.get(6)?,
        title: row.get(7)?,
        actor: row.get(8)?,
        due: row.get(9)?,
        created_at: row.get(10)?,
        read_at: row.get(11)?,
    })
}

/// The notices of a person, newest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    request: PageRequest,
) -> Result<Page<NoticeRow>> {
    let params = params![scope.tenant(), user, request.limit(), request.offset()];
    let items = reader.query(&LIST, params, read)?;
    let total = reader.query_one(&COUNT, params![scope.tenant(), user], |row| row.get(0))?;
    Ok(Page::new(items, total, request))
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    id: NoticeId,
) -> Result<Option<NoticeRow>> {
    reader.query_opt(&GET, params![scope.tenant(), user, id], read)
}

/// Marks one notice as read.
pub fn mark_read(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    id: NoticeId,
    now: Moment,
) -> Result<()> {
    tx.execute(&READ, params![scope.tenant(), user, id, now])?;
    Ok(())
}

/// Marks all notices of the person as read and returns how many were not.
pub fn mark_all_read(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, now: Moment) -> Result<u64> {
    tx.execute(&READ_ALL, params![scope.tenant(), user, now])
}

/// People with notices whose mail is due, by at most so many notices.
pub fn due(reader: &mut Reader<'_>, now: Moment, limit: u32) -> Result<BTreeSet<(TenantId, UserId)>> {
    let read = |row: &Row<'_>| Ok::<_, Error>((row.parse(0)?, row.parse(1)?));
    Ok(reader.query(&DUE, params![now, limit], read)?.into_iter().collect())
}

/// The unread notices of a person whose mail is due, and those in a mail that could not be sent yet, oldest first.
pub fn to_mail(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    now: Moment,
    limit: u32,
) -> Result<Vec<NoticeRow>> {
    reader.query(&TO_MAIL, params![scope.tenant(), user, now, limit], read)
}

/// Records that this mail tells of all that was due; `None` if nothing was left to tell.
pub fn mailed(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    now: Moment,
    mail: Option<UserMailId>,
) -> Result<()> {
    tx.execute(&MAILED, params![scope.tenant(), user, now, mail])?;
    Ok(())
}

/// Deletes notices that were given before a moment and returns their number.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}

pub fn choices(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<NoticeChoices> {
    let found: Option<(i64, String)> = reader.query_opt(&CHOICES, params![scope.tenant(), user], |row| {
        Ok::<_, Error>((row.get(0)?, row.get(1)?))
    })?;
    let Some((hour, ways)) = found else { return Ok(NoticeChoices::default()) };
    let ways: BTreeMap<String, String> = serde_json::from_str(&ways).map_err(Error::corrupt)?;
    // A reason or way of a later version, stored before going back to this one, is as if nothing had been chosen.
    let known = ways
        .iter()
        .filter_map(|(reason, way)| Some((reason.parse::<Reason>().ok()?, way.parse::<Way>().ok()?)));
    Ok(NoticeChoices::new(u8::try_from(hour).map_err(Error::corrupt)?, known))
}

pub fn choose(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, choices: &NoticeChoices) -> Result<()> {
    let ways: BTreeMap<&str, &str> = choices.chosen().map(|(reason, way)| (reason, way.as_str())).collect();
    let ways = serde_json::to_string(&ways).map_err(Error::corrupt)?;
    tx.execute(&CHOOSE, params![scope.tenant(), user, i64::from(choices.hour), ways])?;
    Ok(())
}
