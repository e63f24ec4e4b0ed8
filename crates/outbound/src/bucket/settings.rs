//! Where a bucket is, how it is accessed, and how its objects are locked.

use std::{fmt, time::Duration};

use url::Url;

/// Protects objects from being removed, also by the holder of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    pub mode: LockMode,
    /// How long from the upload on.
    pub days: u32,
}

/// How strictly the server enforces a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// A holder of a special right can lift it.
    Governance,
    /// It cannot be lifted.
    Compliance,
}

impl LockMode {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Governance => "GOVERNANCE",
            Self::Compliance => "COMPLIANCE",
        }
    }
}

/// Where a bucket is and how it is accessed. The `Debug` output hides the keys.
#[derive(Clone)]
pub struct BucketSettings {
    /// An origin: scheme, host and port.
    pub endpoint: Url,
    pub name: String,
    pub region: String,
    /// The beginning of every object's name; empty, or ending in a slash.
    pub prefix: String,
    /// Whether the bucket is named in the path instead of in the host name.
    pub path_style: bool,
    pub access_key: String,
    pub secret_key: String,
    pub lock: Option<Lock>,
    /// How long the server may be silent.
    pub timeout: Duration,
}

impl fmt::Debug for BucketSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketSettings")
            .field("endpoint", &self.endpoint.as_str())
            .field("name", &self.name)
            .field("region", &self.region)
            .field("prefix", &self.prefix)
            .field("lock", &self.lock)
            .finish_non_exhaustive()
    }
}

impl BucketSettings {
    /// The address of the bucket and the value of the `Host` header.
    pub(super) fn address(&self) -> (Url, String) {
        let mut base = self.endpoint.clone();
        if self.path_style {
            base.set_path(&format!("/{}", self.name));
        } else {
            base.set_path("/");
            let host = format!("{}.{}", self.name, base.host_str().unwrap_or_default());
            // The settings refuse a name that cannot be part of a host name.
            let _ = base.set_host(Some(&host));
        }
        let host = base.host_str().unwrap_or_default().to_owned();
        let host = base.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        (base, host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bucket::Bucket, trust::Trust};

    fn settings(endpoint: &str, path_style: bool) -> BucketSettings {
        BucketSettings {
            endpoint: Url::parse(endpoint).unwrap(),
            name: "evidence".to_owned(),
            region: "eu-central-1".to_owned(),
            prefix: String::new(),
            path_style,
            access_key: "the-access-key".to_owned(),
            secret_key: "the-secret-key".to_owned(),
            lock: None,
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn a_bucket_is_named_in_the_path_or_in_the_host() {
        for (endpoint, path_style, url, host) in [
            ("https://s3.example.com", true, "https://s3.example.com/evidence", "s3.example.com"),
            ("https://s3.example.com", false, "https://evidence.s3.example.com/", "evidence.s3.example.com"),
            ("http://127.0.0.1:9000", true, "http://127.0.0.1:9000/evidence", "127.0.0.1:9000"),
            ("http://[::1]:9000", true, "http://[::1]:9000/evidence", "[::1]:9000"),
            ("https://s3.example.com:443", true, "https://s3.example.com/evidence", "s3.example.com"),
        ] {
            let (base, named) = settings(endpoint, path_style).address();
            assert_eq!((base.as_str(), named.as_str()), (url, host), "{endpoint}");
        }
    }

    #[test]
    fn neither_settings_nor_bucket_print_the_keys() {
        let settings = settings("https://s3.example.com", true);
        let bucket = Bucket::new(settings.clone(), Trust::default()).unwrap();
        let printed = format!("{settings:?} {bucket:?}");
        assert!(!printed.contains("the-secret-key") && !printed.contains("the-access-key"), "{printed}");
        assert!(printed.contains("s3.example.com"), "{printed}");
    }
}
