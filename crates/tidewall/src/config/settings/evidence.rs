//! Evidence: limits and scanner of its files, and the bucket for their bytes.

use std::{path::PathBuf, time::Duration};

use app::{
    evidence::{EvidenceRules, Storage},
    upload::MAX_BYTES,
};
use outbound::bucket::{Lock, LockMode};
use url::{Host, Url};

use super::{ConfigError, Reader, Secret, forms};

/// Where the bucket is and how it is accessed.
#[derive(Clone, Debug)]
pub struct BucketConfig {
    pub endpoint: Url,
    pub bucket: String,
    pub region: String,
    /// Empty, or ending in a slash.
    pub prefix: String,
    pub path_style: bool,
    pub access_key: Secret,
    pub secret_key: SecretKey,
    pub lock: Option<Lock>,
    pub timeout: Duration,
}

/// Where the secret key comes from.
#[derive(Clone, Debug)]
pub enum SecretKey {
    Text(Secret),
    File(PathBuf),
}

/// The limits of evidence files, their virus scanner, and where their bytes go.
pub(super) fn rules(reader: &Reader<'_>) -> Result<EvidenceRules, ConfigError> {
    let quota: u64 = reader.number("evidence.quota_bytes", 0..=1 << 50)?;
    let storage = |text: &str| match text {
        "store" => Some(Storage::Store),
        "s3" => Some(Storage::Bucket),
        _ => None,
    };
    Ok(EvidenceRules {
        max_file_bytes: reader.number("evidence.max_file_bytes", 1..=MAX_BYTES)?,
        quota_bytes: (quota > 0).then_some(quota),
        clamd: reader.parsed_if_set(
            "evidence.clamd",
            "write a host and a port, such as \"127.0.0.1:3310\", or \"\" for no scanner",
            |text| host_and_port(text).then(|| text.to_owned()),
        )?,
        storage: reader.parsed("evidence.storage", "write \"store\" or \"s3\"", storage)?,
    })
}

fn host_and_port(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

/// The bucket, if its endpoint is set. Files that are in it can be read also while new ones go to the store.
pub(super) fn bucket(reader: &Reader<'_>) -> Result<Option<BucketConfig>, ConfigError> {
    let endpoint = reader.parsed_if_set(
        "evidence.s3.endpoint",
        "write the https origin of the server, such as \"https://s3.eu-central-1.amazonaws.com\"; http is only allowed \
         for an address of this machine",
        endpoint,
    )?;
    let name = reader.parsed_if_set(
        "evidence.s3.bucket",
        "write the name of a bucket: 3 to 63 lower-case letters, digits, hyphens and dots",
        bucket_name,
    )?;
    let region = reader.parsed("evidence.s3.region", "write a region, such as \"eu-central-1\"", region)?;
    let prefix = reader.parsed(
        "evidence.s3.prefix",
        "write letters, digits, dots, hyphens and underscores, parted by single slashes, such as \"tidewall/\"",
        prefix,
    )?;
    let path_style = reader.boolean("evidence.s3.path_style")?;
    let access_key = secret(reader, "evidence.s3.access_key")?;
    let secret_key = secret_key(reader)?;
    let lock = lock(reader)?;
    let timeout =
        reader.duration("evidence.s3.timeout", Duration::from_millis(100)..=Duration::from_mins(1))?;
    let Some(endpoint) = endpoint else {
        return match rules(reader)?.storage {
            Storage::Store => Ok(None),
            Storage::Bucket => Err(missing(reader, "evidence.s3.endpoint", "evidence.storage is \"s3\"")),
        };
    };
    if !path_style && !matches!(endpoint.host(), Some(Host::Domain(_))) {
        let remedy = "leave it true for a server without a host name";
        return Err(reader.bad(
            "evidence.s3.path_style",
            "needs a host name to put the bucket before",
            remedy,
        ));
    }
    let set = "evidence.s3.endpoint is set";
    Ok(Some(BucketConfig {
        endpoint,
        bucket: name.ok_or_else(|| missing(reader, "evidence.s3.bucket", set))?,
        region,
        prefix,
        path_style,
        access_key: access_key.ok_or_else(|| missing(reader, "evidence.s3.access_key", set))?,
        secret_key: secret_key.ok_or_else(|| missing(reader, "evidence.s3.secret_key", set))?,
        lock,
        timeout,
    }))
}

fn missing(reader: &Reader<'_>, name: &'static str, because: &str) -> ConfigError {
    reader.bad(name, format!("is not set although {because}"), "set it as well")
}

/// One line that can be signed with. The text never appears in an error.
fn secret(reader: &Reader<'_>, name: &'static str) -> Result<Option<Secret>, ConfigError> {
    match reader.optional(name)? {
        None => Ok(None),
        Some(text) if text.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Some(Secret::new(text))),
        Some(_) => Err(reader.bad(name, "is not a key", "write it as the server shows it, without spaces")),
    }
}

