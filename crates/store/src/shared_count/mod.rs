//! One count of requests for all nodes, kept in Redis or Valkey.
//!
//! Nothing in there is precious: when the server is away each node counts for itself. Who decides that is `app`; here
//! an answer either comes soon or is an error.

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
}

impl fmt::Debug for SharedCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedCount").finish_non_exhaustive()
    }
}

impl SharedCount {
    /// Connects when it is first needed, and again whenever the connection is lost.
    pub fn new(url: &str) -> Result<Self, CountError> {
        let client = Client::open(url).map_err(|_| CountError::BadAddress)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let connection = ConnectionManager::new_lazy_with_config(client, config)?;
        Ok(Self { connection, script: Script::new(include_str!("admit.lua")) })
    }

    /// Decides about one request of `subject` by the clock of the shared server.
    pub async fn admit(&self, rules: &Rules, subject: &str) -> Result<Decision, CountError> {
        self.decide(rules, subject, None).await
    }

    /// The same at a moment of the caller's choice.
    pub async fn admit_at(&self, rules: &Rules, subject: &str, now: u64) -> Result<Decision, CountError> {
        self.decide(rules, subject, Some(now)).await
    }

    /// Asks for a sign of life. One that wants another password is of no use and counts as away.
    pub async fn ping(&self) -> Result<(), CountError> {
        let mut connection = self.connection.clone();
        let ping = redis::cmd("PING");
        let answer = tokio::time::timeout(2 * PATIENCE, ping.query_async::<()>(&mut connection)).await;
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
        let answer = tokio::time::timeout(2 * PATIENCE, call.invoke_async(&mut connection)).await;
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
