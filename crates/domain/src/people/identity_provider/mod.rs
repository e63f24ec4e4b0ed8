//! The identity provider of a tenant: where its people sign in by OpenID Connect, and what the provider's groups mean
//! here.
//!
//! How the provider is spoken to and what of its answers is believed is the business of `app::identity_provider`.

mod input;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use crate::{
    text::{self, Name},
    user::{Email, Role},
    wording::sentences,
};

pub use self::input::IdentityProviderInput;

sentences! {
    /// Why settings of an identity provider were refused.
    IdentityProviderComplaint {
        NotAnIssuer =
            "must be an https address without query, such as https://login.bank.example/realms/staff",
            "muss eine https-Adresse ohne Abfrageteil sein, etwa https://login.bank.example/realms/staff";
        NotADomain { text: String } =
            "{text} is no domain: write one per line, such as bank.example",
            "{text} ist keine Domain: bitte eine je Zeile, etwa bank.example";
        NoDomain =
            "must name at least one domain, so that a provider cannot vouch for addresses that are not yours",
            "muss mindestens eine Domain nennen, damit der Anbieter nicht für fremde Adressen bürgen kann";
        NotAGroup { text: String } =
            "{text} names no group and role: write one per line, such as tidewall-admins = administrator",
            "{text} nennt nicht Gruppe und Rolle: bitte je Zeile eine Zuordnung, etwa tidewall-admins = administrator";
        NoClaim =
            "is needed to assign roles by groups, such as groups",
            "wird für die Zuordnung von Gruppen zu Rollen gebraucht, etwa groups";
        NoRole =
            "is needed for accounts that are made at the first sign-in",
            "wird für Konten gebraucht, die bei der ersten Anmeldung entstehen";
        NotForEveryone =
            "must not be administrator: assign that role to a group",
            "darf nicht Administration sein: bitte diese Rolle einer Gruppe zuordnen";
        NotAScope { text: String } =
            "{text} is no scope: write words with spaces between them, such as openid email profile",
            "{text} ist kein Scope: bitte Wörter mit Leerzeichen dazwischen, etwa openid email profile";
        SecretTooLong { most: usize } =
            "must be at most {most} characters long, without control characters",
            "darf höchstens {most} Zeichen lang sein und keine Steuerzeichen enthalten";
        NoProvider = "is not set up yet: save the settings first", "ist noch nicht eingerichtet: bitte zuerst speichern";
    }
}

/// The address that names a provider. It is compared byte by byte, as the standard demands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Issuer(String);

/// What is appended to an issuer to find its settings.
pub const DISCOVERY: &str = "/.well-known/openid-configuration";

impl Issuer {
    pub const MAX: usize = 500;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the provider publishes its settings.
    pub fn discovery(&self) -> String {
        format!("{}{DISCOVERY}", self.0.trim_end_matches('/'))
    }

    /// The host, for people who are about to be sent there.
    pub fn host(&self) -> &str {
        host(&self.0).unwrap_or_default()
    }
}

fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.split('/').next().filter(|host| !host.is_empty())
}

/// Plain http is for a provider on this machine, in tests; whether it may be reached, the connector decides.
fn is_loopback(address: &str) -> bool {
    ["http://127.0.0.1:", "http://[::1]:"].iter().any(|start| address.starts_with(start))
}

impl FromStr for Issuer {
    type Err = IdentityProviderComplaint;

    /// The address of the published settings is taken for the issuer it belongs to.
    fn from_str(text: &str) -> Result<Self, IdentityProviderComplaint> {
        let text = text.trim();
        let text = text.strip_suffix(DISCOVERY).unwrap_or(text);
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#@\\\"<>".contains(&byte));
        let secure = text.starts_with("https://") || is_loopback(text);
        if plain && secure && host(text).is_some() && text.len() <= Self::MAX {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdentityProviderComplaint::NotAnIssuer)
        }
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The part of an address after the `@`, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmailDomain(String);

impl EmailDomain {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The domain of an address.
    #[must_use]
    pub fn of(email: &Email) -> Self {
        Self(email.as_str().rsplit_once('@').map_or_else(String::new, |(_, domain)| domain.to_owned()))
    }
}

impl AsRef<str> for EmailDomain {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for EmailDomain {
    type Err = IdentityProviderComplaint;

