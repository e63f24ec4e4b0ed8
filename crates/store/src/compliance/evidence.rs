//! Metadata of evidence. Its bytes are in `evidence_file`, its links to records in `evidence_link`.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    evidence::{Evidence, EvidenceFile, EvidenceSort, EvidenceState, FileName, SOON_DAYS},
    id::EvidenceId,
    moment::Day,
    task::{TaskAction, TaskType},
};

use crate::{
    Error, Reader, Result, TenantScope,
    control::Keys,
    params,
    record::{Kind, RecordRow},
    sql::{ARCHIVED, Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value, among},
    work::{Work, WorkDay},
};

crate::sql! {
    WITH_DIGEST = "SELECT COUNT(*) FROM evidence WHERE tenant_id = $1 AND sha256 = $2";
}

pub type EvidenceRow = RecordRow<Evidence>;

/// Which evidence, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceFilter {
    pub state: AnyOf<EvidenceState>,
    /// The day that states are computed for. It is part of the cache key, because the result changes with it.
    pub today: Option<Day>,
    pub kind: AnyOf<String>,
    pub owner: AnyOf<String>,
    /// Only what is attached to the record with this id.
    pub linked_to: Option<String>,
    /// Only what is attached to nothing.
    pub is_unlinked: bool,
    /// Only what is attached to one of these requirements and own controls.
    pub keys: Option<Keys>,
    pub valid_before: AnyOf<Day>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<EvidenceSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Evidence::TABLE));

fn of_file<'e, T: Into<Value<'e>>>(
    evidence: &'e Evidence,
    part: impl FnOnce(&'e EvidenceFile) -> T,
) -> Value<'e> {
    evidence.file.as_ref().map_or(Value::Null, |file| part(file).into())
}

impl Kind for Evidence {
    type Id = EvidenceId;
    type Filter = EvidenceFilter;

    const TABLE: Table<Self> = Table {
        name: "evidence",
        prefix: EvidenceId::PREFIX,
        columns: &[
            TableColumn::new("title", |evidence| Value::from(&evidence.title)),
            TableColumn::new("kind", |evidence| Value::from(evidence.kind.as_deref())),
            TableColumn::new("description", |evidence| Value::from(evidence.description.as_ref())),
            TableColumn::fixed("file_name", |evidence| of_file(evidence, |file| file.name.as_str())),
            TableColumn::fixed("media_type", |evidence| of_file(evidence, |file| &file.media_type)),
            TableColumn::fixed("bytes", |evidence| of_file(evidence, |file| file.bytes)),
            TableColumn::fixed("sha256", |evidence| of_file(evidence, |file| &file.sha256)),
            TableColumn::new("url", |evidence| Value::from(evidence.url.as_deref())),
            TableColumn::new("collected_on", |evidence| Value::from(evidence.collected_on)),
            TableColumn::new("valid_until", |evidence| Value::day(evidence.valid_until)),
            TableColumn::new("keep_until", |evidence| Value::from(evidence.keep_until)),
            TableColumn::new("keep_because", |evidence| Value::from(evidence.keep_because.as_ref())),
            TableColumn::new("owner", |evidence| Value::from(evidence.owner.as_ref())),
            TableColumn::fixed("uploaded_by", |evidence| Value::from(&evidence.uploaded_by)),
        ],
        archives: true,
        work: Some(&Work {
            table: "evidence",
            task: Some(TaskType::Evidence),
            id: "id",
            title: "title",
            owner: "owner",
            open: "",
            days: &[WorkDay::announced("valid_until", TaskAction::Renew)],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "kind", condition: "r.kind = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "expired", condition: "r.valid_until < ?" },
            Filter { name: "from", condition: "r.valid_until >= ?" },
            Filter { name: "later", condition: "r.valid_until > ?" },
            Filter { name: "soon", condition: "r.valid_until <= ?" },
            // Two days, then the states that are wanted.
            Filter {
                name: "states",
                condition: "CAST(? AS TEXT) LIKE '%,' || CASE
                                WHEN r.valid_until < substr(CAST(? AS TEXT), 1, 10) THEN 'expired'
                                WHEN r.valid_until <= substr(CAST(? AS TEXT), 12, 10) THEN 'expiring'
                                ELSE 'current' END || ',%'",
            },
            Filter { name: "valid_before", condition: "r.valid_until < ?" },
            Filter {
                name: "keys",
                condition: "EXISTS (SELECT 1 FROM evidence_links l WHERE l.tenant_id = r.tenant_id
                            AND l.evidence_id = r.id AND ? LIKE '%|' || l.target_id || '|%')",
            },
            Filter {
                name: "unlinked",
                condition: "(CASE WHEN EXISTS (SELECT 1 FROM evidence_links l WHERE l.tenant_id = r.tenant_id
                            AND l.evidence_id = r.id) THEN 0 ELSE 1 END) = ?",
            },
            Filter {
                name: "linked_to",
                condition: "r.id IN (SELECT l.evidence_id FROM evidence_links l
                            WHERE l.tenant_id = r.tenant_id AND l.target_id = ?)",
            },
        ],
        sorts: &[("valid_until", "r.valid_until")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            title: cells.name("title")?,
            kind: cells.get("kind")?,
            description: cells.prose_opt("description")?,
            file: file(
                cells.get("file_name")?,
                cells.get("media_type")?,
                cells.get("bytes")?,
                cells.get("sha256")?,
            )?,
            url: cells.get("url")?,
            collected_on: cells.parse("collected_on")?,
            valid_until: cells.day("valid_until")?,
            keep_until: cells.parse("keep_until")?,
            keep_because: cells.name_opt("keep_because")?,
            owner: cells.name_opt("owner")?,
            uploaded_by: cells.get("uploaded_by")?,
        })
    }

    fn narrow<'q>(filter: &'q EvidenceFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        let list = list
            .any_text("kind", &filter.kind)
            .any_text("owner", &filter.owner)
            .filter_opt("linked_to", filter.linked_to.as_deref())
            .filter_opt("unlinked", filter.is_unlinked.then_some(true))
            .filter_opt("keys", filter.keys.as_ref().map(Keys::as_str))
            .before("valid_before", &filter.valid_before)
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(EvidenceSort::as_str));
        let Some(today) = filter.today.filter(|_| filter.state.asks()) else { return list };
        let soon = today.plus_days(SOON_DAYS);
        let Some(state) = filter.state.one() else {
            return list.filter("states", among(&[today, soon], &filter.state));
        };
        match state {
            EvidenceState::Expired => list.filter("expired", today),
            EvidenceState::Expiring => list.filter("from", today).filter("soon", soon),
            EvidenceState::Current => list.filter("later", soon),
        }
    }
}

fn file(
    name: Option<String>,
    media_type: Option<String>,
    bytes: Option<i64>,
    sha256: Option<String>,
) -> Result<Option<EvidenceFile>> {
    let (Some(name), Some(media_type), Some(bytes), Some(sha256)) = (name, media_type, bytes, sha256) else {
        return Ok(None);
    };
    let bytes = u64::try_from(bytes).map_err(Error::corrupt)?;
    Ok(Some(EvidenceFile { name: FileName::cleaned(&name), media_type, bytes, sha256 }))
}

/// How much evidence of the tenant has this file.
pub fn with_digest(reader: &mut Reader<'_>, scope: &TenantScope, sha256: &str) -> Result<u64> {
    reader.query_one(&WITH_DIGEST, params![scope.tenant(), sha256], |row| row.get(0))
}
