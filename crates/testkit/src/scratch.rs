//! A real, empty, migrated store that is deleted with the test.

use std::{
    fs,
    hash::{DefaultHasher, Hasher as _},
    path::{Path, PathBuf},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use domain::moment::Moment;
use store::sql::{Location, migrate};
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub const BOTH: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// The location of a test's store.
#[derive(Debug)]
pub struct Scratch {
    pub location: Location,
    /// A temporary folder, also for PostgreSQL.
    pub dir: TempDir,
    database: Option<String>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    /// A copy of a store that was migrated once: that takes a fraction of the time of migrating each.
    pub async fn new(engine: Engine) -> Self {
        tokio::task::spawn_blocking(move || Self::migrated(engine)).await.unwrap()
    }

    /// The same for tests without a runtime. Blocks.
    pub fn migrated(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        match engine {
            Engine::Sqlite => {
                let path = dir.path().join("tidewall.db");
                fs::copy(&*MIGRATED_FILE, &path).unwrap();
                Self { location: Location::File { path, readers: 2 }, dir, database: None }
            }
            // Files are copied, which takes half the time of copying their pages through the log. Since version 15 the
            // server does that only when asked.
            Engine::Postgres => {
                Self::database(dir, &format!("TEMPLATE {} STRATEGY file_copy", *MIGRATED_DATABASE))
            }
        }
    }

    fn database(dir: TempDir, source: &str) -> Self {
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        admin().batch_execute(&format!("CREATE DATABASE {name} {source}")).unwrap();
        Self { location: server(&name), dir, database: Some(name) }
    }

    /// An empty location. Blocks.
    pub fn unmigrated(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        match engine {
            Engine::Sqlite => {
                let location = Location::File { path: dir.path().join("tidewall.db"), readers: 2 };
                Self { location, dir, database: None }
            }
            Engine::Postgres => Self::database(dir, ""),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(name) = self.database.take() {
            // A blocking driver must not run on the runtime's thread.
            let dropped = std::thread::spawn(move || {
                admin().batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            });
            let _ = dropped.join();
        }
    }
}

/// Stands for the migrations of an engine as they are now.
fn migrations(engine: &str) -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/migrations").join(engine);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(file.file_name().unwrap().as_encoded_bytes());
        hasher.write(&fs::read(file).unwrap());
    }
    hasher.finish()
}

static MIGRATED_FILE: LazyLock<PathBuf> = LazyLock::new(migrated_file);
static MIGRATED_DATABASE: LazyLock<String> = LazyLock::new(migrated_database);

/// The migrated file that tests copy; the first test that needs it makes it.
fn migrated_file() -> PathBuf {
    let template = std::env::temp_dir().join(format!("tidewall-test-{:016x}.db", migrations("sqlite")));
    if !template.exists() {
        let made = tempfile::tempdir_in(std::env::temp_dir()).unwrap();
        let path = made.path().join("tidewall.db");
        migrate::up(&Location::File { path: path.clone(), readers: 1 }, Moment::from_millis(super::START))
            .unwrap();
        // Tests that make it at the same time make the same.
        fs::rename(path, &template).unwrap();
    }
    template
}

/// The migrated database that tests copy; the first test that needs it makes it while others wait.
fn migrated_database() -> String {
    let template = format!("migrated_{:016x}", migrations("postgres"));
    let mut admin = admin();
    admin.batch_execute("SELECT pg_advisory_lock(7401)").unwrap();
    if admin.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&template]).unwrap().is_empty() {
        let unfinished = format!("{template}_unfinished");
        admin.batch_execute(&format!("DROP DATABASE IF EXISTS {unfinished}")).unwrap();
        admin.batch_execute(&format!("CREATE DATABASE {unfinished}")).unwrap();
        migrate::up(&server(&unfinished), Moment::from_millis(super::START)).unwrap();
        admin.batch_execute(&format!("ALTER DATABASE {unfinished} RENAME TO {template}")).unwrap();
    }
    template
}

fn server(database: &str) -> Location {
    Location::Server { url: server_url().replace("/postgres?", &format!("/{database}?")), connections: 3 }
}

fn server_url() -> String {
    std::env::var("TIDEWALL_TEST_POSTGRES").expect(
        "this test needs a real PostgreSQL: run scripts/test, or set TIDEWALL_TEST_POSTGRES to \
         postgres://role@host:port/postgres?sslmode=disable for a role that may create databases",
    )
}

fn admin() -> postgres::Client {
    postgres::Client::connect(&server_url(), postgres::NoTls).unwrap()
}
