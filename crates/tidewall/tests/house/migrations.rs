//! Migrations only add: while nodes are replaced one by one, those of the previous version continue over the new
//! schema.

use std::{collections::BTreeSet, fs};

use super::root;

/// The last migration of the first schema. Up to here no previous version had to continue.
const FIRST_SCHEMA: &str = "0070_document_changes";

/// Statements that restrict existing tables, with the reason why nodes of the previous version continue all the same.
const RESTRICTING: &[(&str, &str)] = &[
    (
        "postgres/0340_row_policies",
        "its policies let through what such nodes write and read for their tenant, which the store's tests of row policies show",
    ),
    ("sqlite/0380_test_functions", "it fills a column that such nodes do not know"),
    ("postgres/0380_test_functions", "it fills a column that such nodes do not know"),
    (
        "sqlite/0382_functions_of_the_register",
        "it changes what functions and rows say, in the forms that such nodes read; its table is temporary",
    ),
    (
        "postgres/0382_functions_of_the_register",
        "it changes what functions and rows say, in the forms that such nodes read; its table is temporary",
    ),
    ("sqlite/0630_archive_of_more_records", "it fills columns that such nodes do not know"),
    ("postgres/0630_archive_of_more_records", "it fills columns that such nodes do not know"),
];

/// The statements of a migration, without comments, on one line each. Bodies between `$$` stay whole.
fn statements(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or(line)).collect();
    let (mut statements, mut open) = (Vec::new(), String::new());
    for (index, part) in code.join(" ").split("$$").enumerate() {
        if index % 2 == 1 {
            open.push_str("$$ body $$");
            continue;
        }
        let mut pieces = part.split(';');
        open.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            statements.push(std::mem::replace(&mut open, piece.to_owned()));
        }
    }
    statements.push(open);
    let joined = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    statements.into_iter().map(joined).filter(|statement| !statement.is_empty()).collect()
}

/// Why a node of the previous version would fail after this statement. `new` are the tables of its migration.
fn objection(statement: &str, new: &BTreeSet<String>) -> Option<&'static str> {
    let upper = statement.to_uppercase();
    let words: Vec<&str> = upper.split_whitespace().collect();
    let on_new = |after: &str| {
        let name = words.iter().position(|word| *word == after).and_then(|at| words.get(at + 1));
        name.is_some_and(|name| new.contains(name.split('(').next().unwrap_or(name)))
    };
    match &words[..] {
        // The last is how an index is kept, not what is in it.
        ["CREATE", "TABLE" | "INDEX" | "SEQUENCE" | "VIRTUAL" | "FUNCTION", ..]
        | ["INSERT", ..]
        | ["ALTER", "INDEX", _, "SET", ..] => None,
        ["CREATE", "UNIQUE" | "POLICY" | "TRIGGER", ..] if on_new("ON") => None,
        ["CREATE", "UNIQUE" | "POLICY" | "TRIGGER", ..] => {
            Some("what was allowed before may be refused then")
        }
        ["ALTER", "TABLE", ..] if on_new("TABLE") => None,
        ["ALTER", "TABLE", _, "ADD", "COLUMN", ..] => {
            let must_be_given = upper.contains("NOT NULL") && !upper.contains("DEFAULT");
            let is_narrow = ["UNIQUE", "CHECK"].iter().any(|word| words.contains(word));
            (must_be_given || is_narrow)
                .then_some("rows of a version that does not know the column are refused")
        }
        _ => Some("it takes away or changes what the version before uses"),
    }
}

fn new_tables(statements: &[String]) -> BTreeSet<String> {
    let name = |statement: &String| {
        let upper = statement.to_uppercase();
        let name = upper.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next()?.to_owned();
        Some(name)
    };
    statements.iter().filter_map(name).collect()
}

fn objections(text: &str) -> Vec<String> {
    let statements = statements(text);
    let new = new_tables(&statements);
    let output = |statement: &String| Some(format!("{statement}: {}", objection(statement, &new)?));
    statements.iter().filter_map(output).collect()
}

#[test]
fn migrations_after_the_first_schema_only_add() {
    let mut found = Vec::new();
    for engine in ["sqlite", "postgres"] {
        for entry in fs::read_dir(root().join("crates/store/migrations").join(engine)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let restricts = RESTRICTING.iter().any(|(known, _)| *known == format!("{engine}/{name}"));
            if name.as_str() > FIRST_SCHEMA && !restricts {
                let text = fs::read_to_string(&path).unwrap();
                found
                    .extend(objections(&text).into_iter().map(|output| format!("{engine}/{name}: {output}")));
            }
        }
    }
    assert!(
        found.is_empty(),
        "a node of the version before would stop on these; leave what it uses, and take it away in a version that \
         follows one which no longer uses it:\n{}",
        found.join("\n")
    );
}

#[test]
fn what_only_adds_is_distinguished_from_what_does_not() {
    for adds in [
        "-- Why; not a statement.\nCREATE TABLE a (id TEXT PRIMARY KEY); CREATE UNIQUE INDEX a_once ON a (id);",
        "CREATE TABLE a (id TEXT);\nALTER TABLE a ENABLE ROW LEVEL SECURITY;\nCREATE POLICY tenant ON a USING (true);",
        "ALTER TABLE findings ADD COLUMN note TEXT; ALTER TABLE findings ADD COLUMN n BIGINT NOT NULL DEFAULT 0;",
        "CREATE INDEX findings_by_note ON findings (note); INSERT INTO signals (name, revision) VALUES ('x', 0);",
        "ALTER INDEX findings_by_note SET (fastupdate = on)",
        "CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM a; END $$ LANGUAGE plpgsql;",
    ] {
        assert_eq!(objections(adds), [""; 0], "{adds}");
    }
    for takes in [
        "DROP TABLE findings",
        "ALTER TABLE findings DROP COLUMN owner",
        "ALTER TABLE findings RENAME COLUMN owner TO holder",
        "ALTER TABLE findings ALTER COLUMN owner SET NOT NULL",
        "ALTER TABLE findings ADD COLUMN note TEXT NOT NULL",
        "ALTER TABLE findings ADD CONSTRAINT one UNIQUE (title)",
        "CREATE UNIQUE INDEX findings_once ON findings (title)",
        "CREATE TRIGGER guard BEFORE INSERT ON findings EXECUTE FUNCTION guard()",
        "UPDATE findings SET status = 'open'",
        "CREATE TABLE a (id TEXT); DELETE FROM findings",
    ] {
        assert_eq!(objections(takes).len(), 1, "{takes}");
    }
}
