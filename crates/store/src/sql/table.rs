//! The table of one kind of record: its columns are named once, and its statements are composed from them.
//!
//! The texts live as long as the process. There is one set per kind, created at its first use.

use std::{fmt::Display, str::FromStr};

use domain::{custom_field::CustomValues, moment::Moment};

use super::{Cells, Dialect, Filter, Found, List, Order, Row, Statement, Text, Value, list::CursorColumns};
use crate::{Result, work::Work};

/// A column of a record's own, beside those that every record has.
#[derive(Debug)]
pub struct TableColumn<R> {
    name: &'static str,
    put: fn(&R) -> Value<'_>,
    use_of: ColumnUse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnUse {
    /// Written with every change and read again.
    Plain,
    /// Written once and read again.
    Fixed,
    /// Derived from other columns: written so that lists can be filtered by it, never read.
    Derived,
}

impl<R> TableColumn<R> {
    pub const fn new(name: &'static str, put: fn(&R) -> Value<'_>) -> Self {
        Self { name, put, use_of: ColumnUse::Plain }
    }

    /// A column that a change leaves as it is.
    #[must_use]
    pub const fn fixed(name: &'static str, put: fn(&R) -> Value<'_>) -> Self {
        Self { name, put, use_of: ColumnUse::Fixed }
    }

    /// A column that is derived from others.
    #[must_use]
    pub const fn derived(name: &'static str, put: fn(&R) -> Value<'_>) -> Self {
        Self { name, put, use_of: ColumnUse::Derived }
    }

    fn is_read(&self) -> bool {
        self.use_of != ColumnUse::Derived
    }

    fn is_changed(&self) -> bool {
        self.use_of != ColumnUse::Fixed
    }
}

/// A table of records. In conditions and sort expressions, `r` stands for it.
#[derive(Debug)]
pub struct Table<R: 'static> {
    pub name: &'static str,
    /// The prefix of its records' ids.
    pub prefix: &'static str,
    pub columns: &'static [TableColumn<R>],
    /// Whether records can be archived.
    pub archives: bool,
    /// What makes its records work of a person, if they are.
    pub work: Option<&'static Work>,
    pub filters: &'static [Filter],
    /// The sort keys of the list besides the time of creation: the name in requests, and the columns. Each is offered in
    /// both directions; one whose name begins with a minus sign is given with its descending columns, and equal rows
    /// are then listed in the order of creation.
    pub sorts: &'static [(&'static str, &'static str)],
}

/// The filter of kinds whose records with history are archived instead of deleted. Versions from before say nothing
/// about the archive: they were not in it.
pub const ARCHIVED: Filter = Filter { name: "archived", condition: "COALESCE(r.archived, 0) = ?" };

/// Columns that every record has, before its own.
const COMMON: [&str; 5] = ["id", "version", "created_at", "updated_at", CUSTOM];

/// The column with the values of own fields, as JSON.
pub const CUSTOM: &str = "custom";

/// The end of the time for which a current row is valid.
const FOREVER: i64 = i64::MAX;

/// The statements of a table.
#[derive(Debug)]
pub struct TableStatements {
    pub insert: Statement,
    pub get: Statement,
    pub get_many: Statement,
    pub update: Statement,
    pub delete: Statement,
    /// Gets a record by a unique column of its own, where the kind has one.
    by_key: Option<Statement>,
    pub list: List,
    /// The list as of a moment, for each engine: they read JSON in different ways.
    past_sqlite: List,
    past_postgres: List,
    /// The record's own columns in the order in which they are read.
    read: Vec<&'static str>,
    archives: bool,
    work: Option<&'static Work>,
}

impl TableStatements {
    pub fn of<R>(table: &Table<R>) -> Self {
        let name = table.name;
        let columns = table.selected();
        let get = format!("SELECT {columns} FROM {name} r WHERE r.tenant_id = $1 AND r.id = $2");
        let delete = format!("DELETE FROM {name} WHERE tenant_id = $1 AND id = $2");
        Self {
            insert: statement(name, "insert", table.insert()),
            get: statement(name, "get", get),
            get_many: table.get_many(columns),
            update: statement(name, "update", table.update()),
            delete: statement(name, "delete", delete),
            by_key: None,
            list: table.list(columns),
            past_sqlite: table.past(columns, Dialect::Sqlite),
            past_postgres: table.past(columns, Dialect::Postgres),
            read: table.columns.iter().filter(|column| column.is_read()).map(|column| column.name).collect(),
            archives: table.archives,
            work: table.work,
        }
    }

    /// The same with a list that can return only the id and the version of each record.
    #[must_use]
    pub fn with_stamps(mut self) -> Self {
        self.list.stamps = Some("r.id, r.version");
        self
    }

