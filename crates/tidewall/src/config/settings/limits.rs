//! Limits of requests per key, per session and per address.

use std::time::Duration;

use app::quota::Quotas;
use domain::rate::Rules;

use super::{ConfigError, Reader};

#[derive(Clone, Debug)]
pub struct LimitSettings {
    /// Per key on v1.
    pub v1: Rules,
    /// Per key on v2.
    pub v2: Rules,
    /// Requests per minute and address on public routes, if limited.
    pub public_per_minute: Option<u32>,
    /// Requests per minute and session of the workspace, if limited.
    pub session_per_minute: Option<u32>,
    /// Failed authentications per minute and address.
    pub auth_failures_per_minute: u32,
}

/// How long API keys work.
#[derive(Clone, Debug)]
pub struct KeySettings {
    /// The life of a key created without an end. `None`: without end.
    pub default_life: Option<Duration>,
}

impl KeySettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let (shortest, longest) = (Duration::from_hours(1), Duration::from_hours(10 * 365 * 24));
        let default_life = match reader.optional("keys.default_life")? {
            None => None,
            Some(_) => Some(reader.duration("keys.default_life", shortest..=longest)?),
        };
        Ok(Self { default_life })
    }
}

/// The quotas of an institution; 0 means no limit.
pub(super) fn quotas(reader: &Reader<'_>) -> Result<Quotas, ConfigError> {
    let most = |name| reader.number::<u64>(name, 0..=1_000_000).map(|most| (most > 0).then_some(most));
    let mails: u32 = reader.number("quotas.mails_per_hour", 0..=1_000_000)?;
    Ok(Quotas {
        webhooks: most("quotas.webhooks")?,
        keys: most("quotas.keys")?,
        mails_per_hour: (mails > 0).then_some(mails),
    })
}

const MOST_REQUESTS: u32 = 1_000_000;

impl LimitSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let session: u32 = reader.number("limits.session_per_minute", 0..=MOST_REQUESTS)?;
        let public: u32 = reader.number("limits.public_per_minute", 0..=MOST_REQUESTS)?;
        Ok(Self {
            v1: v1(reader)?,
            v2: v2(reader)?,
            public_per_minute: (public > 0).then_some(public),
            session_per_minute: (session > 0).then_some(session),
            auth_failures_per_minute: reader.number("limits.auth_failures_per_minute", 1..=MOST_REQUESTS)?,
        })
    }
}

fn v1(reader: &Reader<'_>) -> Result<Rules, ConfigError> {
    let rules = Rules {
        window_ms: milliseconds(reader, "limits.v1.window_seconds")?,
        standard: reader.number("limits.v1.standard", 1..=MOST_REQUESTS)?,
        burst: reader.number("limits.v1.burst", 1..=MOST_REQUESTS)?,
        exceedances: reader.number("limits.v1.exceedances", 1..=1_000)?,
        block_ms: milliseconds(reader, "limits.v1.block_seconds")?,
        memory_ms: milliseconds(reader, "limits.v1.forget_seconds")?,
    };
    if rules.burst < rules.standard {
        let problem = format!("is {}, less than limits.v1.standard ({})", rules.burst, rules.standard);
        return Err(reader.bad("limits.v1.burst", problem, "make it at least as large"));
    }
    Ok(rules)
}

fn v2(reader: &Reader<'_>) -> Result<Rules, ConfigError> {
    let standard = reader.number("limits.v2.standard", 1..=MOST_REQUESTS)?;
    let window_ms = milliseconds(reader, "limits.v2.window_seconds")?;
    Ok(Rules { window_ms, standard, burst: standard, ..Rules::V2 })
}

fn milliseconds(reader: &Reader<'_>, name: &'static str) -> Result<u64, ConfigError> {
    Ok(reader.number::<u64>(name, 1..=86_400)? * 1_000)
}
