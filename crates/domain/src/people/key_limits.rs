//! Limits of an API key besides its permissions: the resources it reaches, the networks it may be used from, and its
//! end. A key created by another key has no wider limits than that key.

use std::{fmt, net::IpAddr, str::FromStr, sync::LazyLock};

use ipnet::IpNet;

use crate::{
    moment::Moment,
    noun::{NOUNS, Noun},
    wording::sentences,
};

/// The accounts of people, which a directory keeps over SCIM. No key reaches them unless its scopes name them.
pub const ACCOUNTS: &str = "accounts";

/// The first part of an API path below its version, as scopes name it; and the accounts, which SCIM alone serves. In
/// alphabetical order.
pub static RESOURCES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut resources: Vec<_> = NOUNS.iter().map(Noun::resource).chain(OTHERS.iter().copied()).collect();
    resources.sort_unstable();
    resources.dedup();
    resources
});

/// The resources besides those of the kinds of records.
const OTHERS: &[&str] = &[
    ACCOUNTS,
    "alerts",
    "approval-policy",
    "assessments",
    "audit",
    "bundles",
    "comments",
    "compliance-scores",
    "compliance-status",
    "compliance-timeline",
    "compliance-training",
    "concentration-risk",
    "custom-fields",
    "dashboard-widgets",
    "dora",
    "event-hooks",
    "events",
    "exports",
    "gap-analysis",
    "incident-drills",
    "keys",
    "oscal",
    "people",
    "performance",
    "profile",
    "report-templates",
    "reports",
    "requirements",
    "risk-register",
    "samples",
    "search",
    "statement-of-applicability",
    "test-coverage",
    "vendor-risk-assessment",
    "vendor-scorecard",
    "views",
    "vulnerability-scan",
    "webhooks",
];

/// The resource of a keyed path; the root of a version has none.
pub fn resource_of(path: &str) -> Option<&str> {
    let below = path.strip_prefix("/api/v1/").or_else(|| path.strip_prefix("/api/v2/"))?;
    below.split('/').next().filter(|resource| !resource.is_empty())
}

/// The action on a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Read,
    Write,
}

impl Verb {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One resource and an action, written `findings:read`. Neither verb includes the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    resource: &'static str,
    verb: Verb,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.resource, self.verb)
    }
}

sentences! {
    /// Why the limits of a key were refused.
    LimitComplaint {
        UnknownScope { text: String } =
            "{text} is no scope: write a resource and a verb, such as findings:read or webhooks:write",
            "{text} ist kein Geltungsbereich: bitte Ressource und Verb schreiben, etwa findings:read oder webhooks:write";
        NotANetwork { text: String } =
            "{text} is no network: write an address or a network, such as 192.0.2.7 or 192.0.2.0/24",
            "{text} ist kein Netz: bitte eine Adresse oder ein Netz schreiben, etwa 192.0.2.7 oder 192.0.2.0/24";
        NoScope =
            "must name at least one scope: leave the field out for a key without scopes",
            "muss mindestens einen Geltungsbereich nennen: ohne das Feld gilt der Schlüssel überall";
        NoNetwork =
            "must name at least one network: leave the field out for a key that works from everywhere",
            "muss mindestens ein Netz nennen: ohne das Feld gilt der Schlüssel von überall";
        TooMany { most: usize } = "must have at most {most} entries", "darf höchstens {most} Einträge haben";
        ScopeBeyondParent { text: String } =
            "{text} is not a scope of the key in use",
            "{text} ist kein Geltungsbereich des benutzten Schlüssels";
        NetworkBeyondParent { text: String } =
            "{text} is not within the networks of the key in use",
            "{text} liegt nicht in den Netzen des benutzten Schlüssels";
        EndBeyondParent { end: Moment } =
            "must not be after the end of the key in use ({end})",
            "darf nicht nach dem Ende des benutzten Schlüssels liegen ({end})";
        EndBeyondMaximum { end: Moment, days: i64 } =
            "must not be after {end}: keys of this institution work for at most {days} days",
            "darf nicht nach {end} liegen: Schlüssel dieses Instituts gelten höchstens {days} Tage";
        RotatedBefore =
            "was rotated before: rotate the key that was made in its place",
            "wurde schon ersetzt: bitte den Schlüssel ersetzen, der an seine Stelle trat";
        WiderThanRotating =
            "has wider limits than the key in use: rotate it with itself, or in the workspace",
            "hat weitere Grenzen als der benutzte Schlüssel: bitte mit ihm selbst oder in der Oberfläche ersetzen";
        Days { least: i64, most: i64 } =
            "must be a whole number of days from {least} to {most}",
            "muss eine ganze Zahl von Tagen von {least} bis {most} sein";
        OverlapTooShort { hours: i64 } =
            "must be at least {hours} when a key rotates another one: rotate it with itself, or in the workspace",
            "muss mindestens {hours} sein, wenn ein Schlüssel einen anderen ersetzt: bitte mit ihm selbst oder in der Oberfläche ersetzen";
        OverlapTooLong { hours: i64 } =
            "must be from 0 to {hours}",
            "muss von 0 bis {hours} reichen";
    }
}

