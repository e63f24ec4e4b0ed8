//! A URL looked at twice: as it was written and as the URL parser understands it.
//!
//! Parsers forgive (tabs vanish, `\` becomes `/`, hosts are percent-decoded, `127.1` becomes an address),
//! and every forgiveness has been somebody's way around an allowlist. So nothing is forgiven: what was
//! written must already be what is meant.

use url::{Host, Position, Url};

use super::error::DestinationError;

/// An https URL on port 443 whose spelling leaves no room for two readings.
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

/// No character that one reader drops, turns or cuts at and another does not.
pub(super) fn plain_characters(text: &str) -> Result<(), DestinationError> {
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return Err(DestinationError::Characters);
    }
    if text.contains('#') { Err(DestinationError::Fragment) } else { Ok(()) }
}

/// What stands between `://` and the path or query, and what follows it.
pub(super) fn split_authority(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()))
}

/// Path and query are sent exactly as they were written; only an absent path is read as `/`.
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
    // A last label that starts with a digit could be read as the end of an address.
    let named_ending =
        |last: &str| last.len() >= 2 && last.starts_with(|first: char| first.is_ascii_lowercase());
    host.len() <= 253
        && host.split('.').all(is_label)
        && host.rsplit_once('.').is_some_and(|(_, last)| named_ending(last))
}
