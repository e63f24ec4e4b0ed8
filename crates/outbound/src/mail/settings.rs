//! The mail settings and their validation.

use std::{fmt, time::Duration};

use domain::text;
use lettre::{message::Mailbox, transport::smtp::authentication::Credentials};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

const SUBMISSION: u16 = 587;
const SUBMISSIONS: u16 = 465;

/// The mail server and the sender.
#[derive(Clone, PartialEq, Eq)]
pub struct MailSettings {
    /// `smtp.url`: `smtp://` upgrades to TLS before anything else is sent, `smtps://` starts with it.
    pub url: String,
    /// `smtp.from`: the sender, as `Tidewall <tidewall@bank.example>` or the address alone.
    pub from: String,
    /// `smtp.allow_plain`: no TLS, for a mail server on this machine in development.
    pub allow_plain: bool,
    /// `smtp.timeout`: waiting for a free connection, connecting, and the whole dialogue.
    pub timeout: Duration,
}

impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailSettings")
            .field("url", &"…")
            .field("from", &self.from)
            .field("allow_plain", &self.allow_plain)
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// An invalid mail setting. The URL may contain a password, so it is never repeated.
#[derive(Debug, thiserror::Error)]
pub enum MailSettingsError {
    #[error(
        "smtp.url must look like smtp://user:password@relay.bank.example:587 or smtps://relay.bank.example, with \
         special characters of the password percent-encoded"
    )]
    Url,
    #[error("smtp.url must give both a user name and a password, or neither")]
    HalfCredentials,
    #[error("smtp.from must be a sender like Tidewall <tidewall@bank.example>")]
    From,
    #[error(
        "smtp.allow_plain is for a mail server on this machine (127.0.0.1, ::1 or localhost); leave it out to use TLS"
    )]
    PlainElsewhere,
    #[error("smtp.url cannot be used with TLS: {0}")]
    Tls(#[source] lettre::transport::smtp::Error),
}

/// How the connection to the relay is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Security {
    /// TLS after a plain greeting, or no mail at all.
    StartTls,
    /// TLS from the first byte.
    Tls,
    Plain,
}

/// The relay's address as read from the settings.
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
}

impl Server {
    pub(super) fn parse(settings: &MailSettings) -> Result<Self, MailSettingsError> {
        let url = Url::parse(&settings.url).map_err(|_| MailSettingsError::Url)?;
        let nothing_else =
            matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        let host = match url.host() {
            Some(Host::Domain(host)) if nothing_else && !host.is_empty() => host.to_owned(),
            Some(Host::Ipv4(address)) if nothing_else => address.to_string(),
            Some(Host::Ipv6(address)) if nothing_else => address.to_string(),
            _ => return Err(MailSettingsError::Url),
        };
        let (security, port) = match url.scheme() {
            "smtp" if settings.allow_plain => (Security::Plain, SUBMISSION),
            "smtp" => (Security::StartTls, SUBMISSION),
            "smtps" => (Security::Tls, SUBMISSIONS),
            _ => return Err(MailSettingsError::Url),
        };
        if security == Security::Plain && !is_this_machine(&host) {
            return Err(MailSettingsError::PlainElsewhere);
        }
        Ok(Self { host, port: url.port().unwrap_or(port), security, credentials: credentials(&url)? })
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

fn credentials(url: &Url) -> Result<Option<Credentials>, MailSettingsError> {
    let decoded = |text: &str| {
        percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| MailSettingsError::Url)
    };
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            Ok(Some(Credentials::new(decoded(user)?, decoded(password)?)))
        }
        _ => Err(MailSettingsError::HalfCredentials),
    }
}

/// The sender: one line, because the mail library panics on a name with a line break.
pub(super) fn sender(from: &str) -> Result<Mailbox, MailSettingsError> {
    let from = text::line(from, 320).map_err(|_| MailSettingsError::From)?;
    let mailbox: Mailbox = from.parse().map_err(|_| MailSettingsError::From)?;
    if mailbox.email.domain().contains('.') { Ok(mailbox) } else { Err(MailSettingsError::From) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str, allow_plain: bool) -> MailSettings {
        MailSettings { url: url.to_owned(), from: String::new(), allow_plain, timeout: Duration::ZERO }
    }

    fn server(url: &str, allow_plain: bool) -> Result<Server, MailSettingsError> {
        Server::parse(&settings(url, allow_plain))
    }

    #[test]
    fn tls_is_the_rule_and_ports_follow_the_scheme() {
        for (url, host, port, security) in [
            ("smtp://relay.bank.example", "relay.bank.example", 587, Security::StartTls),
            ("smtp://relay.bank.example:25/", "relay.bank.example", 25, Security::StartTls),
            ("smtps://relay.bank.example", "relay.bank.example", 465, Security::Tls),
            ("smtps://[::1]:2465", "::1", 2465, Security::Tls),
        ] {
            let read = server(url, false).unwrap();
            assert_eq!((read.host.as_str(), read.port, read.security), (host, port, security), "{url}");
            assert!(read.credentials.is_none());
        }
        let secret = server("smtp://tide%40wall:p%3Ass%2Fword@relay.bank.example", false).unwrap();
        assert_eq!(
            secret.credentials,
            Some(Credentials::new("tide@wall".to_owned(), "p:ss/word".to_owned()))
        );
    }

    #[test]
    fn plain_text_stays_on_this_machine() {
        for url in ["smtp://127.0.0.1:2525", "smtp://localhost:25", "smtp://[::1]:25", "smtp://127.9.9.9"] {
            assert_eq!(server(url, true).unwrap().security, Security::Plain, "{url}");
        }
        for url in ["smtp://relay.bank.example", "smtp://10.0.0.1", "smtp://localhost.evil.example"] {
            assert!(matches!(server(url, true), Err(MailSettingsError::PlainElsewhere)), "{url}");
        }
        assert_eq!(server("smtps://relay.bank.example", true).unwrap().security, Security::Tls);
    }

    #[test]
    fn unusable_settings_are_refused_without_repeating_the_password() {
        for url in [
            "",
            "relay.bank.example:587",
            "http://relay.bank.example",
            "smtp:",
            "smtp://",
            "smtp:///x",
            "smtp://u:SECRET@relay.bank.example/path",
            "smtp://u:SECRET@relay.bank.example?tls=none",
            "smtp://u@relay.bank.example",
            "smtp://:SECRET@relay.bank.example",
            "smtp://u:SECRET%ff@relay.bank.example",
        ] {
            let error = server(url, false).err().unwrap_or_else(|| panic!("{url} must be refused"));
            assert!(error.to_string().starts_with("smtp.url must"), "{url}: {error}");
            assert!(!error.to_string().contains("SECRET"));
        }
        let settings = settings("smtp://u:SECRET@h.example", false);
        assert!(!format!("{settings:?}").contains("SECRET"));
    }

    #[test]
    fn the_sender_is_one_real_mailbox() {
        for good in
            ["tidewall@bank.example", "Tidewall <tidewall@bank.example>", "\"Müller, Tide\" <t@bank.example>"]
        {
            assert!(sender(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "tidewall",
            "t@localhost",
            "A\nB <t@bank.example>",
            "a@bank.example, b@bank.example",
            "A\u{7}<t@bank.example>",
        ] {
            assert!(matches!(sender(bad), Err(MailSettingsError::From)), "{bad:?}");
        }
    }
}
