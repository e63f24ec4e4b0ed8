//! The content of a security event.

use std::net::IpAddr;

use domain::{
    id::{TenantId, UserId},
    moment::Moment,
};
use serde::Serialize;

/// The attempted action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    SignIn,
    SignOut,
    /// A code of a second factor, at sign-in.
    Code,
    /// The password, and possibly a code, again before a critical action.
    Proof,
    /// A one-time link was opened or used.
    Link,
    /// A link for a forgotten password was requested.
    ForgottenPassword,
    ApiKey,
    /// An action that the caller has no permission for.
    Permission,
    /// More requests than allowed.
    Limit,
    /// A change caused by another site.
    Forgery,
    Password,
    SecondFactor,
    RecoveryCodes,
    /// An account was added, changed or closed, or got a link.
    Account,
    /// The sign-in with the institution's identity provider was set up, changed or removed.
    IdentityProvider,
    /// A setting of the institution was changed.
    Settings,
    /// A webhook was created, changed or deleted.
    Webhook,
    /// Where an audit chain ends; nothing was tried.
    AuditHead,
}

impl What {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::Code => "code",
            Self::Proof => "proof",
            Self::Link => "link",
            Self::ForgottenPassword => "forgotten_password",
            Self::ApiKey => "api_key",
            Self::Permission => "permission",
            Self::Limit => "limit",
            Self::Forgery => "forgery",
            Self::Password => "password",
            Self::SecondFactor => "second_factor",
            Self::RecoveryCodes => "recovery_codes",
            Self::Account => "account",
            Self::IdentityProvider => "identity_provider",
            Self::Settings => "settings",
            Self::Webhook => "webhook",
            Self::AuditHead => "audit_head",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Allowed,
    /// A request that any visitor can make, so that it says nothing about the sender.
    Asked,
    Refused,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Asked => "asked",
            Self::Refused => "refused",
        }
    }
}

/// The end of an audit chain, as it is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditHead {
    pub chain: String,
    pub seq: i64,
    pub hash: String,
}

/// One event, without its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityEvent {
    pub what: What,
    pub outcome: Outcome,
    pub tenant: Option<TenantId>,
    pub user: Option<UserId>,
    /// A keyed digest of the typed address, where no account is known.
    pub account: Option<String>,
    /// The public part of an API key, or its id.
    pub key: Option<String>,
    /// The key that did it, where `key` is the one that it was done to.
    pub by_key: Option<String>,
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request: Option<String>,
    /// The reason as one word.
    pub reason: Option<&'static str>,
    /// Of an audit chain.
    pub head: Option<AuditHead>,
}

impl SecurityEvent {
    #[must_use]
    pub fn allowed(what: What) -> Self {
        Self::new(what, Outcome::Allowed)
    }

    #[must_use]
    pub fn refused(what: What) -> Self {
        Self::new(what, Outcome::Refused)
    }

    #[must_use]
    pub fn asked(what: What) -> Self {
        Self::new(what, Outcome::Asked)
    }

    pub(super) fn new(what: What, outcome: Outcome) -> Self {
        Self {
            what,
            outcome,
            tenant: None,
            user: None,
            account: None,
            key: None,
            by_key: None,
            address: None,
            request: None,
            reason: None,
            head: None,
        }
    }

    #[must_use]
    pub fn of(self, tenant: TenantId, user: UserId) -> Self {
        Self { tenant: Some(tenant), user: Some(user), ..self }
    }

    #[must_use]
    pub fn of_tenant(self, tenant: TenantId) -> Self {
        Self { tenant: Some(tenant), ..self }
    }

    #[must_use]
    pub fn of_account(self, digest: String) -> Self {
        Self { account: Some(digest), ..self }
    }

    #[must_use]
    pub fn with_key(self, key: String) -> Self {
        Self { key: Some(key), ..self }
    }

    #[must_use]
    pub fn by_key(self, key: String) -> Self {
        Self { by_key: Some(key), ..self }
    }

    #[must_use]
    pub fn from(self, address: IpAddr) -> Self {
        Self { address: Some(address), ..self }
    }

    #[must_use]
    pub fn in_request(self, id: &str) -> Self {
        Self { request: Some(id.to_owned()).filter(|id| !id.is_empty()), ..self }
    }

    #[must_use]
    pub fn with_head(self, head: AuditHead) -> Self {
        Self { head: Some(head), ..self }
    }

    #[must_use]
    pub fn because(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }
}

/// An event as written.
#[derive(Debug)]
pub(super) struct Line {
    /// The same when it is sent again, so that a receiver can ignore duplicates.
    pub(super) id: String,
    pub(super) at: Moment,
    pub(super) event: SecurityEvent,
    /// How many of these were suppressed.
    pub(super) count: Option<u64>,
}

#[derive(Serialize)]
struct Written<'e> {
    time: Moment,
    id: &'e str,
    event: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_key: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chain: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

impl Line {
    /// One line of JSON.
    pub(super) fn json(&self) -> String {
        let event = &self.event;
        let written = Written {
            time: self.at,
            id: &self.id,
            event: event.what.as_str(),
            outcome: event.outcome.as_str(),
            tenant: event.tenant.map(|id| id.to_string()),
            user: event.user.map(|id| id.to_string()),
            account: event.account.as_deref(),
            key: event.key.as_deref(),
            by_key: event.by_key.as_deref(),
            address: event.address,
            request: event.request.as_deref(),
            reason: event.reason,
            chain: event.head.as_ref().map(|head| head.chain.as_str()),
            seq: event.head.as_ref().map(|head| head.seq),
            hash: event.head.as_ref().map(|head| head.hash.as_str()),
            count: self.count,
        };
        serde_json::to_string(&written).unwrap_or_default()
    }
}
