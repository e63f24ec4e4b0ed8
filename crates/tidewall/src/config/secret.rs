//! Addresses that contain a password. They print masked; only `expose` returns them.

use std::fmt;

use url::Url;

const MASK: &str = "***";

/// Settings whose text contains credentials.
const SECRET_SETTINGS: [&str; 12] = [
    "database_url",
    "database.migrator_url",
    "redis_url",
    "smtp.url",
    "feeds.urls",
    "vault.key",
    "security.https",
    "security.authorization",
    "telemetry.authorization",
    "bundles.authorization",
    "evidence.s3.access_key",
    "evidence.s3.secret_key",
];

/// Whether the setting's text must not be repeated anywhere.
pub(super) fn is_secret(setting: &str) -> bool {
    SECRET_SETTINGS.contains(&setting)
}

/// A connection address with credentials inside.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretUrl(String);

impl SecretUrl {
    pub(in crate::config) fn new(text: String) -> Self {
        Self(text)
    }

    /// The address as written, for the driver that connects with it and for nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&mask(&self.0))
    }
}

impl fmt::Display for SecretUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, out)
    }
}

/// The text of a flag that may be a secret, before it is parsed.
#[derive(Clone)]
pub struct HiddenText(String);

impl HiddenText {
    pub fn into_inner(self) -> String {
        self.0
    }
}

impl From<String> for HiddenText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for HiddenText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MASK)
    }
}

/// The address without its password; nothing of an address that cannot be parsed, because the position of the
/// password is unknown.
pub(super) fn mask(address: &str) -> String {
    if address.is_empty() {
        return String::new();
    }
    let Ok(mut url) = Url::parse(address) else { return MASK.to_owned() };
    // A token such as `key:value` parses too, but names no host.
    if url.cannot_be_a_base() {
        return MASK.to_owned();
    }
    if url.password().is_some() && url.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    if url.query().is_some() {
        mask_query(&mut url);
    }
    url.into()
}

/// Drivers also take credentials as parameters, and feeds contain tokens there: names are kept, values are masked.
fn mask_query(url: &mut Url) {
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let masked: Vec<String> = names.iter().map(|name| format!("{name}={MASK}")).collect();
    url.set_query(Some(&masked.join("&")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_everything_but_the_password() {
        assert_eq!(mask("postgres://me:hunter2@db:5432/tidewall"), "postgres://me:***@db:5432/tidewall");
        assert_eq!(mask("redis://:hunter2@cache:6379"), "redis://:***@cache:6379");
        assert_eq!(mask("smtp://mail.example.com:25"), "smtp://mail.example.com:25");
        assert_eq!(mask(""), "");
    }

    #[test]
    fn masks_parameters_and_what_it_cannot_parse() {
        assert_eq!(mask("postgres://db/t?user=me&password=hunter2"), "postgres://db/t?user=***&password=***");
        assert_eq!(mask("host=db password=hunter2"), "***");
        assert_eq!(mask("Bearer hunter2"), "***");
        assert_eq!(mask("ApiKey:hunter2"), "***");
        assert_eq!(mask("postgres://me:hunter2@db:notaport/t"), "***");
    }

    #[test]
    fn does_not_print_itself() {
        let secret = SecretUrl::new("postgres://me:hunter2@db/t".to_owned());
        assert!(!format!("{secret:?} {secret}").contains("hunter2"));
        assert_eq!(secret.expose(), "postgres://me:hunter2@db/t");
    }
}
