//! A webhook: a tenant's destination and the events it subscribes to.
//!
//! The outbound allowlist decides whether a URL is permitted; here it is opaque.

use std::fmt;

use crate::{event::EventKind, text::Name, vocabulary::vocabulary, wording::sentence};

vocabulary! {
    Channel {
        Slack = "slack" ("Slack", "Slack"),
        Teams = "teams" ("Microsoft Teams", "Microsoft Teams"),
        Email = "email" ("Email", "E-Mail"),
    }
}

/// The longest destination a webhook may have, in characters.
pub const MAX_URL: usize = 512;

/// The events a webhook subscribes to: at least one, each once, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events(Vec<EventKind>);

sentence! {
    /// A webhook without events.
    NoEvents =
        "must name at least one event",
        "muss mindestens ein Ereignis nennen";
}

impl Events {
    pub fn new(mut events: Vec<EventKind>) -> Result<Self, NoEvents> {
        events.sort_unstable();
        events.dedup();
        if events.is_empty() { Err(NoEvents) } else { Ok(Self(events)) }
    }

    pub fn iter(&self) -> impl Iterator<Item = EventKind> {
        self.0.iter().copied()
    }

    pub fn contains(&self, kind: EventKind) -> bool {
        self.0.contains(&kind)
    }

    /// Comma-separated, as stored.
    pub fn parse(text: &str) -> Option<Self> {
        let kinds = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        Self::new(kinds).ok()
    }
}

impl fmt::Display for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(EventKind::as_str).collect();
        f.write_str(&names.join(","))
    }
}

/// The webhook's destination, already checked against the allowlist.
#[derive(Clone, PartialEq, Eq)]
pub struct Destination(String);

impl Destination {
    /// For the allowlist, which has checked the text, and for stored rows.
    #[must_use]
    pub fn checked(url: String) -> Self {
        Self(url)
    }

    /// The URL is a secret: any holder can post to it. Reveal it only to send or to show it to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Destination(…)")
    }
}

/// A new webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDraft {
    pub name: Name,
    pub channel: Channel,
    pub destination: Destination,
    pub events: Events,
}

/// A change of a webhook. Channel and URL are checked together, so the text stays raw until both are known.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WebhookPatch {
    pub name: Option<Name>,
    pub channel: Option<Channel>,
    pub url: Option<String>,
    pub events: Option<Events>,
    pub active: Option<bool>,
}

impl fmt::Debug for WebhookPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookPatch")
            .field("name", &self.name)
            .field("channel", &self.channel)
            .field("url", &self.url.as_ref().map(|_| "…"))
            .field("events", &self.events)
            .field("active", &self.active)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_a_set_in_a_fixed_order() {
        let events = Events::parse("deadline.approaching,finding.created,finding.created").unwrap();
        assert_eq!(events.to_string(), "finding.created,deadline.approaching");
        assert!(Events::parse("").is_none());
        assert_eq!(Events::new(vec![]), Err(NoEvents));
    }

    #[test]
    fn a_destination_never_prints_itself() {
        let secret = Destination::checked("https://hooks.slack.com/services/T/B/x".into());
        assert_eq!(format!("{secret:?}"), "Destination(…)");
        let patch = WebhookPatch { url: Some("https://secret".into()), ..WebhookPatch::default() };
        assert!(!format!("{patch:?}").contains("secret"));
    }
}
