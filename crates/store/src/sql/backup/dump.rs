//! PostgreSQL: dumped by `pg_dump` from one snapshot, read back by `pg_restore`.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{self, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use domain::{
    audit::{Entry, Head},
    audit_key::AuditKeys,
    moment::Moment,
};
use tokio_postgres::Config;

use super::{
    super::{
        Error, PLATFORM, Reader, Result, hash_from_hex, migrate,
        postgres::{Client, Prepared, parse},
        session::Connection,
    },
    Anchors, Contents, KeyFinder, RoleRights, Watch,
    contents::{Unsorted, check_chains, in_bucket},
    pass_on,
    tools::{Running, tool},
};
use crate::{audit::AuditRow, audit_key::SealedKey, evidence_file::BucketFile};

pub(super) fn snapshot(url: &str, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
    let config = parse(url)?;
    let client = Client::connect(&config)?;
    client.batch_execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('tidewall.tenant', '*', true)",
    )?;
    let id: String = client.query_one("SELECT pg_export_snapshot()", &[])?.get(0);
    let mut command = tool("pg_dump", &config);
    command
        .args(["--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--no-password"])
        // Every tenant's rows are visible to this session; without the flag the dump would be refused.
        .arg("--enable-row-security")
        .arg(format!("--snapshot={id}"));
    write_out(&mut command, target, watch)?;
    // Here only the rows are counted; the chains are checked with their keys when the copy is read back.
    let dumped = examine(target, &|_| AuditKeys::default(), watch)?.rows;
    let expected = counts(&client)?;
    client.batch_execute("ROLLBACK")?;
    if expected != dumped {
        return Err(Error::corrupt("the dump does not hold the rows the database has"));
    }
    Ok(())
}

/// Writes a dump to a file through a pipe to this process: if the process dies, `pg_dump` ends too and leaves no
/// file.
fn write_out(pg_dump: &mut Command, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
    let mut running = Running::start("pg_dump", pg_dump.stdout(Stdio::piped()))?;
    let written = match running.child.stdout.take() {
        Some(mut said) => File::options()
            .write(true)
            .open(target)
            .and_then(|mut file| pass_on(&mut said, &mut file, |done| watch("dumping bytes", done, 0))),
        None => Ok(0),
    };
    if let Err(error) = written {
        running.kill();
        let text =
            format!("cannot write {} ({error}); check the rights and the free space", target.display());
        return Err(Error::Refused(text));
    }
    running.finish()
}

/// Rows by table, of the tables of the store.
fn counts(client: &Client) -> Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    for table in tables(client)? {
        let row = client.query_one(&format!("SELECT COUNT(*) FROM \"{table}\""), &[])?;
        counts.insert(table, row.get::<_, i64>(0).unsigned_abs());
    }
    Ok(counts)
}

pub(super) fn tables(client: &Client) -> Result<Vec<String>> {
    let rows = client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1", &[])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub(super) fn examine(dump: &Path, find_keys: &KeyFinder<'_>, watch: &mut Watch<'_>) -> Result<Contents> {
    let mut running = script_of(dump)?;
    let mut reading =
        DumpScan { contents: Contents::default(), chains: Unsorted::default(), kept: Vec::new(), find_keys };
    let read = match running.child.stdout.take() {
        Some(script) => reading.all(BufReader::with_capacity(1 << 20, script), watch),
        None => Ok(()),
    };
    if let Err(error) = read {
        running.kill();
        return Err(error);
    }
    running
        .finish()
        .map_err(|error| Error::corrupt(format_args!("{} is damaged: {error}", dump.display())))?;
    reading.finish(dump)
}

/// The dump as SQL, on the program's standard output.
pub(super) fn script_of(dump: &Path) -> Result<Running> {
    let mut command = tool("pg_restore", &Config::new());
    command.args(["--file=-", "--no-owner", "--no-privileges", "--no-comments"]).arg(dump);
    Running::start("pg_restore", command.stdout(Stdio::piped()))
}

