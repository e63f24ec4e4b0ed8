//! Filings of the register of information, their frozen packages, and the authority's feedback.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    id::{RegisterFilingId, RegisterRowId},
    moment::Moment,
    register::filing::Counts,
    register_filing::{
        FeedbackRead, FrozenPackage, RegisterFiling, RegisterFilingSort, RegisterFilingStatus, Submission,
    },
    task::{TaskAction, TaskType},
    text::Name,
};
use serde_json::{Value as Json, json};

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    record::{self, Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Row, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    PUT_PACKAGE = "INSERT INTO register_packages (tenant_id, sha256, content, frozen_at) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (tenant_id, sha256) DO NOTHING";
    PACKAGE = "SELECT content FROM register_packages WHERE tenant_id = $1 AND sha256 = $2";
    USES = "SELECT COUNT(*) FROM register_filings WHERE tenant_id = $1 AND sha256 = $2";
    DELETE_PACKAGE = "DELETE FROM register_packages WHERE tenant_id = $1 AND sha256 = $2";
    NEXT_DUE = "SELECT id FROM register_filings
                WHERE tenant_id = $1 AND pending = 1 ORDER BY due_on, id LIMIT $2";
    PUT_LINE = "INSERT INTO register_feedback (tenant_id, filing_id, edition, number, template, row_name, row_number,
                                               row_id, column_code, rule, message, value)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    CLEAR_LINES = "DELETE FROM register_feedback WHERE tenant_id = $1 AND filing_id = $2 AND edition = $3";
    FORGET_LINES = "DELETE FROM register_feedback WHERE tenant_id = $1 AND filing_id = $2";
    COUNT_LINES = "SELECT COUNT(*) FROM register_feedback WHERE tenant_id = $1 AND filing_id = $2 AND edition = $3";
    LINES = "SELECT number, template, row_name, row_number, row_id, column_code, rule, message, value
             FROM register_feedback WHERE tenant_id = $1 AND filing_id = $2 AND edition = $3
             ORDER BY number LIMIT $4 OFFSET $5";
    LINES_OF = "SELECT number, template, row_name, row_number, row_id, column_code, rule, message, value
                FROM register_feedback WHERE tenant_id = $1 AND filing_id = $2 AND edition = $3 AND template = $4
                ORDER BY number LIMIT $5";
}

pub type RegisterFilingRow = RecordRow<RegisterFiling>;

/// Which filings, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegisterFilingFilter {
    pub status: AnyOf<RegisterFilingStatus>,
    pub sort: Option<RegisterFilingSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&RegisterFiling::TABLE));

impl Kind for RegisterFiling {
    type Id = RegisterFilingId;
    type Filter = RegisterFilingFilter;

    const TABLE: Table<Self> = Table {
        name: "register_filings",
        prefix: RegisterFilingId::PREFIX,
        columns: &[
            TableColumn::fixed("scope", |filing| Value::from(filing.scope.as_str())),
            TableColumn::fixed("reference_date", |filing| Value::from(filing.reference_date)),
            TableColumn::fixed("country", |filing| Value::from(filing.country.as_str())),
            TableColumn::new("status", |filing| Value::from(filing.status.as_str())),
            TableColumn::derived("pending", |filing| Value::from(filing.status.is_pending())),
            TableColumn::new("owner", |filing| Value::from(filing.owner.as_ref())),
            TableColumn::new("due_on", |filing| Value::day(filing.due_on)),
            TableColumn::derived("sha256", |filing| Value::from(&filing.frozen.sha256)),
            TableColumn::new("frozen", |filing| Value::Owned(frozen_json(&filing.frozen).to_string())),
            TableColumn::new("earlier", |filing| {
                Value::Owned(filing.earlier.iter().map(frozen_json).collect::<Json>().to_string())
            }),
            TableColumn::new("submission", |filing| {
                let json = |sent: &Submission| json!({ "at": sent.at, "by": sent.by, "reference": sent.reference.as_ref().map(Name::as_str) });
                Value::Owned(filing.submission.as_ref().map_or(Json::Null, json).to_string())
            }),
            TableColumn::new("feedback", |filing| {
                let json = |read: &FeedbackRead| json!({ "at": read.at, "lines": read.lines, "placed": read.placed });
                Value::Owned(filing.feedback.as_ref().map_or(Json::Null, json).to_string())
            }),
        ],
        archives: false,
        work: Some(&Work {
            table: "register_filings",
            task: Some(TaskType::RegisterFiling),
            id: "id",
            title: "reference_date",
            owner: "owner",
            open: "r.pending = 1",
            days: &[WorkDay::announced("due_on", TaskAction::File)],
        }),
        filters: &[Filter { name: "status", condition: "r.status = ?" }],
        sorts: &[("due_on", "r.due_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            scope: cells.parse("scope")?,
            reference_date: cells.parse("reference_date")?,
            country: cells.parse("country")?,
            status: cells.parse("status")?,
            owner: cells.name_opt("owner")?,
            due_on: cells.day("due_on")?,
            frozen: frozen(&cells.json("frozen")?)?,
            earlier: cells.json::<Vec<Json>>("earlier")?.iter().map(frozen).collect::<Result<_>>()?,
            submission: submission(&cells.json("submission")?)?,
            feedback: feedback(&cells.json("feedback")?)?,
        })
    }