    /// The same with a statement that gets a record by this column, which is unique for a tenant.
    #[must_use]
    pub fn with_key(mut self, column: &str) -> Self {
        let (name, columns) = (self.list.name, self.list.columns);
        let text = format!("SELECT {columns} FROM {name} r WHERE r.tenant_id = $1 AND r.{column} = $2");
        self.by_key = Some(statement(name, "by_key", text));
        self
    }

    /// The statement that gets a record by its key.
    pub fn by_key(&self) -> Option<&Statement> {
        self.by_key.as_ref()
    }

    /// The list as of a moment, which its filter `as_of` names.
    pub fn past(&'static self, dialect: Dialect) -> &'static List {
        match dialect {
            Dialect::Sqlite => &self.past_sqlite,
            Dialect::Postgres => &self.past_postgres,
        }
    }

    pub(crate) fn work(&self) -> Option<&'static Work> {
        self.work
    }

    pub(crate) fn archives(&self) -> bool {
        self.archives
    }

    /// All statements except the lists, for the tests that prepare and explain every statement.
    pub fn every(&self) -> impl Iterator<Item = &Statement> {
        [&self.insert, &self.get, &self.get_many, &self.update, &self.delete].into_iter().chain(&self.by_key)
    }

    /// Reads the columns that every record has.
    pub fn common<Id: FromStr<Err: Display>>(&self, row: &Row<'_>) -> Result<Common<Id>> {
        Ok(Common {
            id: row.parse(0)?,
            version: row.get(1)?,
            created_at: row.get(2)?,
            updated_at: row.get(3)?,
            custom: row.check_opt(4, CustomValues::of_stored)?.unwrap_or_default(),
            archived_at: if self.archives { row.get(COMMON.len())? } else { None },
        })
    }

    /// The cells of the record's own columns, to be read in the order of the table.
    pub fn cells<'c, 'r>(&'c self, row: &'c Row<'r>) -> Cells<'c, 'r> {
        Cells { row, names: &self.read, first: COMMON.len() + usize::from(self.archives), next: 0 }
    }
}

/// The values that every record has.
#[derive(Debug)]
pub struct Common<Id> {
    pub id: Id,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub custom: CustomValues,
    pub archived_at: Option<Moment>,
}

