//! Comments on records of every kind, in one table.

use domain::{
    comment::{Comment, CommentState},
    id::{CommentId, UserId},
    moment::Moment,
    page::{Page, PageRequest},
    text::Prose,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Filter, List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO comments (id, tenant_id, subject, kind, text, mentions, author, written_with, created_at,
                                    updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
    GET = "SELECT id, subject, kind, text, mentions, author, written_with, created_at, edited_at, resolved_at,
                  resolved_by, withdrawn_at
           FROM comments WHERE tenant_id = $1 AND id = $2";
    SUBJECT = "SELECT id, subject FROM comments WHERE tenant_id = $1 AND id = $2";
    UPDATE = "UPDATE comments SET text = $3, mentions = $4, edited_at = $5, resolved_at = $6, resolved_by = $7,
                                  withdrawn_at = $8, updated_at = $9
              WHERE tenant_id = $1 AND id = $2";
    DELETE = "DELETE FROM comments WHERE tenant_id = $1 AND id = $2";
    IDS = "SELECT id FROM comments WHERE tenant_id = $1 AND subject = $2 ORDER BY id";
    FIRST = "SELECT id FROM comments WHERE tenant_id = $1 AND subject = $2 LIMIT 1";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "comments",
    columns:
        "c.id, c.subject, c.kind, c.text, c.mentions, c.author, c.written_with, c.created_at, c.edited_at,
              c.resolved_at, c.resolved_by, c.withdrawn_at",
    stamps: None,
    from: "comments c",
    base: "c.tenant_id = $1",
    filters: &[Filter { name: "subject", condition: "c.subject = ?" }],
    orders: &[Order { name: "created_at", by: "c.id", back: "c.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("c.id", CommentId, "c.updated_at"),
};

/// A comment with its author and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentRow {
    pub id: CommentId,
    /// The id of the record.
    pub subject: String,
    /// The table of the record.
    pub kind: String,
    pub comment: Comment,
    /// The id of the person or the key that wrote it.
    pub author: String,
    /// The key that the person wrote it with.
    pub written_with: Option<String>,
    pub created_at: Moment,
    pub edited_at: Option<Moment>,
    pub resolved_at: Option<Moment>,
    pub resolved_by: Option<String>,
    pub withdrawn_at: Option<Moment>,
}

impl CommentRow {
    pub fn state(&self) -> CommentState {
        match (self.withdrawn_at, self.resolved_at) {
            (Some(_), _) => CommentState::Withdrawn,
            (None, Some(_)) => CommentState::Resolved,
            (None, None) => CommentState::Open,
        }
    }
}

fn read(row: &Row<'_>) -> Result<CommentRow> {
    let mentions: Vec<String> = row.json(4)?;
    let mentions = mentions.iter().map(|id| id.parse::<UserId>()).collect::<Result<_, _>>();
    let comment = Comment { text: row.check(3, Prose::parse)?, mentions: mentions.map_err(Error::corrupt)? };
    Ok(CommentRow {
        id: row.parse(0)?,
        subject: row.get(1)?,
        kind: row.get(2)?,
        comment,
        author: row.get(5)?,
        written_with: row.get(6)?,
        created_at: row.get(7)?,
        edited_at: row.get(8)?,
        resolved_at: row.get(9)?,
        resolved_by: row.get(10)?,
        withdrawn_at: row.get(11)?,
    })
}

fn mentions(comment: &Comment) -> Result<String> {
    let ids: Vec<String> = comment.mentions.iter().map(ToString::to_string).collect();
    serde_json::to_string(&ids).map_err(Error::corrupt)
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &CommentRow) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            row.subject.as_str(),
            row.kind.as_str(),
            &row.comment.text,
            mentions(&row.comment)?,
            row.author.as_str(),
            row.written_with.as_deref(),
            row.created_at
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: CommentId) -> Result<Option<CommentRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The ids of those comments that exist, each with the id of what it is about.
pub fn subjects(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[CommentId],
) -> Result<Vec<(String, String)>> {
    let sets: Vec<_> = ids.iter().map(|id| params![scope.tenant(), *id].to_vec()).collect();
    let found = reader.query_many(&SUBJECT, &sets, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.into_iter().flatten().collect())
}

/// Stores a comment that was changed now.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &CommentRow, now: Moment) -> Result<()> {
    tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            row.id,
            &row.comment.text,
            mentions(&row.comment)?,
            row.edited_at,
            row.resolved_at,
            row.resolved_by.as_deref(),
            row.withdrawn_at,
            now
        ],
    )?;
    Ok(())
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: CommentId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), id])?;
    Ok(())
}

/// The comments on a record, oldest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    request: PageRequest,
) -> Result<Page<CommentRow>> {
    LIST.query(scope).filter("subject", subject).page(reader, request, read)
}

/// The ids of all comments on a record.
pub fn ids(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<Vec<String>> {
    reader.query(&IDS, params![scope.tenant(), subject], |row| row.get(0))
}

pub fn has_any(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<bool> {
    let first: Option<String> =
        reader.query_opt(&FIRST, params![scope.tenant(), subject], |row| row.get(0))?;
    Ok(first.is_some())
}
