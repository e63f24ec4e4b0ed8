//! Open work by person: test cases by assignee, everything else by owner. Names match in any letter case.

use std::sync::LazyLock;

use crate::{
    Reader, Result, TenantScope, params,
    sql::{Statement, Text},
    work::{self, OpenKind},
};

crate::sql! {
    ACCEPTED = "SELECT id FROM findings WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2)
                AND status = 'risk_accepted' AND archived = 0 ORDER BY id";
}

/// Findings whose risk is accepted are not open, but their owner answers for the acceptance.
const WITH_ACCEPTANCES: &str = "findings";

/// For each kind of record with an owner: its table, and the statement that finds what is open under a name.
static OPEN: LazyLock<Vec<(&'static str, Statement)>> =
    LazyLock::new(|| work::owned().map(|kind| (kind.work.table, found(kind))).collect());

fn found(kind: OpenKind) -> Statement {
    let work = kind.work;
    let text = format!(
        "SELECT r.{id} FROM {table} r WHERE r.tenant_id = $1 AND LOWER(r.{owner}) = LOWER($2){open} ORDER BY r.{id}",
        id = work.id,
        table = work.table,
        owner = work.owner,
        open = kind.condition(""),
    );
    let name = format!("open_work::{}", work.table);
    Statement { name: name.leak(), text: Text::Same(text.leak()), whole_table: None }
}

/// Every statement of this module.
pub(crate) fn every() -> impl Iterator<Item = &'static Statement> {
    OPEN.iter().map(|(_, statement)| statement)
}

/// A person's open work of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRecords {
    /// The table of the kind, such as `findings`.
    pub table: &'static str,
    /// The ids of the records; of assessments, the ids of the requirements.
    pub ids: Vec<String>,
}

/// The open work of every kind under any of these names, which must differ in more than letter case.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, names: &[&str]) -> Result<Vec<OpenRecords>> {
    let of_kind = |(table, statement): &(&'static str, Statement)| {
        let mut ids = Vec::new();
        for name in names {
            let found: Vec<String> =
                reader.query(statement, params![scope.tenant(), *name], |row| row.get(0))?;
            ids.extend(found);
            if *table == WITH_ACCEPTANCES {
                let accepted: Vec<String> =
                    reader.query(&ACCEPTED, params![scope.tenant(), *name], |row| row.get(0))?;
                ids.extend(accepted);
            }
        }
        Ok(OpenRecords { table, ids })
    };
    OPEN.iter().map(of_kind).collect()
}
