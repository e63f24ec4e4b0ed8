//! PostgreSQL's `LISTEN`: a connection of its own that does nothing but wait for other nodes' wake-ups.

use std::{sync::Weak, thread, time::Duration};

use tokio_postgres::Config;

use super::{Error, Result, postgres::Client, wakeup::Hints};

/// The channel shared by all nodes. Notifications carry no content: the work itself is in the tables.
const CHANNEL: &str = "tidewall";
/// Commits and notifies the other nodes in one round trip.
pub(super) const NOTIFY_AND_COMMIT: &str = "NOTIFY tidewall; COMMIT";
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
    let heard = Weak::clone(hints);
    let client = Client::listening(config, Box::new(move || raise(&heard)))?;
    client.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    while hints.strong_count() > 0 && !client.is_closed() {
        client.wait(PATIENCE);
    }
    Ok(())
}

fn raise(hints: &Weak<Hints>) {
    if let Some(hints) = hints.upgrade() {
        hints.raise();
    }
}
