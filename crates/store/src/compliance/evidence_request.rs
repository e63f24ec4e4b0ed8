//! Requests for evidence. Their references are counted per tenant.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    evidence_request::{
        EvidenceRequest, EvidenceRequestReference, EvidenceRequestSort, EvidenceRequestStatus,
    },
    id::EvidenceRequestId,
    moment::Day,
    task::{TaskAction, TaskType},
    text::Prose,
};

use crate::{
    Error, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    NUMBER = "INSERT INTO evidence_request_numbers (tenant_id, last) VALUES ($1, 1)
              ON CONFLICT (tenant_id) DO UPDATE SET last = evidence_request_numbers.last + 1
              RETURNING last";
}

pub type EvidenceRequestRow = RecordRow<EvidenceRequest>;

/// Which requests, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceRequestFilter {
    pub status: AnyOf<EvidenceRequestStatus>,
    pub owner: AnyOf<String>,
    /// The id of the record or the requirement they are about.
    pub subject: Option<String>,
    /// The id of the person or the key that asked.
    pub asked_by: Option<String>,
    /// Those that are open although their day was before this one, or the others. The day is part of the cache key,
    /// because the result changes with it.
    pub late: Option<(bool, Day)>,
    pub search: Option<String>,
    pub sort: Option<EvidenceRequestSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&EvidenceRequest::TABLE));

impl Kind for EvidenceRequest {
    type Id = EvidenceRequestId;
    type Filter = EvidenceRequestFilter;

    const TABLE: Table<Self> = Table {
        name: "evidence_requests",
        prefix: EvidenceRequestId::PREFIX,
        columns: &[
            TableColumn::fixed("number", |request| Value::from(request.reference.number())),
            TableColumn::derived("title", |request| Value::Owned(request.title().to_string())),
            TableColumn::new("text", |request| Value::from(Some(&request.text))),
            TableColumn::new("subject", |request| Value::from(request.subject.as_ref())),
            TableColumn::new("owner", |request| Value::from(request.owner.as_ref())),
            TableColumn::new("due_on", |request| Value::from(request.due_on)),
            TableColumn::new("status", |request| Value::from(request.status.as_str())),
            TableColumn::derived("open", |request| Value::from(request.is_open())),
            TableColumn::fixed("asked_by", |request| Value::from(request.asked_by.as_str())),
            TableColumn::new("answer", |request| Value::from(request.answer.as_ref())),
            TableColumn::new("answered_by", |request| Value::from(request.answered_by.as_deref())),
            TableColumn::new("answered_at", |request| Value::from(request.answered_at)),
        ],
        archives: false,
        work: Some(&Work {
            table: "evidence_requests",
            task: Some(TaskType::EvidenceRequest),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.open = 1",
            days: &[WorkDay::new("due_on", TaskAction::Answer)],
        }),
        filters: &[
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "subject", condition: "r.subject = ?" },
            Filter { name: "asked_by", condition: "r.asked_by = ?" },
            Filter { name: "late", condition: "r.status = 'open' AND r.due_on < ?" },
            Filter { name: "not_late", condition: "(r.status <> 'open' OR r.due_on >= ?)" },
        ],
        sorts: &[("due_on", "r.due_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            reference: EvidenceRequestReference::new(cells.get("number")?).map_err(Error::corrupt)?,
            text: cells.check("text", Prose::parse)?,
            subject: cells.name_opt("subject")?,
            owner: cells.name_opt("owner")?,
            due_on: cells.parse("due_on")?,
            status: cells.parse("status")?,
            asked_by: cells.get("asked_by")?,
            answer: cells.prose_opt("answer")?,
            answered_by: cells.get("answered_by")?,
            answered_at: cells.get("answered_at")?,
        })
    }

    fn narrow<'q>(filter: &'q EvidenceRequestFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        let (late, not_late) = match filter.late {
            Some((true, today)) => (Some(today), None),
            Some((false, today)) => (None, Some(today)),
            None => (None, None),
        };
        list.any_word("status", &filter.status)
            .any_text("owner", &filter.owner)
            .filter_opt("subject", filter.subject.as_deref())
            .filter_opt("asked_by", filter.asked_by.as_deref())
            .filter_opt("late", late)
            .filter_opt("not_late", not_late)
            .order_opt(filter.sort.map(EvidenceRequestSort::as_str))
    }
}

/// The next reference. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<EvidenceRequestReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))?;
    EvidenceRequestReference::new(number).map_err(Error::corrupt)
}
