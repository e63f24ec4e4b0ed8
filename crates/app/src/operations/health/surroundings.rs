//! The environment of the service for the health checks, provided by the binary.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use domain::moment::Moment;

/// When the current certificate ends; called each time because the certificate can be replaced.
#[derive(Clone)]
pub struct CertificateEnd(pub Arc<dyn Fn() -> Option<Moment> + Send + Sync>);

impl fmt::Debug for CertificateEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateEnd(…)")
    }
}

/// The environment and its thresholds.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The folder with the files of the service.
    pub data_dir: PathBuf,
    pub backup_dir: PathBuf,
    /// `Some` if TLS is on.
    pub certificate: Option<CertificateEnd>,
    /// How long a measurement is cached.
    pub fresh: Duration,
    /// The same for the mail server, which is queried less often.
    pub mail_fresh: Duration,
    /// The timeout of a query.
    pub patience: Duration,
    /// Less free space than this impairs the service.
    pub low_disk: u64,
    /// A larger write-ahead log is truncated.
    pub large_log: u64,
    /// How long samples are kept per minute, and per hour.
    pub minutes_kept: Duration,
    pub hours_kept: Duration,
}

impl Surroundings {
    #[must_use]
    pub fn in_folder(data_dir: PathBuf) -> Self {
        Self {
            backup_dir: data_dir.join("backups"),
            data_dir,
            certificate: None,
            fresh: Duration::from_secs(1),
            mail_fresh: Duration::from_mins(1),
            patience: Duration::from_secs(2),
            low_disk: 1 << 30,
            large_log: 64 << 20,
            minutes_kept: Duration::from_hours(24),
            hours_kept: Duration::from_hours(30 * 24),
        }
    }
}
