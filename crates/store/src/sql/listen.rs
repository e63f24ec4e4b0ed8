//! PostgreSQL's `LISTEN`: a connection of its own that does nothing but wait for other nodes' wake-ups.

use std::{sync::Weak, thread, time::Duration};

use postgres::{Config, fallible_iterator::FallibleIterator as _};

use super::{Error, Result, postgres::connect, wakeup::Hints};

/// The channel shared by all nodes. Notifications carry no content: the work itself is in the tables.
pub(super) const CHANNEL: &str = "tidewall";
/// How often the thread checks whether the store was closed, and how long it waits before reconnecting.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens on a thread of its own until the store is dropped.
pub(super) fn start(config: Config, hints: Weak<Hints>) -> Result<()> {
    let listen = move || {
        while hints.strong_count() > 0 {
            if let Err(error) = wait_on_one_connection(&config, &hints) {
                tracing::debug!(%error, "wake-ups by other nodes are not heard; polling goes on");
            }
            // Notifications sent while the connection was down were missed.
            raise(&hints);
            thread::sleep(PATIENCE);
        }
    };
    thread::Builder::new()
        .name("store-pg-listen".into())
        .spawn(listen)
        .map_err(|error| Error::Engine(Box::new(error)))?;
    Ok(())
}

fn wait_on_one_connection(config: &Config, hints: &Weak<Hints>) -> Result<()> {
    let mut client = connect(config)?;
    client.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    let mut notifications = client.notifications();
    while hints.strong_count() > 0 {
        let mut waiting = notifications.timeout_iter(PATIENCE);
        while waiting.next()?.is_some() {
            raise(hints);
        }
    }
    Ok(())
}

fn raise(hints: &Weak<Hints>) {
    if let Some(hints) = hints.upgrade() {
        hints.raise();
    }
}
