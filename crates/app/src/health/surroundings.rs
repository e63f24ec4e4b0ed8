//! What health has to know about the place the service runs in; only the binary can tell.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use domain::moment::Moment;

/// When the certificate in force ends, asked anew each time because it can be exchanged.
#[derive(Clone)]
pub struct CertificateEnd(pub Arc<dyn Fn() -> Option<Moment> + Send + Sync>);

impl fmt::Debug for CertificateEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateEnd(…)")
    }
}

/// The place, and what counts as trouble in it.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Where the service keeps its files.
    pub data_dir: PathBuf,
    pub backup_dir: PathBuf,
    /// Where TLS is on.
    pub certificate: Option<CertificateEnd>,
    /// How long a measurement holds.
    pub fresh: Duration,
    /// The same for the mail server, which is not bothered more often.
    pub mail_fresh: Duration,
    /// How long a question may take.
    pub patience: Duration,
    /// Less free space than this impairs the service.
    pub low_disk: u64,
    /// A write-ahead log above this is cut back.
    pub large_log: u64,
    /// How long samples are kept by the minute, and by the hour.
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