impl<R> Table<R> {
    /// The values of the record's own columns, for a new row.
    pub fn inserted<'r>(&self, record: &'r R) -> impl Iterator<Item = Value<'r>> {
        self.columns.iter().map(move |column| (column.put)(record))
    }

    /// The value of one of the record's own columns; `None` if the table does not have it.
    pub(crate) fn value<'r>(&self, name: &str, record: &'r R) -> Option<Value<'r>> {
        self.columns.iter().find(|column| column.name == name).map(|column| (column.put)(record))
    }

    /// The names of the record's own columns, in the order of their values.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<R> {
        self.columns.iter().map(|column| column.name)
    }

    /// The values of the columns that a change can touch.
    pub fn updated<'r>(&self, record: &'r R) -> impl Iterator<Item = Value<'r>> {
        self.columns.iter().filter(|column| column.is_changed()).map(move |column| (column.put)(record))
    }

    pub(crate) fn archive_columns(&self) -> &'static [&'static str] {
        if self.archives { &["archived", "archived_at"] } else { &[] }
    }

    fn selected(&self) -> &'static str {
        let archived_at = self.archives.then_some("archived_at");
        let own = self.columns.iter().filter(|column| column.is_read()).map(|column| column.name);
        let all = COMMON.into_iter().chain(archived_at).chain(own);
        leaked(all.map(|name| format!("r.{name}")).collect::<Vec<_>>().join(", "))
    }

    fn insert(&self) -> String {
        let own = self.columns.iter().map(|column| column.name);
        let archive = self.archive_columns().iter().copied();
        let names = ["id", "tenant_id"].into_iter().chain(own).chain(archive);
        let names: Vec<_> = names.chain([CUSTOM, "version", "created_at", "updated_at"]).collect();
        let places: Vec<_> = (1..=names.len()).map(|place| format!("${place}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.name, names.join(", "), places.join(", "))
    }

    fn update(&self) -> String {
        let own = self.columns.iter().filter(|column| column.is_changed()).map(|column| column.name);
        let archive = self.archive_columns().iter().copied();
        let names = own.chain(archive).chain([CUSTOM, "updated_at"]);
        let set: Vec<_> = (4..).zip(names).map(|(place, name)| format!("{name} = ${place}")).collect();
        format!(
            "UPDATE {} SET {}, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $3",
            self.name,
            set.join(", ")
        )
    }

    fn get_many(&self, columns: &str) -> Statement {
        let name = self.name;
        let sqlite = format!(
            "SELECT {columns} FROM json_each($2) CROSS JOIN {name} r
             WHERE r.tenant_id = $1 AND r.id = json_each.value"
        );
        let postgres = format!(
            "SELECT {columns} FROM {name} r WHERE r.tenant_id = $1
             AND r.id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))"
        );
        let text = Text::Differs {
            why: "each engine has its own way to bind a list",
            sqlite: leaked(sqlite),
            postgres: leaked(postgres),
        };
        Statement { name: leaked(format!("{name}::get_many")), text, whole_table: None }
    }

    /// Current rows and earlier versions in the shape of the table, each with the time for which it was valid.
    ///
    /// SQLite merges the two in the order of their ids, without sorting either, where their columns have the same
    /// affinity: that of a value in JSON is none, as is that of a column behind a plus sign.
    fn past(&self, columns: &'static str, dialect: Dialect) -> List {
        let (name, prefix) = (self.name, self.prefix);
        let kept: Vec<&str> =
            self.archive_columns().iter().copied().chain([CUSTOM]).chain(self.names()).collect();
        let (sign, versions, within) = match dialect {
            // The ids of a kind lie between these two, by which its versions are found in the primary key.
            Dialect::Sqlite => (
                "+",
                "record_versions v".to_owned(),
                format!("AND v.record_id > '{prefix}_' AND v.record_id < '{prefix}`'"),
            ),
            Dialect::Postgres => (
                "",
                format!(
                    "record_versions v CROSS JOIN LATERAL
                     jsonb_populate_record(CAST(NULL AS {name}), CAST(v.cells AS JSONB)) p"
                ),
                String::new(),
            ),
        };
        let of_row = |column: &&str| format!("{sign}{column} AS {column}");
        let of_version = |column: &&str| match dialect {
            Dialect::Sqlite => format!("(v.cells ->> '{column}')"),
            Dialect::Postgres => format!("p.{column}"),
        };
        let from = format!(
            "(SELECT id, tenant_id, version, {}, updated_at, {}, {sign}updated_at AS past_from,
                     CAST({FOREVER} AS BIGINT) AS past_until FROM {name}
              UNION ALL
              SELECT v.record_id, v.tenant_id, v.version, {}, v.valid_from, {}, {sign}v.valid_from, v.valid_until
              FROM {versions} WHERE v.kind = '{name}' {within}) r",
            of_row(&"created_at"),
            kept.iter().map(of_row).collect::<Vec<_>>().join(", "),
            of_version(&"created_at"),
            kept.iter().map(of_version).collect::<Vec<_>>().join(", "),
        );
        let mut filters: Vec<Filter> = self
            .filters
            .iter()
            .map(|filter| Filter { name: filter.name, condition: filter.condition })
            .collect();
        filters.push(Filter { name: "as_of", condition: "r.past_from <= ? AND r.past_until > ?" });
        List { from: leaked(from), filters: filters.leak(), found: None, ..self.list(columns) }
    }

    /// The condition of a tag.
    fn tagged(&self) -> String {
        format!(
            "r.id IN (SELECT g.record_id FROM record_tags g
                      WHERE g.tenant_id = $1 AND g.kind = '{}' AND g.folded = ?)",
            self.name
        )
    }

    fn list(&self, columns: &'static str) -> List {
        let mut orders = vec![
            Order { name: "-created_at", by: "r.id DESC", back: "r.id" },
            Order { name: "created_at", by: "r.id", back: "r.id DESC" },
        ];
        for (name, by) in self.sorts {
            let up = leaked(format!("{by}, r.id"));
            let down = leaked(up.split(", ").map(reversed).collect::<Vec<_>>().join(", "));
            let opposite = name.strip_prefix('-').map_or_else(|| format!("-{name}"), str::to_owned);
            orders.push(Order { name, by: up, back: down });
            orders.push(Order { name: leaked(opposite), by: down, back: up });
        }
        List {
            name: self.name,
            columns,
            stamps: None,
            from: leaked(format!("{} r", self.name)),
            base: "r.tenant_id = $1",
            filters: self.filters,
            orders: orders.leak(),
            found: Some(Found { on: "r.id = d.record_id" }),
            tagged: Some(Filter { name: "tag", condition: leaked(self.tagged()) }),
            cursor: CursorColumns {
                key: "r.id",
                prefix: self.prefix,
                changed: "r.updated_at",
                since: Filter { name: "updated_since", condition: "r.updated_at >= ?" },
                by_change: Order {
                    name: "updated_at",
                    by: "r.updated_at, r.id",
                    back: "r.updated_at DESC, r.id DESC",
                },
            },
        }
    }
}

/// A column of an order, in the other direction.
fn reversed(column: &str) -> String {
    column.strip_suffix(" DESC").map_or_else(|| format!("{column} DESC"), str::to_owned)
}

fn statement(table: &str, verb: &str, text: String) -> Statement {
    let name = leaked(format!("{table}::{verb}"));
    Statement { name, text: Text::Same(leaked(text)), whole_table: None }
}

/// Statements are static everywhere else too; one set per kind of record is never freed.
fn leaked(text: String) -> &'static str {
    text.leak()
}
