//! A direct database connection that bypasses the application, for tests that damage data.

use std::thread;

use postgres::{Client, NoTls};
use store::sql::Location;

/// Blocks while its statements run, on either engine.
pub struct Intruder(Way);

enum Way {
    File(rusqlite::Connection),
    /// Only `None` while it is dropped.
    Server(Option<Client>),
}

impl std::fmt::Debug for Intruder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Intruder")
    }
}

impl Intruder {
    pub fn at(location: &Location) -> Self {
        Self(match location {
            Location::File { path, .. } => Way::File(rusqlite::Connection::open(path).unwrap()),
            Location::Server { url, .. } => Way::Server(Some(apart(|| Client::connect(url, NoTls).unwrap()))),
        })
    }

    /// Runs statements one after the other.
    pub fn run(&mut self, statements: &str) {
        match &mut self.0 {
            Way::File(connection) => connection.execute_batch(statements).unwrap(),
            Way::Server(client) => apart(|| client.as_mut().unwrap().batch_execute(statements).unwrap()),
        }
    }

    /// The first column of the rows that a statement finds, which is text.
    pub fn texts(&mut self, statement: &str) -> Vec<String> {
        match &mut self.0 {
            Way::File(connection) => {
                let mut query = connection.prepare(statement).unwrap();
                query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
            }
            Way::Server(client) => apart(|| {
                let rows = client.as_mut().unwrap().query(statement, &[]).unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }),
        }
    }

    /// Runs one statement and returns how many rows it changed or found.
    pub fn count(&mut self, statement: &str) -> u64 {
        match &mut self.0 {
            Way::File(connection) => connection.execute(statement, []).unwrap() as u64,
            Way::Server(client) => apart(|| client.as_mut().unwrap().execute(statement, &[]).unwrap()),
        }
    }
}

impl Drop for Intruder {
    fn drop(&mut self) {
        if let Way::Server(client) = &mut self.0 {
            let client = client.take();
            apart(move || drop(client));
        }
    }
}

/// The driver has a runtime of its own and must not be used on a thread of another.
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}
