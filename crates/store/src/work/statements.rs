//! The statements that list and count open work, composed of one branch for each kind of record.
//!
//! Each kind is one branch of the statement, in the order of an index by day, so that an engine merges the branches
//! and reads no more of each than the page needs. A person has up to three names, and each name has branches of its
//! own, because an index is ordered only within one value.

use std::sync::LazyLock;

use domain::task::TaskType;

use super::kind::{self, OpenKind, WorkDay};
use crate::sql::{Statement, Text};

/// The parameters with the names of a person.
const NAMES: [&str; 3] = ["$5", "$6", "$7"];

/// Composed at the first use, and kept as long as the process.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) all: Statement,
    pub(super) of: Statement,
    pub(super) count_all: Statement,
    pub(super) count_of: Statement,
    /// What changed after a moment, at it, and how much since then; of all people and of one.
    pub(super) changed: [Changed; 2],
}

/// The statements that list open work by its last change.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) after: Statement,
    pub(super) at: Statement,
    pub(super) count: Statement,
}

impl Changed {
    /// `moment` and `limit` are the parameters after those of the filter.
    fn new(name: &str, names: &[Option<&str>], (moment, limit): (&str, &str)) -> Self {
        let branches = |compared: &str| {
            let branches = names.iter().flat_map(|name| rows_that(*name, &format!(" {compared} {moment}")));
            branches.collect::<Vec<_>>().join(" UNION ALL ")
        };
        let ordered = format!("{} ORDER BY changed, id LIMIT {limit}", branches(">"));
        let counted = names.iter().flat_map(|name| counts_that(*name, &format!(" >= {moment}")));
        Self {
            after: composed(&format!("{name}_after"), ordered),
            at: composed(&format!("{name}_at"), branches("=")),
            count: composed(
                &format!("{name}_count"),
                format!("SELECT {}", counted.collect::<Vec<_>>().join(" + ")),
            ),
        }
    }
}

pub(super) static WORK: LazyLock<Statements> = LazyLock::new(|| Statements {
    all: composed("all", format!("{} ORDER BY due, id LIMIT $5 OFFSET $6", rows(None).join(" UNION ALL "))),
    of: {
        let branches: Vec<String> = NAMES.iter().flat_map(|name| rows(Some(name))).collect();
        composed("of", format!("{} ORDER BY due, id LIMIT $8 OFFSET $9", branches.join(" UNION ALL ")))
    },
    count_all: composed("count_all", format!("SELECT {}", counts(None).join(" + "))),
    count_of: {
        let branches: Vec<String> = NAMES.iter().flat_map(|name| counts(Some(name))).collect();
        composed("count_of", format!("SELECT {}", branches.join(" + ")))
    },
    changed: [
        Changed::new("changed_all", &[None], ("$5", "$6")),
        Changed::new("changed_of", &NAMES.map(Some), ("$8", "$9")),
    ],
});

/// Every statement that is composed, for the tests that prepare and explain them all.
pub(crate) fn every() -> impl Iterator<Item = &'static Statement> {
    let work = &*WORK;
    let changed = work.changed.iter().flat_map(|changed| [&changed.after, &changed.at, &changed.count]);
    [&work.all, &work.of, &work.count_all, &work.count_of].into_iter().chain(changed)
}

fn composed(name: &str, text: String) -> Statement {
    Statement { name: format!("work::{name}").leak(), text: Text::Same(text.leak()), whole_table: None }
}

/// Every kind of task with each of its days.
fn days() -> impl Iterator<Item = (OpenKind, TaskType, &'static WorkDay)> {
    kind::all()
        .filter_map(|kind| Some((kind, kind.work.task?)))
        .flat_map(|(kind, task)| kind.work.days.iter().map(move |day| (kind, task, day)))
}

fn rows(name: Option<&str>) -> Vec<String> {
    rows_that(name, "")
}

/// The same of records whose last change compares in this way, if a comparison is given.
fn rows_that(name: Option<&str>, changed: &str) -> Vec<String> {
    days()
        .map(|(kind, task, day)| {
            let work = kind.work;
            let condition = compared(kind, changed);
            format!(
                "SELECT '{task}' AS kind, '{}' AS action, r.{} AS id, r.{} AS title, r.{} AS owner, r.{} AS due, \
                 {} AS changed{}{condition}",
                day.action,
                work.id,
                work.title,
                work.owner,
                day.column,
                kind.changed(),
                source(kind, task, day, name),
            )
        })
        .collect()
}

fn counts(name: Option<&str>) -> Vec<String> {
    counts_that(name, "")
}

fn counts_that(name: Option<&str>, changed: &str) -> Vec<String> {
    let count = |(kind, task, day): (OpenKind, TaskType, &WorkDay)| {
        format!("(SELECT COUNT(*){}{})", source(kind, task, day, name), compared(kind, changed))
    };
    days().map(count).collect()
}

/// The condition on the last change; empty if no comparison is given.
fn compared(kind: OpenKind, changed: &str) -> String {
    if changed.is_empty() { String::new() } else { format!(" AND {}{changed}", kind.changed()) }
}

/// The table and the condition. `$2` is the last day; `$3` is the last day of records that may have none.
fn source(kind: OpenKind, task: TaskType, day: &WorkDay, name: Option<&str>) -> String {
    let work = kind.work;
    let last = if day.is_optional { "$3" } else { "$2" };
    let owned = name.map(|name| format!(" AND LOWER(r.{}) = LOWER({name})", work.owner));
    format!(
        " FROM {} r WHERE r.tenant_id = $1{} AND r.{} <= {last} AND ($4 = '' OR $4 = '{task}'){}",
        work.table,
        kind.condition(day.only),
        day.column,
        owned.unwrap_or_default(),
    )
}
