//! The schema's history on both engines.

use store::{
    Db,
    sql::{Location, migrate},
};
use testkit::{Engine, Scratch};

use crate::now;

fn each_engine(test: impl Fn(&Scratch)) {
    for engine in Engine::BOTH {
        test(&Scratch::unmigrated(engine));
    }
}

fn open(location: &Location) -> store::Result<()> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(Db::open(location)).map(|_| ())
}

#[test]
fn a_role_of_its_own_works_with_the_store_and_cannot_rewrite_the_audit_log() {
    let scratch = Scratch::unmigrated(Engine::Postgres);
    let Location::Server { url, .. } = &scratch.location else { panic!("PostgreSQL is a server") };
    migrate::up(&scratch.location, now()).unwrap();
    let service = url.replacen("://tidewall@", "://tidewall_service@", 1);
    assert_ne!(&service, url, "the tests sign in as tidewall");
    migrate::grant(url, "tidewall_service").unwrap();
    let location = Location::Server { url: service.clone(), connections: 2 };
    // What is up to date is not touched, so that a role without the right to change it can start the service.
    assert_eq!(migrate::up(&location, now()).unwrap(), migrate::Migrated::default());
    open(&location).unwrap();
    let rights = store::sql::backup::role_rights(&service).unwrap();
    assert_eq!(rights, store::sql::backup::RoleRights::default());
    assert!(store::sql::backup::role_rights(url).unwrap().owns_tables);
    let mut client = postgres::Client::connect(&service, postgres::NoTls).unwrap();
    client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
    client.batch_execute("SELECT COUNT(*) FROM audit_entries").unwrap();
    for forbidden in [
        "UPDATE audit_entries SET actor = 'x'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "ALTER TABLE findings NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE findings DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON findings",
        "DELETE FROM migrations",
        "CREATE TABLE own (id TEXT)",
    ] {
        let refused = client.batch_execute(forbidden).unwrap_err();
        let code = refused.code().map(postgres::error::SqlState::code);
        assert_eq!(code, Some("42501"), "{forbidden}: {refused}");
    }
}

#[cfg(unix)]
#[test]
fn the_files_of_a_store_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::unmigrated(Engine::Sqlite);
    let Location::File { path, .. } = &scratch.location else { panic!("SQLite is a file") };
    let mode = || std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    migrate::up(&scratch.location, now()).unwrap();
    assert_eq!(mode(), 0o600);
    // A store of an earlier version that others could read.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    migrate::up(&scratch.location, now()).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test]
fn migrating_twice_changes_nothing_the_second_time() {
    each_engine(|scratch| {
        let first = migrate::up(&scratch.location, now()).unwrap();
        assert_eq!(first.applied, migrate::known().collect::<Vec<_>>());
        assert_eq!(first.backup, None, "an empty store needs no backup");
        assert_eq!(migrate::up(&scratch.location, now()).unwrap(), migrate::Migrated::default());
        assert!(migrate::pending(&scratch.location).unwrap().is_empty());
    });
}

#[test]
fn an_unmigrated_store_is_refused_with_the_remedy() {
    each_engine(|scratch| {
        let refused = open(&scratch.location).unwrap_err().to_string();
        assert!(refused.contains("tidewall migrate"), "{refused}");
    });
}

#[test]
fn a_store_newer_than_the_binary_is_refused() {
    each_engine(|scratch| {
        migrate::up(&scratch.location, now()).unwrap();
        let insert = "INSERT INTO migrations (name, applied_at) VALUES ('9999_future', 0)";
        match &scratch.location {
            Location::File { path, .. } => {
                rusqlite::Connection::open(path).unwrap().execute(insert, []).unwrap();
            }
            Location::Server { url, .. } => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                client.batch_execute(insert).unwrap();
            }
        }
        for refused in [
            open(&scratch.location).unwrap_err(),
            migrate::up(&scratch.location, now()).map(|_| ()).unwrap_err(),
        ] {
            assert!(refused.to_string().contains("9999_future"), "{refused}");
        }
    });
}

#[test]
fn two_processes_migrating_at_once_do_it_once() {
    each_engine(|scratch| {
        let runs: Vec<_> = (0..4)
            .map(|_| {
                let location = scratch.location.clone();
                std::thread::spawn(move || migrate::up(&location, now()).unwrap().applied.len())
            })
            .collect();
        let applied: usize = runs.into_iter().map(|run| run.join().unwrap()).sum();
        assert_eq!(applied, migrate::known().count());
    });
}
