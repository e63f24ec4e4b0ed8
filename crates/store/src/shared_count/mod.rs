//! One count of requests for all nodes, kept in Redis or Valkey.
//!
//! The counts may be lost: when the server is unreachable each node counts for itself. `app` makes that decision;
//! here an answer either arrives soon or is an error.

use std::{fmt, time::Duration};

use domain::rate::{Decision, Rules};
use redis::{
    Client, ErrorKind, RedisError, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

/// A request does not wait longer for a count than this.
const PATIENCE: Duration = Duration::from_millis(250);

const SILENT: &str = "no answer in time";

#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The address itself may hold a password and is not repeated.
    #[error("redis_url cannot be read: write redis://:password@host:6379 (rediss:// for TLS)")]
    BadAddress,
    #[error("the shared count refuses the sign-in in redis_url")]
    SignIn,
    #[error("the shared count cannot be reached: {0}")]
    Away(String),
}

impl From<RedisError> for CountError {
    fn from(error: RedisError) -> Self {
        let code = error.code().unwrap_or_default();
        if error.kind() == ErrorKind::AuthenticationFailed || ["NOAUTH", "WRONGPASS"].contains(&code) {
            Self::SignIn
        } else {
            Self::Away(error.category().to_owned())
        }
    }
}

#[derive(Clone)]
pub struct SharedCount {
    connection: ConnectionManager,
    script: Script,
    patience: Duration,
}

impl fmt::Debug for SharedCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedCount").finish_non_exhaustive()
    }
}

impl SharedCount {
    /// Connects when it is first needed, and again whenever the connection is lost.
    pub fn new(url: &str) -> Result<Self, CountError> {
        Self::with_patience(url, PATIENCE)
    }

    fn with_patience(url: &str, patience: Duration) -> Result<Self, CountError> {
        let client = Client::open(url).map_err(|_| CountError::BadAddress)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(patience))
            .set_response_timeout(Some(patience));
        let connection = ConnectionManager::new_lazy_with_config(client, config)?;
        Ok(Self { connection, script: Script::new(include_str!("admit.lua")), patience })
    }

    /// Decides about one request of `subject` by the clock of the shared server.
    pub async fn admit(&self, rules: &Rules, subject: &str) -> Result<Decision, CountError> {
        self.decide(rules, subject, None).await
    }

    /// The same at a given moment.
    pub async fn admit_at(&self, rules: &Rules, subject: &str, now: u64) -> Result<Decision, CountError> {
        self.decide(rules, subject, Some(now)).await
    }

    /// Pings the server. A refused password counts as unreachable.
    pub async fn ping(&self) -> Result<(), CountError> {
        let mut connection = self.connection.clone();
        let ping = redis::cmd("PING");
        let answer = tokio::time::timeout(2 * self.patience, ping.query_async::<()>(&mut connection)).await;
        Ok(answer.map_err(|_| CountError::Away(SILENT.to_owned()))??)
    }

    async fn decide(&self, rules: &Rules, subject: &str, now: Option<u64>) -> Result<Decision, CountError> {
        let mut call = self.script.key(format!("tidewall:limit:{subject}"));
        call.arg(rules.window_ms)
            .arg(rules.standard)
            .arg(rules.burst)
            .arg(rules.exceedances)
            .arg(rules.block_ms)
            .arg(rules.memory_ms)
            .arg(now.map_or_else(String::new, |now| now.to_string()));
        let mut connection = self.connection.clone();
        // The client's own timeouts do not cover a reconnection under way.
        let answer = tokio::time::timeout(2 * self.patience, call.invoke_async(&mut connection)).await;
        let (served, count, seconds): (u8, u32, u64) =
            answer.map_err(|_| CountError::Away(SILENT.to_owned()))??;
        Ok(match served {
            1 => Decision::Served { remaining: count, reset: seconds },
            _ => Decision::Rejected { limit: count, retry_after: seconds },
        })
    }
}

#[cfg(test)]
mod tests;