    fn narrow<'q>(filter: &'q RegisterFilingFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status).order_opt(filter.sort.map(RegisterFilingSort::as_str))
    }
}

fn frozen_json(frozen: &FrozenPackage) -> Json {
    json!({
        "edition": frozen.edition,
        "name": frozen.name,
        "sha256": frozen.sha256,
        "size": frozen.size,
        "rows": frozen.rows,
        "readiness_pct": frozen.readiness_pct,
        "refused": frozen.problems.refused,
        "noted": frozen.problems.noted,
        "advice": frozen.problems.advice,
        "at": frozen.at,
        "by": frozen.by,
    })
}

fn frozen(kept: &Json) -> Result<FrozenPackage> {
    Ok(FrozenPackage {
        edition: u32::try_from(number(kept, "edition")?).map_err(Error::corrupt)?,
        name: text(kept, "name")?.to_owned(),
        sha256: text(kept, "sha256")?.to_owned(),
        size: number(kept, "size")?,
        rows: number(kept, "rows")?,
        readiness_pct: u8::try_from(number(kept, "readiness_pct")?).map_err(Error::corrupt)?,
        problems: Counts {
            refused: number(kept, "refused")?,
            noted: number(kept, "noted")?,
            advice: number(kept, "advice")?,
        },
        at: moment(kept)?,
        by: text(kept, "by")?.to_owned(),
    })
}

fn submission(kept: &Json) -> Result<Option<Submission>> {
    if kept.is_null() {
        return Ok(None);
    }
    let reference = kept["reference"].as_str().map(Name::parse).transpose().map_err(Error::corrupt)?;
    Ok(Some(Submission { at: moment(kept)?, by: text(kept, "by")?.to_owned(), reference }))
}

fn feedback(kept: &Json) -> Result<Option<FeedbackRead>> {
    if kept.is_null() {
        return Ok(None);
    }
    let (lines, placed) = (number(kept, "lines")?, number(kept, "placed")?);
    Ok(Some(FeedbackRead { at: moment(kept)?, lines, placed }))
}

fn text<'j>(kept: &'j Json, name: &str) -> Result<&'j str> {
    kept[name].as_str().ok_or_else(|| Error::corrupt(format_args!("{name} is missing")))
}

fn number(kept: &Json, name: &str) -> Result<u64> {
    kept[name].as_u64().ok_or_else(|| Error::corrupt(format_args!("{name} is missing")))
}

fn moment(kept: &Json) -> Result<Moment> {
    text(kept, "at")?.parse().map_err(Error::corrupt)
}

/// Stores a package, as base64, under its digest. Equal packages are stored once.
pub fn put_package(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    sha256: &str,
    content: &str,
    at: Moment,
) -> Result<()> {
    tx.execute(&PUT_PACKAGE, params![scope.tenant(), sha256, content, at])?;
    Ok(())
}