/// Rows as they pass by.
struct DumpScan<'k> {
    contents: Contents,
    chains: Unsorted,
    /// Root keys of earlier entries.
    kept: Vec<SealedKey>,
    find_keys: &'k KeyFinder<'k>,
}

impl DumpScan<'_> {
    fn all(&mut self, mut script: impl io::BufRead, watch: &mut Watch<'_>) -> Result<()> {
        let mut line = Vec::new();
        let mut table: Option<(String, Vec<String>)> = None;
        let mut rows = 0;
        loop {
            line.clear();
            let length = script.read_until(b'\n', &mut line).map_err(Error::corrupt)?;
            if length == 0 {
                return match table {
                    Some((name, _)) => Err(Error::corrupt(format_args!("the rows of {name} end half-way"))),
                    None => Ok(()),
                };
            }
            let text = std::str::from_utf8(&line).map_err(Error::corrupt)?.trim_end_matches('\n');
            table = match table {
                None => copied_table(text).inspect(|(name, _)| {
                    self.contents.rows.insert(name.clone(), 0);
                }),
                Some(_) if text == "\\." => None,
                Some((name, columns)) => {
                    self.row(&name, &columns, text)?;
                    rows += 1;
                    if rows % 10_000 == 0 {
                        watch("reading rows", rows, 0);
                    }
                    Some((name, columns))
                }
            };
        }
    }

    fn row(&mut self, table: &str, columns: &[String], line: &str) -> Result<()> {
        *self.contents.rows.entry(table.to_owned()).or_default() += 1;
        if !["migrations", "chains", "audit_chain_keys", "audit_entries", "evidence_files"].contains(&table) {
            return Ok(());
        }
        let fields: HashMap<&str, String> =
            columns.iter().map(String::as_str).zip(line.split('\t').map(plain)).collect();
        // How `COPY` writes that there is no value.
        let is_null = |name: &str| {
            let at = columns.iter().position(|column| column == name);
            at.and_then(|at| line.split('\t').nth(at)).is_none_or(|text| text == "\\N")
        };
        let field = |name: &str| {
            fields.get(name).cloned().ok_or_else(|| Error::corrupt(format_args!("{table} has no {name}")))
        };
        let number = |name: &str| field(name)?.parse::<i64>().map_err(Error::corrupt);
        match table {
            "migrations" => self.contents.migrations.push(field("name")?),
            "chains" => {
                let head = Head { seq: number("audit_seq")?, hash: hash_from_hex(&field("audit_hash")?)? };
                self.contents.is_keyed |= field("name")? == PLATFORM && !is_null("audit_key");
                self.chains.head(field("name")?, head);
            }
            "evidence_files" => {
                let tenant = field("tenant_id")?.parse().map_err(Error::corrupt)?;
                let bytes = number("bytes")?.unsigned_abs();
                let file = BucketFile::of(tenant, &field("content_id")?, bytes, field("sha256")?);
                self.contents.in_bucket.extend(file);
            }
            "audit_chain_keys" => {
                self.kept.push(SealedKey { id: field("id")?, sealed: field("sealed")? });
            }
            _ => {
                let entry = Entry {
                    at: Moment::from_millis(number("at")?),
                    actor: field("actor")?,
                    action: field("action")?,
                    subject: field("subject")?,
                    detail: field("detail")?,
                };
                let hash = hash_from_hex(&field("hash")?)?;
                let key = if is_null("key_id") { None } else { Some(field("key_id")?) };
                self.chains.know_keys(|| (self.find_keys)(&self.kept));
                let row = AuditRow { seq: number("seq")?, hash, key, entry };
                self.chains.entry(&field("chain")?, row)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, dump: &Path) -> Result<Contents> {
        self.contents.migrations.sort();
        if self.contents.migrations.is_empty() {
            return Err(Error::Refused(format!("{} is no dump of a store of tidewall", dump.display())));
        }
        self.contents.take(self.chains.finish()?);
        Ok(self.contents)
    }
}

/// Reads `COPY public.chains (name, revision) FROM stdin;`.
fn copied_table(line: &str) -> Option<(String, Vec<String>)> {
    let rest = line.strip_prefix("COPY public.")?.strip_suffix(") FROM stdin;")?;
    let (name, columns) = rest.split_once(" (")?;
    let bare = |name: &str| name.trim_matches('"').to_owned();
    Some((bare(name), columns.split(", ").map(bare).collect()))
}

/// A value as it was before `COPY` escaped it.
fn plain(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut letters = field.chars();
    while let Some(letter) = letters.next() {
        text.push(match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('v') => '\u{b}',
                Some(other) => other,
                None => '\\',
            },
            (letter, false) => letter,
        });
    }
    text
}

