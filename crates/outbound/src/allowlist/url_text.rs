//! Compares a URL as written with the URL parser's result.
//!
//! Parsers are lenient (tabs vanish, `\` becomes `/`, hosts are percent-decoded, `127.1` becomes an address), and
//! each of these rules has been used to bypass an allowlist. So leniency is not accepted: the text must already be in
//! the parser's normal form.

use url::{Host, Position, Url};

use super::error::DestinationError;

/// An https URL on port 443 whose spelling is unambiguous.
#[derive(Debug)]
pub(super) struct WrittenUrl {
    url: Url,
}

impl WrittenUrl {
    pub(super) fn parse(text: &str) -> Result<Self, DestinationError> {
        plain_characters(text)?;
        let rest = text.strip_prefix("https://").ok_or(DestinationError::NotHttps)?;
        let (authority, tail) = split_authority(rest);
        let host = host_as_written(authority)?;
        let url = Url::parse(text).map_err(|_| DestinationError::HostSpelling)?;
        same_host(host, &url)?;
        same_tail(tail, &url)?;
        Ok(Self { url })
    }

    pub(super) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub(super) fn path(&self) -> &str {
        self.url.path()
    }

    /// The first value of a query parameter, decoded.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }
}

/// Refuses characters that some parsers drop, convert or split at and others do not.
pub(super) fn plain_characters(text: &str) -> Result<(), DestinationError> {
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return Err(DestinationError::Characters);
    }
    if text.contains('#') { Err(DestinationError::Fragment) } else { Ok(()) }
}

/// The text between `://` and the path or query, and the rest.
pub(super) fn split_authority(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()))
}

/// Path and query are sent exactly as written; only an absent path is read as `/`.
pub(super) fn same_tail(written: &str, url: &Url) -> Result<(), DestinationError> {
    let sent = &url[Position::BeforePath..];
    if written == sent || (written.is_empty() && sent == "/") {
        Ok(())
    } else {
        Err(DestinationError::PathSpelling)
    }
}

fn host_as_written(authority: &str) -> Result<&str, DestinationError> {
    if authority.is_empty() {
        return Err(DestinationError::NotHttps);
    }
    if authority.contains('@') {
        return Err(DestinationError::UserInfo);
    }
    if authority.starts_with('[') {
        return Err(DestinationError::LiteralAddress);
    }
    match authority.split_once(':') {
        None => Ok(authority),
        Some((host, "443")) => Ok(host),
        Some(_) => Err(DestinationError::Port),
    }
}

fn same_host(written: &str, url: &Url) -> Result<(), DestinationError> {
    match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(DestinationError::LiteralAddress),
        Some(Host::Domain(host)) if host.ends_with('.') => Err(DestinationError::TrailingDot),
        Some(Host::Domain(host)) if host == written && is_host_name(host) => Ok(()),
        _ => Err(DestinationError::HostSpelling),
    }
}

/// Lower-case labels of letters, digits and inner hyphens, joined by single dots; at least two of them.
pub(super) fn is_host_name(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    // A last label that starts with a digit could be parsed as the end of an IP address.
    let named_ending =
        |last: &str| last.len() >= 2 && last.starts_with(|first: char| first.is_ascii_lowercase());
    host.len() <= 253
        && host.split('.').all(is_label)
        && host.rsplit_once('.').is_some_and(|(_, last)| named_ending(last))
}
