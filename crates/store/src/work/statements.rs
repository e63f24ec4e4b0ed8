//! The statements that list and count open work, composed of one branch for each kind of record.
//!
//! Each kind is one branch of the statement, in the order of an index by day, so that an engine merges the branches
//! and reads no more of each than the page needs. A person has up to three names, and each name has branches of its
//! own, because an index is ordered only within one value.

use crate::sql::{Statement, Text};

/// Joins every branch: what `$branch` makes of a kind, an action, the columns, the table, the condition and the last
/// day.
macro_rules! branches {
    ($branch:ident, $between:literal) => {
        concat!(
            $branch!("finding", "resolve", "id", "title", "owner", "due_on", "findings", "r.open = 1", "$2"),
            $between,
            $branch!(
                "test_case",
                "execute",
                "id",
                "title",
                "assignee",
                "due_on",
                "test_cases",
                "r.pending = 1",
                "$2"
            ),
            $between,
            $branch!(
                "control",
                "perform",
                "id",
                "title",
                "owner",
                "next_due_on",
                "controls",
                "r.status <> 'retired'",
                "$2"
            ),
            $between,
            $branch!(
                "assessment",
                "meet",
                "requirement_id",
                "requirement_id",
                "owner",
                "due_on",
                "assessments",
                "r.status NOT IN ('met', 'not_applicable') AND COALESCE(r.applies, 1) = 1",
                "$2"
            ),
            $between,
            $branch!(
                "assessment",
                "review",
                "requirement_id",
                "requirement_id",
                "owner",
                "next_review_on",
                "assessments",
                "COALESCE(r.applies, 1) = 1",
                "$2"
            ),
            $between,
            $branch!(
                "evidence",
                "renew",
                "id",
                "title",
                "owner",
                "valid_until",
                "evidence",
                "r.version > 0",
                "$2"
            ),
            $between,
            $branch!(
                "risk",
                "review",
                "id",
                "title",
                "owner",
                "review_on",
                "risks",
                "r.status <> 'closed'",
                "$2"
            ),
            $between,
            $branch!(
                "risk",
                "decide",
                "id",
                "title",
                "owner",
                "acceptance_until",
                "risks",
                "r.acceptance_until IS NOT NULL",
                "$2"
            ),
            $between,
            $branch!(
                "register_filing",
                "file",
                "id",
                "reference_date",
                "owner",
                "due_on",
                "register_filings",
                "r.pending = 1",
                "$2"
            ),
            $between,
            $branch!(
                "programme",
                "finish",
                "id",
                "name",
                "owner",
                "ends_on",
                "programmes",
                "r.running = 1",
                "$2"
            ),
            $between,
            $branch!(
                "provider",
                "review",
                "id",
                "name",
                "owner",
                "next_review_on",
                "providers",
                "r.version > 0",
                "$2"
            ),
            $between,
            $branch!(
                "arrangement",
                "terminate",
                "id",
                "title",
                "owner",
                "notice_on",
                "contract_notices",
                "r.ends_on >= r.notice_on",
                "$2"
            ),
            $between,
            $branch!("task", "do", "id", "title", "owner", "due_on", "tasks", "r.open = 1", "$3")
        )
    };
}

macro_rules! condition {
    ($kind:literal, $due:literal, $table:literal, $open:literal, $last:literal) => {
        concat!(
            " FROM ",
            $table,
            " r WHERE r.tenant_id = $1 AND ",
            $open,
            " AND r.",
            $due,
            " <= ",
            $last,
            " AND ($4 = '' OR $4 = '",
            $kind,
            "')"
        )
    };
}

macro_rules! owned {
    ($owner:literal, $name:literal) => {
        concat!(" AND LOWER(r.", $owner, ") = LOWER(", $name, ")")
    };
}

macro_rules! selected {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal) => {
        concat!(
            "SELECT '",
            $kind,
            "' AS kind, '",
            $action,
            "' AS action, r.",
            $id,
            " AS id, r.",
            $title,
            " AS title, r.",
            $owner,
            " AS owner, r.",
            $due,
            " AS due"
        )
    };
}