/// Splits typed lists: by commas, spaces or lines.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

/// The resources a key is limited to. Sorted and without repetition; empty only if a later version wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(Vec<Scope>);

impl Scopes {
    const MOST: usize = 2 * 256;

    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, LimitComplaint> {
        let mut scopes = texts.into_iter().map(scope).collect::<Result<Vec<_>, _>>()?;
        scopes.sort_unstable();
        scopes.dedup();
        match scopes.len() {
            0 => Err(LimitComplaint::NoScope),
            count if count > Self::MOST => Err(LimitComplaint::TooMany { most: Self::MOST }),
            _ => Ok(Self(scopes)),
        }
    }

    /// Parses the stored form. A scope that only a later version knows gives no access here.
    #[must_use]
    pub fn stored(text: &str) -> Self {
        Self(words(text).filter_map(|word| scope(word).ok()).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }

    pub fn contains(&self, resource: &str, verb: Verb) -> bool {
        self.0.iter().any(|scope| scope.verb == verb && scope.resource == resource)
    }

    /// The first scope that a key with `parent` lacks. One without scopes reaches everything but the accounts.
    fn beyond(&self, parent: Option<&Self>) -> Option<Scope> {
        self.iter().find(|scope| match parent {
            Some(parent) => !parent.contains(scope.resource, scope.verb),
            None => scope.resource == ACCOUNTS,
        })
    }
}

fn scope(text: &str) -> Result<Scope, LimitComplaint> {
    let unknown = || LimitComplaint::UnknownScope { text: text.chars().take(80).collect() };
    let (resource, verb) = text.trim().split_once(':').ok_or_else(unknown)?;
    let verb = [Verb::Read, Verb::Write].into_iter().find(|known| known.as_str() == verb);
    let resource = RESOURCES.iter().find(|known| **known == resource);
    Ok(Scope { resource: resource.ok_or_else(unknown)?, verb: verb.ok_or_else(unknown)? })
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(&self.0, f)
    }
}

impl FromStr for Scopes {
    type Err = LimitComplaint;

    fn from_str(text: &str) -> Result<Self, LimitComplaint> {
        Self::new(words(text))
    }
}

/// The networks a key may be used from. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    const MOST: usize = 64;

    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, LimitComplaint> {
        let mut networks = texts.into_iter().map(network).collect::<Result<Vec<_>, _>>()?;
        networks.sort_unstable();
        networks.dedup();
        match networks.len() {
            0 => Err(LimitComplaint::NoNetwork),
            count if count > Self::MOST => Err(LimitComplaint::TooMany { most: Self::MOST }),
            _ => Ok(Self(networks)),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = IpNet> {
        self.0.iter().copied()
    }

    /// Whether the address is in one of them. An IPv4 address may come in the form of IPv6.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The first network that is not wholly within one of `parent`.
    fn beyond(&self, parent: &Self) -> Option<IpNet> {
        self.iter().find(|network| !parent.0.iter().any(|outer| outer.contains(network)))
    }
}

/// A network, or a single address as a network of its own. Bits beyond the prefix are cleared.
fn network(text: &str) -> Result<IpNet, LimitComplaint> {
    let text = text.trim();
    let single = || text.parse::<IpAddr>().ok().map(|address| IpNet::from(address.to_canonical()));
    let network = text.parse::<IpNet>().ok().or_else(single);
    network
        .map(|network| network.trunc())
        .ok_or_else(|| LimitComplaint::NotANetwork { text: text.chars().take(80).collect() })
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(&self.0, f)
    }
}