/// Reads a whole database as it is at one moment.
pub(super) fn inspect(client: &Client, anchors: &Anchors, find_keys: &KeyFinder<'_>) -> Result<Contents> {
    client.batch_execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('tidewall.tenant', '*', true)",
    )?;
    let migrations = migrate::applied_postgres(client)?;
    let (mut prepared, mut given_up) = (Prepared::default(), false);
    let connection = Connection::Postgres { client, prepared: &mut prepared, given_up: &mut given_up };
    let reader = &mut Reader::new(connection);
    let checked = check_chains(reader, &migrations, anchors, find_keys)?;
    let in_bucket = in_bucket(reader, &migrations)?;
    let rows = counts(client)?;
    client.batch_execute("ROLLBACK")?;
    let mut contents = Contents { migrations, rows, in_bucket, ..Contents::default() };
    contents.take(checked);
    Ok(contents)
}

/// The files of a database in use whose bytes are in a bucket.
pub(super) fn in_bucket_of(client: &Client) -> Result<Vec<BucketFile>> {
    client.batch_execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('tidewall.tenant', '*', true)",
    )?;
    let migrations = migrate::applied_postgres(client)?;
    let (mut prepared, mut given_up) = (Prepared::default(), false);
    let connection = Connection::Postgres { client, prepared: &mut prepared, given_up: &mut given_up };
    let files = in_bucket(&mut Reader::new(connection), &migrations)?;
    client.batch_execute("ROLLBACK")?;
    Ok(files)
}

/// Whether row-level security does not apply to the role.
pub(super) fn is_above_row_security(client: &Client) -> Result<bool> {
    let row = client
        .query_one("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user", &[])?;
    Ok(row.get(0))
}

pub(super) fn role_rights(client: &Client) -> Result<RoleRights> {
    let row = client.query_one(
        "SELECT r.rolsuper OR r.rolbypassrls,
                COALESCE((SELECT pg_has_role(t.tableowner, 'MEMBER') FROM pg_tables t
                          WHERE t.schemaname = 'public' AND t.tablename = 'audit_entries'), false),
                to_regclass('public.audit_entries') IS NOT NULL
                    AND (has_table_privilege('public.audit_entries', 'UPDATE')
                         OR has_table_privilege('public.audit_entries', 'DELETE')
                         OR has_table_privilege('public.audit_entries', 'TRUNCATE'))
         FROM pg_roles r WHERE r.rolname = current_user",
        &[],
    )?;
    Ok(RoleRights { above_row_security: row.get(0), owns_tables: row.get(1), changes_audit: row.get(2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_copy_escapes() {
        assert_eq!(plain(r"a\tb\nc\\d"), "a\tb\nc\\d");
        assert_eq!(
            copied_table("COPY public.audit_entries (chain, seq, \"at\") FROM stdin;"),
            Some(("audit_entries".into(), vec!["chain".into(), "seq".into(), "at".into()]))
        );
        assert_eq!(copied_table("COPY other.t (a) FROM stdin;"), None);
    }
}