macro_rules! rows {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!(
            selected!($kind, $action, $id, $title, $owner, $due),
            condition!($kind, $due, $table, $open, $last)
        )
    };
}

macro_rules! count {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!("(SELECT COUNT(*)", condition!($kind, $due, $table, $open, $last), ")")
    };
}

macro_rules! rows_of_first {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!(
            selected!($kind, $action, $id, $title, $owner, $due),
            condition!($kind, $due, $table, $open, $last),
            owned!($owner, "$5")
        )
    };
}

macro_rules! count_of_first {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!("(SELECT COUNT(*)", condition!($kind, $due, $table, $open, $last), owned!($owner, "$5"), ")")
    };
}

macro_rules! rows_of_second {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!(
            selected!($kind, $action, $id, $title, $owner, $due),
            condition!($kind, $due, $table, $open, $last),
            owned!($owner, "$6")
        )
    };
}

macro_rules! count_of_second {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!("(SELECT COUNT(*)", condition!($kind, $due, $table, $open, $last), owned!($owner, "$6"), ")")
    };
}

macro_rules! rows_of_third {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!(
            selected!($kind, $action, $id, $title, $owner, $due),
            condition!($kind, $due, $table, $open, $last),
            owned!($owner, "$7")
        )
    };
}

macro_rules! count_of_third {
    ($kind:literal, $action:literal, $id:literal, $title:literal, $owner:literal, $due:literal, $table:literal,
     $open:literal, $last:literal) => {
        concat!("(SELECT COUNT(*)", condition!($kind, $due, $table, $open, $last), owned!($owner, "$7"), ")")
    };
}

macro_rules! statement {
    ($name:literal, $($text:tt)*) => {
        Statement {
            name: concat!(module_path!(), "::", $name),
            text: Text::Same(concat!($($text)*)),
            whole_table: None,
        }
    };
}

pub(super) const ALL: Statement =
    statement!("ALL", branches!(rows, " UNION ALL "), " ORDER BY due, id LIMIT $5 OFFSET $6");
pub(super) const OF: Statement = statement!(
    "OF",
    branches!(rows_of_first, " UNION ALL "),
    " UNION ALL ",
    branches!(rows_of_second, " UNION ALL "),
    " UNION ALL ",
    branches!(rows_of_third, " UNION ALL "),
    " ORDER BY due, id LIMIT $8 OFFSET $9"
);
pub(super) const COUNT_ALL: Statement = statement!("COUNT_ALL", "SELECT ", branches!(count, " + "));
pub(super) const COUNT_OF: Statement = statement!(
    "COUNT_OF",
    "SELECT ",
    branches!(count_of_first, " + "),
    " + ",
    branches!(count_of_second, " + "),
    " + ",
    branches!(count_of_third, " + ")
);
pub(super) const INCIDENTS: Statement = statement!(
    "INCIDENTS",
    "SELECT id FROM incidents WHERE tenant_id = $1 AND open = 1 ORDER BY id DESC LIMIT $2"
);
pub(super) const INCIDENTS_OF: Statement = statement!(
    "INCIDENTS_OF",
    "SELECT id FROM incidents WHERE tenant_id = $1 AND open = 1 AND LOWER(owner) = LOWER($3)
     ORDER BY id DESC LIMIT $2"
);
pub(super) const CRA_REPORTS: Statement = statement!(
    "CRA_REPORTS",
    "SELECT id FROM cra_reports WHERE tenant_id = $1 AND running = 1 AND archived_at IS NULL
     ORDER BY id DESC LIMIT $2"
);
pub(super) const CRA_REPORTS_OF: Statement = statement!(
    "CRA_REPORTS_OF",
    "SELECT id FROM cra_reports WHERE tenant_id = $1 AND running = 1 AND archived_at IS NULL
     AND LOWER(owner) = LOWER($3) ORDER BY id DESC LIMIT $2"
);

/// Every statement of this module.
pub const STATEMENTS: &[Statement] =
    &[ALL, OF, COUNT_ALL, COUNT_OF, INCIDENTS, INCIDENTS_OF, CRA_REPORTS, CRA_REPORTS_OF];
