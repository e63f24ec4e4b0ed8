//! The destination allowlist: where webhooks may send, by channel.
//!
//! Checked when a webhook is stored and again at every send, because the rules may become stricter while stored rows
//! stay the same. It judges the text only; the connector checks that the name does not resolve to a private address,
//! because DNS answers can change.

mod email;
mod error;
#[cfg(test)]
mod tests;
mod url_text;

use std::net::IpAddr;

use domain::webhook::{Channel, Destination, MAX_URL};
use url::{Host, Url};

pub use self::error::{AllowlistError, DestinationError};
use self::{
    email::MailAddress,
    url_text::{WrittenUrl, is_host_name, plain_characters, same_tail, split_authority},
};

const SLACK_HOSTS: [&str; 2] = ["hooks.slack.com", "hooks.slack-gov.com"];

const TEAMS_SUFFIXES: [&str; 4] = [
    ".environment.api.powerplatform.com",
    ".environment.api.gov.powerplatform.microsoft.us",
    ".environment.api.high.powerplatform.microsoft.us",
    ".environment.api.appsplatform.us",
];

/// Hosts that used to accept Teams messages, listed so that the refusal can name the replacement.
const RETIRED_TEAMS_SUFFIXES: [&str; 4] =
    [".webhook.office.com", ".outlook.office.com", ".outlook.office365.com", ".logic.azure.com"];

/// What an operator may add to the built-in rules. All empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowlistSettings {
    /// Exact loopback origins that `slack` and `teams` may use too, for tests and development.
    pub dev_destinations: Vec<String>,
    /// Further hosts that speak Slack's format, such as Mattermost or Rocket.Chat.
    pub extra_hosts: Vec<String>,
    /// When not empty, the only domains that mail may go to.
    pub email_domains: Vec<String>,
    /// When not empty, the only hosts that event hooks may send to; each includes the hosts below it.
    pub event_hook_hosts: Vec<String>,
}

/// The rules in force.
#[derive(Debug, Clone, Default)]
pub struct Allowlist {
    dev_destinations: Vec<String>,
    extra_hosts: Vec<String>,
    email_domains: Vec<String>,
    event_hook_hosts: Vec<String>,
}

impl Allowlist {
    pub fn new(settings: AllowlistSettings) -> Result<Self, AllowlistError> {
        let AllowlistSettings { dev_destinations, extra_hosts, email_domains, event_hook_hosts } = settings;
        Ok(Self {
            dev_destinations: each(dev_destinations, loopback_origin, AllowlistError::DevDestination)?,
            extra_hosts: each(extra_hosts, host_name, AllowlistError::ExtraHost)?,
            email_domains: each(email_domains, mail_domain, AllowlistError::EmailDomain)?,
            event_hook_hosts: each(event_hook_hosts, host_name, AllowlistError::EventHookHost)?,
        })
    }

    /// The origins that bypass the public-address rule, for the connector and for a warning at start.
    pub fn dev_destinations(&self) -> &[String] {
        &self.dev_destinations
    }

    /// Accepts `url` as a destination of `channel`, or names the rule that forbids it.
    pub fn check(&self, channel: Channel, url: &str) -> Result<Destination, DestinationError> {
        if url.len() > MAX_URL && url.chars().count() > MAX_URL {
            return Err(DestinationError::TooLong);
        }
        match channel {
            Channel::Email => return self.check_email(url),
            Channel::Slack | Channel::Teams if self.is_dev_destination(url)? => {}
            Channel::Slack => self.check_slack(&WrittenUrl::parse(url)?)?,
            Channel::Teams => check_teams(&WrittenUrl::parse(url)?)?,
        }
        Ok(Destination::checked(url.to_owned()))
    }

