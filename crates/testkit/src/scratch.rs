//! A real, empty, migrated store that disappears with the test.

use std::sync::atomic::{AtomicU32, Ordering};

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

/// Where a test's store lives.
#[derive(Debug)]
pub struct Scratch {
    pub location: Location,
    /// A folder of the test's own, also for PostgreSQL.
    pub dir: TempDir,
    database: Option<String>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    pub async fn new(engine: Engine) -> Self {
        let scratch = tokio::task::spawn_blocking(move || Self::unmigrated(engine)).await.unwrap();
        let location = scratch.location.clone();
        tokio::task::spawn_blocking(move || migrate::up(&location, Moment::from_millis(super::START)))
            .await
            .unwrap()
            .unwrap();
        scratch
    }

    /// An empty place. Blocks.
    pub fn unmigrated(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        match engine {
            Engine::Sqlite => {
                let location = Location::File { path: dir.path().join("tidewall.db"), readers: 2 };
                Self { location, dir, database: None }
            }
            Engine::Postgres => {
                let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
                admin().batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
                let url = server_url().replace("/postgres?", &format!("/{name}?"));
                let location = Location::Server { url, connections: 3 };
                Self { location, dir, database: Some(name) }
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(name) = self.database.take() {
            // A driver that blocks must not do so on the runtime's thread.
            let dropped = std::thread::spawn(move || {
                admin().batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            });
            let _ = dropped.join();
        }
    }
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
