//! The settings of the listeners.

use std::time::Duration;

use ipnet::IpNet;

use super::{ConfigError, Reader, forms};
use crate::{lifecycle::ShutdownLimits, listener::Limits};

#[derive(Clone, Debug)]
pub struct ServerSettings {
    pub limits: Limits,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may call keyed routes.
    pub cors_origins: Vec<String>,
    /// Hosts that requests may name; empty means any.
    pub allowed_hosts: Vec<String>,
    /// Networks that may read operational data; empty means any.
    pub operations_networks: Vec<IpNet>,
    /// Whether plain http beyond this machine is allowed.
    pub allow_plain_http: bool,
    pub shutdown: ShutdownLimits,
}

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_hours(1);

impl ServerSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let networks = "write addresses or networks, such as \"10.0.0.0/8\" or \"192.0.2.7\"";
        Ok(Self {
            limits: limits(reader)?,
            trusted_proxies: reader.list("server.trusted_proxies", networks, forms::network)?,
            cors_origins: reader.list(
                "server.cors_origins",
                "write origins one by one, such as \"https://app.example.com\"",
                forms::origin,
            )?,
            allowed_hosts: reader.list(
                "server.allowed_hosts",
                "write host names or addresses without scheme and port, such as \"tidewall.example.com\"",
                forms::host,
            )?,
            operations_networks: reader.list("server.operations_networks", networks, forms::network)?,
            allow_plain_http: reader.boolean("server.allow_plain_http")?,
            shutdown: ShutdownLimits {
                soft: reader.duration("server.shutdown_soft", Duration::ZERO..=LONGEST)?,
                hard: reader.duration("server.shutdown_hard", SHORTEST..=LONGEST)?,
            },
        })
    }
}

fn limits(reader: &Reader<'_>) -> Result<Limits, ConfigError> {
    let limits = Limits {
        first_byte: reader.duration("server.first_byte_timeout", SHORTEST..=LONGEST)?,
        header: reader.duration("server.header_timeout", SHORTEST..=LONGEST)?,
        body: reader.duration("server.body_timeout", SHORTEST..=LONGEST)?,
        total: reader.duration("server.total_timeout", SHORTEST..=LONGEST)?,
        idle: reader.duration("server.idle_timeout", SHORTEST..=LONGEST)?,
        max_connections: reader.number("server.max_connections", 1..=1_000_000)?,
        max_in_flight: reader.number("server.max_in_flight", 1..=1_000_000)?,
        max_header_bytes: reader.number("server.max_header_bytes", 8_192..=1 << 20)?,
        http2: reader.boolean("server.http2")?,
    };
    if limits.total < limits.header {
        let problem = "is shorter than server.header_timeout";
        return Err(reader.bad("server.total_timeout", problem, "make it at least as long"));
    }
    Ok(limits)
}