    /// Accepts `url` as a destination of an event hook, or names the rule that forbids it.
    pub fn check_event_hook(&self, url: &str) -> Result<Destination, DestinationError> {
        if url.len() > MAX_URL && url.chars().count() > MAX_URL {
            return Err(DestinationError::TooLong);
        }
        if !self.is_dev_destination(url)? {
            let written = WrittenUrl::parse(url)?;
            let is_below = |host: &String| {
                written
                    .host()
                    .strip_suffix(host.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            };
            if !self.event_hook_hosts.is_empty() && !self.event_hook_hosts.iter().any(is_below) {
                return Err(DestinationError::EventHookHost);
            }
        }
        Ok(Destination::checked(url.to_owned()))
    }

    /// Compares the origin as written, character by character, so that no other spelling is accepted.
    fn is_dev_destination(&self, text: &str) -> Result<bool, DestinationError> {
        let Some(origin) = origin_as_written(text) else { return Ok(false) };
        if !self.dev_destinations.iter().any(|allowed| allowed == origin) {
            return Ok(false);
        }
        plain_characters(text)?;
        let url = Url::parse(text).map_err(|_| DestinationError::HostSpelling)?;
        same_tail(&text[origin.len()..], &url)?;
        Ok(true)
    }

    fn check_slack(&self, url: &WrittenUrl) -> Result<(), DestinationError> {
        if self.extra_hosts.iter().any(|host| host == url.host()) {
            return Ok(());
        }
        if !SLACK_HOSTS.contains(&url.host()) {
            return Err(DestinationError::NotSlack);
        }
        match url.path().strip_prefix("/services/") {
            Some(token) if !token.is_empty() => Ok(()),
            _ if url.path().starts_with("/workflows/") || url.path().starts_with("/triggers/") => {
                Err(DestinationError::SlackWorkflow)
            }
            _ => Err(DestinationError::NotSlack),
        }
    }

    fn check_email(&self, text: &str) -> Result<Destination, DestinationError> {
        let MailAddress { local_part, domain } = MailAddress::parse(text)?;
        if !self.email_domains.is_empty() && !self.email_domains.contains(&domain) {
            return Err(DestinationError::MailDomainNotAllowed);
        }
        Ok(Destination::checked(format!("mailto:{local_part}@{domain}")))
    }
}

fn check_teams(url: &WrittenUrl) -> Result<(), DestinationError> {
    if !TEAMS_SUFFIXES.iter().any(|suffix| url.host().ends_with(suffix)) {
        let dotted = format!(".{}", url.host());
        let retired = RETIRED_TEAMS_SUFFIXES.iter().any(|suffix| dotted.ends_with(suffix));
        return Err(if retired { DestinationError::RetiredConnector } else { DestinationError::NotTeams });
    }
    // Vendors insert segments now and then, so the path is searched instead of matched as a whole.
    if !url.path().contains("/workflows/") || !url.path().contains("/triggers/") {
        return Err(DestinationError::TeamsPath);
    }
    match url.parameter("sig") {
        Some(signature) if !signature.is_empty() => Ok(()),
        _ => Err(DestinationError::TeamsSignature),
    }
}

/// Scheme, `://` and authority as written.
fn origin_as_written(text: &str) -> Option<&str> {
    let start = text.find("://")? + "://".len();
    let (authority, _) = split_authority(&text[start..]);
    Some(&text[..start + authority.len()])
}

fn each(
    entries: Vec<String>,
    accept: impl Fn(&str) -> Option<String>,
    refuse: impl Fn(String) -> AllowlistError,
) -> Result<Vec<String>, AllowlistError> {
    entries.into_iter().map(|entry| accept(&entry).ok_or_else(|| refuse(entry))).collect()
}

fn loopback_origin(text: &str) -> Option<String> {
    let origin = text.strip_suffix('/').unwrap_or(text);
    let url = Url::parse(origin).ok()?;
    let address = match url.host()? {
        Host::Ipv4(v4) => IpAddr::V4(v4),
        Host::Ipv6(v6) => IpAddr::V6(v6),
        // A name could resolve to anything, `localhost` included.
        Host::Domain(_) => return None,
    };
    let is_web = matches!(url.scheme(), "http" | "https");
    // Only the parser's own spelling of the origin is accepted: no user info, no short address.
    let as_parsed = url.origin().ascii_serialization();
    (is_web && address.is_loopback() && as_parsed == origin).then_some(as_parsed)
}

fn host_name(text: &str) -> Option<String> {
    is_host_name(text).then(|| text.to_owned())
}

fn mail_domain(text: &str) -> Option<String> {
    let domain = text.to_ascii_lowercase();
    is_host_name(&domain).then_some(domain)
}