    fn from_str(text: &str) -> Result<Self, IdentityProviderComplaint> {
        let text = text.trim().trim_start_matches('@');
        let email: Email = format!("a@{text}")
            .parse()
            .map_err(|_| IdentityProviderComplaint::NotADomain { text: text.chars().take(80).collect() })?;
        Ok(Self::of(&email))
    }
}

/// What membership in a group of the provider means here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRole {
    pub group: String,
    pub role: Role,
}

impl fmt::Display for GroupRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.group, self.role)
    }
}

impl FromStr for GroupRole {
    type Err = IdentityProviderComplaint;

    /// The role follows the last `=`, because names of groups may hold one.
    fn from_str(line: &str) -> Result<Self, IdentityProviderComplaint> {
        use crate::vocabulary::Vocabulary as _;
        let parts = line.rsplit_once('=');
        let read = parts.and_then(|(group, role)| {
            let group = text::line(group.trim(), Name::MAX).ok()?.to_owned();
            Some(Self { group, role: Role::named(role)? })
        });
        read.ok_or_else(|| IdentityProviderComplaint::NotAGroup { text: line.chars().take(80).collect() })
    }
}

/// How the people of a tenant sign in with its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    pub issuer: Issuer,
    pub client_id: Name,
    pub scopes: Vec<String>,
    /// The claim that lists a person's groups.
    pub groups_claim: Option<Name>,
    pub group_roles: Vec<GroupRole>,
    /// Whether people who have no account yet get one when they first sign in.
    pub creates_accounts: bool,
    /// The role of those who are in no assigned group; without one they stay out.
    pub default_role: Option<Role>,
    /// Addresses of these domains are believed when the provider has verified them.
    pub domains: Vec<EmailDomain>,
    /// Values of the claim `acr` that stand for a second factor.
    pub factor_values: Vec<String>,
    /// What the button on the sign-in page says.
    pub label: Name,
}

/// What follows for the role from a person's groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleByGroups {
    /// Groups decide nothing: an account keeps its role.
    Undecided,
    Is(Role),
    /// In no assigned group, and there is no role for those.
    Nothing,
}

impl IdentityProvider {
    /// Whether the provider may vouch for this address.
    pub fn vouches_for(&self, email: &Email) -> bool {
        self.domains.contains(&EmailDomain::of(email))
    }

    /// The role that follows from a person's groups: the one that may do most.
    pub fn role(&self, groups: &[String]) -> RoleByGroups {
        if self.group_roles.is_empty() {
            return RoleByGroups::Undecided;
        }
        let held = self.group_roles.iter().filter(|known| groups.contains(&known.group));
        let role = held.map(|known| known.role).max().or(self.default_role);
        role.map_or(RoleByGroups::Nothing, RoleByGroups::Is)
    }

    /// Whether the provider says that a second factor was presented: by a value of `acr` that is listed, or by methods
    /// (RFC 8176) of two kinds.
    pub fn saw_second_factor(&self, acr: Option<&str>, amr: &[String]) -> bool {
        let listed = acr.is_some_and(|acr| self.factor_values.iter().any(|value| value == acr));
        listed || amr.iter().any(|method| method == "mfa") || kinds(amr) > 1
    }
}

const KNOWN: [&str; 3] = ["pwd", "pin", "kba"];
const HELD: [&str; 8] = ["otp", "hwk", "swk", "sc", "sms", "tel", "pop", "fido"];
const OWN: [&str; 5] = ["face", "fpt", "iris", "retina", "vbm"];

/// Of how many kinds the methods are: something known, something held, something one is.
fn kinds(amr: &[String]) -> usize {
    let any = |methods: &[&str]| amr.iter().any(|method| methods.contains(&method.as_str()));
    [any(&KNOWN), any(&HELD), any(&OWN)].into_iter().filter(|found| *found).count()
}
