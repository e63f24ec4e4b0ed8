//! The permitted destinations.

use std::time::Duration;

use app::audit_head::AuditRules;
use outbound::identity::InternalHost;

use super::{ConfigError, Reader, SecretUrl, forms};

#[derive(Clone, Debug)]
pub struct OutboundSettings {
    /// Exact loopback origins that chat webhooks may use besides the allowlist.
    pub dev_destinations: Vec<String>,
    /// Further hosts that accept Slack's message format.
    pub extra_hosts: Vec<String>,
    /// Domains email may go to; empty for any.
    pub email_domains: Vec<String>,
    /// Hosts that event hooks may send to; empty for any public one.
    pub event_hook_hosts: Vec<String>,
    /// Identity providers that stand in the operator's own network, and whose they are.
    pub identity_providers: Vec<InternalHost>,
}

impl OutboundSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let names = "write host names without scheme, port or path, such as \"chat.example.com\"";
        Ok(Self {
            dev_destinations: reader.list(
                "outbound.dev_destinations",
                "write origins with a literal loopback address, such as \"http://127.0.0.1:9000\"",
                forms::loopback_origin,
            )?,
            extra_hosts: reader.list("outbound.extra_hosts", names, forms::host_name)?,
            email_domains: reader.list(
                "outbound.email_domains",
                "write domains, such as \"example.com\"",
                forms::host_name,
            )?,
            event_hook_hosts: reader.list("outbound.event_hook_hosts", names, forms::host_name)?,
            identity_providers: reader.list(
                "outbound.identity_providers",
                "write host=institution with the institution's short name, such as \"login.bank.internal=north-bank\" or \
                 \"login.bank.internal:8443=north-bank\"",
                forms::internal_host,
            )?,
        })
    }
}

#[derive(Clone, Debug)]
pub struct SmtpSettings {
    pub url: SecretUrl,
    /// Sender of every message; the mail client validates its form.
    pub from: String,
    /// No TLS, for a mail server on this machine; the mail client refuses it for any other.
    pub allow_plain: bool,
    pub timeout: Duration,
}

impl SmtpSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, ConfigError> {
        let url = reader.secret_url(
            "smtp.url",
            "write smtp://user:password@host:587 or smtps://user:password@host:465, or \"\" for no mail",
            |text| forms::has_scheme_and_host(text, &["smtp", "smtps"]),
        )?;
        let from = reader.parsed_if_set(
            "smtp.from",
            "write one address, such as \"Tidewall <tidewall@example.com>\"",
            |text| is_sender(text).then(|| text.to_owned()),
        )?;
        let timeout = reader.duration("smtp.timeout", Duration::from_secs(1)..=Duration::from_mins(5))?;
        let allow_plain = reader.boolean("smtp.allow_plain")?;
        match (url, from) {
            (None, _) => Ok(None),
            (Some(url), Some(from)) => Ok(Some(Self { url, from, allow_plain, timeout })),
            (Some(_), None) => {
                let remedy = "set it to the sender of all messages, such as \"tidewall@example.com\"";
                Err(reader.bad("smtp.from", "is not set although smtp.url is", remedy))
            }
        }
    }
}

/// Who gets the heads of the audit log, which needs mail.
pub(super) fn audit(reader: &Reader<'_>) -> Result<AuditRules, ConfigError> {
    let remedy = "write one address, such as \"audit@example.com\", or \"\" for no mail";
    let heads_to = reader.parsed_if_set("audit.heads_to", remedy, |text| text.parse().ok())?;
    if heads_to.is_some() && SmtpSettings::read(reader)?.is_none() {
        let remedy = "set smtp.url and smtp.from as well, or leave it empty";
        return Err(reader.bad("audit.heads_to", "is set although smtp.url is not", remedy));
    }
    Ok(AuditRules { heads_to })
}

/// `name@domain`, with or without a display name in front.
fn is_sender(text: &str) -> bool {
    let address = match text.split_once('<') {
        Some((_, rest)) => rest.strip_suffix('>').unwrap_or_default(),
        None => text,
    };
    let usable = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '<');
    address
        .split_once('@')
        .is_some_and(|(local, domain)| usable(local) && usable(domain) && !domain.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_one_address() {
        for text in ["tidewall@example.com", "Tidewall <tidewall@example.com>", "dev@localhost"] {
            assert!(is_sender(text), "{text}");
        }
        for text in ["tidewall", "@example.com", "a@b@c", "Tidewall <tidewall@example.com", "a b@example.com"]
        {
            assert!(!is_sender(text), "{text}");
        }
    }
}
