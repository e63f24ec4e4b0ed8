//! Errors of the allowlist. Refusals of a destination are shown to users, so their texts are declared with all
//! others.

pub use domain::destination::DestinationError;

/// A setting that would allow more than is permitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AllowlistError {
    #[error(
        "outbound.dev_destinations: \"{0}\" must be an origin on a loopback address and nothing more, like \
         http://127.0.0.1:9000 or http://[::1]:9000"
    )]
    DevDestination(String),
    #[error(
        "outbound.extra_hosts: \"{0}\" must be a plain host name in lower case, like chat.bank.example, without \
         scheme, port, path or wildcard"
    )]
    ExtraHost(String),
    #[error("outbound.email_domains: \"{0}\" must be a mail domain, like bank.example")]
    EmailDomain(String),
    #[error(
        "outbound.event_hook_hosts: \"{0}\" must be a plain host name in lower case, like events.bank.example, without \
         scheme, port, path or wildcard"
    )]
    EventHookHost(String),
}