impl FromStr for Networks {
    type Err = LimitComplaint;

    fn from_str(text: &str) -> Result<Self, LimitComplaint> {
        Self::new(words(text))
    }
}

fn joined(items: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// All limits of a key. If none is set, its permissions alone decide.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyLimits {
    pub scopes: Option<Scopes>,
    pub networks: Option<Networks>,
    pub ends_at: Option<Moment>,
}

/// A violation and its field.
pub type Beyond = (&'static str, LimitComplaint);

impl KeyLimits {
    pub fn allows(&self, resource: &str, verb: Verb) -> bool {
        self.scopes.as_ref().is_none_or(|scopes| scopes.contains(resource, verb))
    }

    /// Whether the scopes themselves name it: what a key without scopes does not reach.
    pub fn names(&self, resource: &str, verb: Verb) -> bool {
        self.scopes.as_ref().is_some_and(|scopes| scopes.contains(resource, verb))
    }

    pub fn admits(&self, address: IpAddr) -> bool {
        self.networks.as_ref().is_none_or(|networks| networks.contains(address))
    }

    /// The limits of a key created by a key with `parent`'s: limits that are not given are the parent's, and given
    /// ones must not be wider.
    pub fn within(self, parent: &Self) -> Result<Self, Beyond> {
        let scope = self.scopes.as_ref().and_then(|own| own.beyond(parent.scopes.as_ref()));
        if let Some(scope) = scope {
            return Err(("scopes", LimitComplaint::ScopeBeyondParent { text: scope.to_string() }));
        }
        let network = self.networks.as_ref().zip(parent.networks.as_ref());
        if let Some(network) = network.and_then(|(own, outer)| own.beyond(outer)) {
            return Err(("networks", LimitComplaint::NetworkBeyondParent { text: network.to_string() }));
        }
        if let Some((_, outer)) = self.ends_at.zip(parent.ends_at).filter(|(own, outer)| own > outer) {
            return Err(("expires_at", LimitComplaint::EndBeyondParent { end: outer }));
        }
        Ok(Self {
            scopes: self.scopes.or_else(|| parent.scopes.clone()),
            networks: self.networks.or_else(|| parent.networks.clone()),
            ends_at: self.ends_at.or(parent.ends_at),
        })
    }
}

/// The life of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyLife {
    /// The life of a key created without an end, if limited.
    pub default_ms: Option<i64>,
    /// The institution's maximum, if there is one.
    pub most_days: Option<i64>,
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl KeyLife {
    /// The bounds of the institution's maximum, in days.
    pub const DAYS: std::ops::RangeInclusive<i64> = 1..=3650;

    /// Parses a typed maximum.
    pub fn parse_days(text: &str) -> Result<i64, LimitComplaint> {
        let (least, most) = (*Self::DAYS.start(), *Self::DAYS.end());
        let days = text.trim().parse().ok().filter(|days| Self::DAYS.contains(days));
        days.ok_or(LimitComplaint::Days { least, most })
    }

    /// The end of a key created now, or why the requested one is too late.
    pub fn end(self, asked: Option<Moment>, now: Moment) -> Result<Option<Moment>, LimitComplaint> {
        let latest = self.most_days.map(|days| (now.plus_millis(days * DAY_MS), days));
        match (asked, latest) {
            (Some(asked), Some((end, days))) if asked > end => {
                Err(LimitComplaint::EndBeyondMaximum { end, days })
            }
            (Some(asked), _) => Ok(Some(asked)),
            (None, latest) => {
                let usual = self.default_ms.map(|length| now.plus_millis(length));
                let latest = latest.map(|(end, _)| end);
                Ok(usual.zip(latest).map(|(usual, latest)| usual.min(latest)).or(usual).or(latest))
            }
        }
    }
}

#[cfg(test)]
#[path = "key_limits_tests.rs"]
mod tests;
