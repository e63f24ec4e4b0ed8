//! Puts a dump in place with `psql`, in the database itself or in a temporary one to rehearse.

use std::{
    io::{self, Read, Write},
    path::Path,
    process::Stdio,
};

use domain::{audit::Entry, moment::Moment};
use tokio_postgres::Config;

use super::{
    super::{
        Error, PLATFORM, Result, hex, migrate,
        postgres::{Client, parse},
    },
    Anchors, Contents, KeyFinder, RestoreMark, Watch,
    dump::{inspect, script_of, tables},
    tools::{Running, tool},
};

/// Prefix of the databases of rehearsals; one whose process died is dropped by the next rehearsal.
const REHEARSAL: &str = "tidewall_drill_";
/// A rehearsal database older than this is abandoned.
const ABANDONED_MS: i64 = 24 * 3_600_000;

pub(super) fn restore(
    config: &Config,
    dump: &Path,
    contents: &Contents,
    mark: &RestoreMark,
    replace: bool,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let client = Client::connect(config)?;
    refuse_if_in_use(&client)?;
    let existing = tables(&client)?;
    if !existing.is_empty() && !existing.iter().any(|table| table == "store_meta") {
        return Err(Error::Refused(
            "the database holds tables that are not tidewall's: restore into a database of its own".into(),
        ));
    }
    if !replace && !has_no_tenant(&client, &existing)? {
        return Err(Error::Refused(
            "the database is not empty: restore into an empty one, or say --replace".into(),
        ));
    }
    let mut sink = tool("psql", config);
    sink.args(["--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--file=-"]);
    let mut sink = Running::start("psql", sink.stdin(Stdio::piped()))?;
    let mut source = script_of(dump)?;
    let poured = match (source.child.stdout.take(), sink.child.stdin.take()) {
        (Some(script), Some(mut into)) => pour(script, &mut into, &existing, watch).map(|()| into),
        _ => Err(io::Error::other("a program has no input or output")),
    };
    let ended = source.finish();
    match (poured, ended) {
        // Only now is it known that the whole dump was read: before this line nothing is committed.
        (Ok(mut into), Ok(())) => {
            let last = into.write_all(ending(contents, mark).as_bytes()).and_then(|()| into.flush());
            drop(into);
            sink.finish()?;
            last.map_err(|error| Error::Unavailable(error.to_string()))
        }
        // When the database stops taking rows, both programs fail; what it says is the reason.
        (Err(error), _) => {
            let complaints = sink.kill();
            Err(Error::Refused(format!("psql failed, the database is as it was: {complaints} ({error})")))
        }
        (Ok(_), Err(error)) => {
            sink.kill();
            Err(error)
        }
    }
}

/// A service, or a verb, that is connected would find its tables gone.
fn refuse_if_in_use(client: &Client) -> Result<()> {
    let users: i64 = client
        .query_one(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
             AND application_name = 'tidewall' AND pid <> pg_backend_pid()",
            &[],
        )?
        .get(0);
    if users == 0 {
        return Ok(());
    }
    Err(Error::Refused(format!(
        "the database is in use over {users} connection(s): stop tidewall on every node first"
    )))
}

fn has_no_tenant(client: &Client, tables: &[String]) -> Result<bool> {
    if tables.is_empty() {
        return Ok(true);
    }
    // The policies of the tables hide every row from a connection that names no tenant.
    client.batch_execute("SET tidewall.tenant = '*'")?;
    let tenants: i64 = client.query_one("SELECT COUNT(*) FROM tenants", &[])?.get(0);
    client.batch_execute("RESET tidewall.tenant")?;
    Ok(tenants == 0)
}

/// Sends the script after the statements that empty the database.
fn pour(
    mut script: impl Read,
    into: &mut impl Write,
    existing: &[String],
    watch: &mut Watch<'_>,
) -> io::Result<()> {
    writeln!(into, "BEGIN;\nSELECT pg_advisory_xact_lock({}) \\g /dev/null", migrate::LOCK)?;
    for table in existing {
        writeln!(into, "DROP TABLE public.\"{table}\" CASCADE;")?;
    }
    writeln!(into, "DROP SEQUENCE IF EXISTS public.document_numbers CASCADE;")?;
    let (mut buffer, mut sent) = (vec![0; 1 << 16], 0);
    loop {
        let length = script.read(&mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        into.write_all(&buffer[..length])?;
        sent += length as u64;
        watch("restoring bytes", sent, 0);
    }
}

/// The statements that end the restore: a new epoch and an audit entry, in the same transaction.
fn ending(contents: &Contents, mark: &RestoreMark) -> String {
    let (head, key) = mark.head(contents.platform_head(), contents.is_keyed);
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let Entry { at, actor, action, subject, detail } = &mark.entry;
    let [actor, action, subject, detail] = [actor, action, subject, detail].map(|text| quoted(text));
    let (seq, hash, at, epoch) = (head.seq, hex(&head.hash), at.millis(), quoted(&mark.epoch));
    // A dump from before there were keys has no column for them.
    let (column, key) = key.map_or_else(Default::default, |key| (", key_id", format!(", {}", quoted(&key))));
    format!(
        "\nSET row_security = on;
         UPDATE public.store_meta SET value = {epoch} WHERE name = 'epoch';
         INSERT INTO public.audit_entries (chain, seq, at, actor, action, subject, detail, hash{column})
         VALUES ('{PLATFORM}', {seq}, {at}, {actor}, {action}, {subject}, {detail}, '{hash}'{key});
         UPDATE public.chains SET revision = revision + 1, audit_seq = {seq}, audit_hash = '{hash}'
         WHERE name = '{PLATFORM}';
         COMMIT;\n"
    )
}

pub(super) fn rehearse(
    url: &str,
    dump: &Path,
    contents: &Contents,
    mark: &RestoreMark,
    find_keys: &KeyFinder<'_>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    let mut config = parse(url)?;
    let admin = Client::connect(&config)?;
    drop_abandoned(&admin, mark.at)?;
    let name = format!("{REHEARSAL}{}_{}", mark.at.millis(), mark.epoch);
    admin.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0")).map_err(|error| {
        Error::Refused(format!(
            "no database can be made to rehearse in ({error}): let the role make some (ALTER ROLE … CREATEDB)"
        ))
    })?;
    let rehearsed = (|| {
        config.dbname(&name);
        restore(&config, dump, contents, mark, false, watch)?;
        let client = Client::connect(&config)?;
        inspect(&client, &Anchors::new(), find_keys)
    })();
    admin.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
    rehearsed
}

/// Drops the databases of rehearsals that were killed. A recent one may still be in use.
fn drop_abandoned(admin: &Client, now: Moment) -> Result<()> {
    let pattern = format!("{REHEARSAL}%");
    for row in admin.query("SELECT datname FROM pg_database WHERE datname LIKE $1", &[&pattern])? {
        let name: String = row.get(0);
        let made_at =
            name.strip_prefix(REHEARSAL).and_then(|rest| rest.split('_').next()?.parse::<i64>().ok());
        if made_at.is_some_and(|made_at| now.millis() - made_at > ABANDONED_MS) {
            admin.batch_execute(&format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)"))?;
        }
    }
    Ok(())
}