fn secret_key(reader: &Reader<'_>) -> Result<Option<SecretKey>, ConfigError> {
    let text = secret(reader, "evidence.s3.secret_key")?;
    match (text, reader.path("evidence.s3.secret_key_file")?) {
        (Some(_), Some(_)) => {
            let problem = "is set although evidence.s3.secret_key is";
            Err(reader.bad("evidence.s3.secret_key_file", problem, "set one of the two"))
        }
        (Some(text), None) => Ok(Some(SecretKey::Text(text))),
        (None, file) => Ok(file.map(SecretKey::File)),
    }
}

fn lock(reader: &Reader<'_>) -> Result<Option<Lock>, ConfigError> {
    let mode = |text: &str| match text {
        "governance" => Some(LockMode::Governance),
        "compliance" => Some(LockMode::Compliance),
        _ => None,
    };
    let remedy = "write \"governance\" or \"compliance\", or \"\" for no lock";
    let mode = reader.parsed_if_set("evidence.s3.lock_mode", remedy, mode)?;
    let days: u32 = reader.number("evidence.s3.lock_days", 0..=36_500)?;
    match (mode, days) {
        (Some(_), 0) => Err(missing(reader, "evidence.s3.lock_days", "evidence.s3.lock_mode is set")),
        (Some(mode), days) => Ok(Some(Lock { mode, days })),
        (None, 0) => Ok(None),
        (None, _) => Err(missing(reader, "evidence.s3.lock_mode", "evidence.s3.lock_days is set")),
    }
}

/// Plain http only on this machine: bytes of evidence must not cross a network unencrypted.
fn endpoint(text: &str) -> Option<Url> {
    let origin = forms::origin(text)?;
    let allowed = origin.starts_with("https://") || forms::loopback_origin(&origin).is_some();
    Url::parse(&origin).ok().filter(|_| allowed)
}

fn bucket_name(text: &str) -> Option<String> {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let bytes = text.as_bytes();
    let ends = [bytes.first()?, bytes.last()?].into_iter().all(u8::is_ascii_alphanumeric);
    let valid = (3..=63).contains(&text.len()) && bytes.iter().copied().all(inner) && ends;
    (valid && !text.contains("..")).then(|| text.to_owned())
}

fn region(text: &str) -> Option<String> {
    let valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!text.is_empty() && text.bytes().all(valid)).then(|| text.to_owned())
}

/// The prefix with a slash at its end.
fn prefix(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let valid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let text = text.trim_end_matches('/');
    let part = |part: &str| !matches!(part, "" | "." | "..") && part.bytes().all(valid);
    (text.len() <= 200 && text.split('/').all(part)).then(|| format!("{text}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_an_origin_reached_over_tls_or_on_this_machine() {
        for text in
            ["https://s3.example.com", "https://10.0.0.5:9000", "http://127.0.0.1:9000", "http://[::1]:1"]
        {
            assert!(endpoint(text).is_some(), "{text}");
        }
        for text in
            ["http://s3.example.com", "https://s3.example.com/x", "https://me@s3.example.com", "s3", ""]
        {
            assert!(endpoint(text).is_none(), "{text}");
        }
    }

    #[test]
    fn names_are_those_that_need_no_encoding() {
        for text in ["evidence", "north-bank.evidence", "a1b"] {
            assert_eq!(bucket_name(text).as_deref(), Some(text));
        }
        for text in ["", "ab", "Evidence", "-evidence", "evidence.", "a..b", "a/b", "a b c"] {
            assert_eq!(bucket_name(text), None, "{text}");
        }
        assert_eq!(prefix("").as_deref(), Some(""));
        assert_eq!(prefix("north/evidence").as_deref(), Some("north/evidence/"));
        assert_eq!(prefix("north/").as_deref(), Some("north/"));
        for text in ["/", "/a", "a//b", "a/../b", "a b", "ä"] {
            assert_eq!(prefix(text), None, "{text}");
        }
        assert_eq!(region("eu-central-1").as_deref(), Some("eu-central-1"));
        assert_eq!((region(""), region("a/b")), (None, None));
    }
}