pub fn package(reader: &mut Reader<'_>, scope: &TenantScope, sha256: &str) -> Result<Option<String>> {
    reader.query_opt(&PACKAGE, params![scope.tenant(), sha256], |row| row.get(0))
}

/// Deletes the package of a deleted draft, unless another filing has the same one.
pub fn release_package(tx: &mut Tx<'_>, scope: &TenantScope, sha256: &str) -> Result<()> {
    let uses: u64 = tx.query_one(&USES, params![scope.tenant(), sha256], |row| row.get(0))?;
    if uses <= 1 {
        tx.execute(&DELETE_PACKAGE, params![scope.tenant(), sha256])?;
    }
    Ok(())
}

/// Filings that are still to be sent, soonest due first; those without a day are left out.
pub fn next_due(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<RegisterFilingRow>> {
    let ids = reader.query(&NEXT_DUE, params![scope.tenant(), limit], |row| row.parse(0))?;
    let mut rows = record::get_many::<RegisterFiling>(reader, scope, &ids)?;
    // A day that is not set is stored as a text that sorts after every day.
    rows.retain(|row| row.record.due_on.is_some());
    rows.sort_by_key(|row| (row.record.due_on, row.id));
    Ok(rows)
}

/// One line of the authority's feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackLine {
    /// Counted from 1, in the order of the file.
    pub number: u64,
    /// The official id, or the text of the file if it names no template.
    pub template: String,
    /// The row as the file names it.
    pub row_name: String,
    /// The row of the package, counted from 1; `None` if the file names no such row.
    pub row_number: Option<u64>,
    /// The row of the register that had the same key when the feedback was read.
    pub row_id: Option<RegisterRowId>,
    pub column: String,
    pub rule: String,
    pub message: String,
    pub value: String,
}

fn line(row: &Row<'_>) -> Result<FeedbackLine> {
    let row_number: Option<i64> = row.get(3)?;
    Ok(FeedbackLine {
        number: row.get(0)?,
        template: row.get(1)?,
        row_name: row.get(2)?,
        row_number: row_number.map(|number| u64::try_from(number).map_err(Error::corrupt)).transpose()?,
        row_id: row.parse_opt(4)?,
        column: row.get(5)?,
        rule: row.get(6)?,
        message: row.get(7)?,
        value: row.get(8)?,
    })
}

/// Replaces the stored feedback of the edition by these lines.
pub fn put_feedback(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    filing: RegisterFilingId,
    edition: u32,
    lines: &[FeedbackLine],
) -> Result<()> {
    tx.execute(&CLEAR_LINES, params![scope.tenant(), filing, edition])?;
    for line in lines {
        let values = params![
            scope.tenant(),
            filing,
            edition,
            line.number,
            &line.template,
            &line.row_name,
            line.row_number,
            line.row_id,
            &line.column,
            &line.rule,
            &line.message,
            &line.value,
        ];
        tx.execute(&PUT_LINE, values)?;
    }
    Ok(())
}

/// Deletes all feedback of a deleted filing.
pub fn forget_feedback(tx: &mut Tx<'_>, scope: &TenantScope, filing: RegisterFilingId) -> Result<()> {
    tx.execute(&FORGET_LINES, params![scope.tenant(), filing])?;
    Ok(())
}

pub fn count_feedback(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filing: RegisterFilingId,
    edition: u32,
) -> Result<u64> {
    reader.query_one(&COUNT_LINES, params![scope.tenant(), filing, edition], |row| row.get(0))
}

/// A page of the feedback lines.
pub fn list_feedback(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filing: RegisterFilingId,
    edition: u32,
    (limit, offset): (u64, u64),
) -> Result<Vec<FeedbackLine>> {
    reader.query(&LINES, params![scope.tenant(), filing, edition, limit, offset], line)
}

/// The first lines about one template.
pub fn feedback_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filing: RegisterFilingId,
    edition: u32,
    template: &str,
    limit: u32,
) -> Result<Vec<FeedbackLine>> {
    reader.query(&LINES_OF, params![scope.tenant(), filing, edition, template, limit], line)
}
