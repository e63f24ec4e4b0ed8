//! The settings for the rest of the program: typed, within bounds, and consistent with each other.
//!
//! A value needs no further check. What depends on the environment (whether the port is free, whether the certificate
//! matches its key) is checked where it is used.

mod bundles;
mod evidence;
mod forms;
mod limits;
mod outbound;
mod security;
mod server;
mod sign_in;
mod telemetry;
mod upkeep;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use app::{
    audit_head::AuditRules, evidence::EvidenceRules, quota::Quotas, sign_in_rules::SignInRules,
    timeline::feed::FeedSource,
};
use tracing_subscriber::filter::Targets;

use super::{ConfigError, Reader, SecretUrl};

pub use bundles::BundleSettings;
pub use evidence::{BucketConfig, SecretKey};
pub use limits::{KeySettings, LimitSettings};
pub use outbound::{OutboundSettings, SmtpSettings};
pub use security::{Secret, SecuritySettings};
pub use server::ServerSettings;
pub use telemetry::TelemetrySettings;
pub use upkeep::{BackupSettings, JobSettings, RetentionSettings, VaultSettings};

const LISTEN_REMEDY: &str = "write an IP address and a port, such as \"127.0.0.1:8080\" or \"[::]:8080\"";

/// All settings.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    /// A Postgres server; without it the embedded store in `data_dir`.
    pub database_url: Option<SecretUrl>,
    pub redis_url: Option<SecretUrl>,
    /// Origin for links, without a slash at the end.
    pub public_url: String,
    pub catalogue_dir: Option<PathBuf>,
    pub catalogue_layers: Option<PathBuf>,
    pub tls: Option<TlsFiles>,
    pub server: ServerSettings,
    /// Address of the operator's listener, if it is on.
    pub operator_listen: Option<SocketAddr>,
    pub database: DatabaseSettings,
    pub page_cache_bytes: usize,
    /// Whether the page of the design system exists.
    pub design_page: bool,
    pub limits: LimitSettings,
    pub keys: KeySettings,
    pub quotas: Quotas,
    /// How long sessions last, and what new institutions require.
    pub sign_in: SignInRules,
    /// The size limit of evidence files, their virus scanner, and where their bytes go.
    pub evidence: EvidenceRules,
    /// The bucket for files of evidence, if it is configured.
    pub bucket: Option<BucketConfig>,
    /// Who stamps audit bundles with the time.
    pub bundles: BundleSettings,
    pub log: LogSettings,
    pub telemetry: TelemetrySettings,
    pub outbound: OutboundSettings,
    pub smtp: Option<SmtpSettings>,
    /// The sources of the compliance timeline besides the catalogue.
    pub feeds: Vec<FeedSource>,
    pub jobs: JobSettings,
    /// The advisory database for the daily scan of this build, if configured.
    pub advisory_db: Option<PathBuf>,
    pub backup: BackupSettings,
    pub retention: RetentionSettings,
    pub vault: VaultSettings,
    pub security: SecuritySettings,
    /// Who gets the heads of the audit log.
    pub audit: AuditRules,
    /// Where weaknesses of this installation are reported.
    pub security_contact: Option<String>,
}

impl Settings {
    pub(in crate::config) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let listen: SocketAddr = reader.parsed("listen", LISTEN_REMEDY, |text| text.parse().ok())?;
        let data_dir =
            reader.parsed("data_dir", "write the path of a directory, such as \"./data\"", |text| {
                Some(PathBuf::from(text)).filter(|path| !path.as_os_str().is_empty())
            })?;
        let tls = TlsFiles::read(reader)?;
        let operator_listen =
            reader.parsed_if_set("operator.listen", LISTEN_REMEDY, |text| text.parse().ok())?;
        if operator_listen == Some(listen) && listen.port() != 0 {
            let remedy = "give the operator's listener a port of its own, or \"\" to switch it off";
            return Err(reader.bad("operator.listen", "is the same as listen", remedy));
        }
        Ok(Self {
            listen,
            public_url: public_url(reader, listen, tls.is_some())?,
            database_url: reader.secret_url(
                "database_url",
                "write postgres://user:password@host:5432/database, or \"\" for the embedded store",
                |text| forms::has_scheme_and_host(text, &["postgres", "postgresql"]),
            )?,
            redis_url: reader.secret_url(
                "redis_url",
                "write redis://:password@host:6379 (rediss:// for TLS), or \"\" for none",
                |text| forms::has_scheme_and_host(text, &["redis", "rediss"]),
            )?,
            catalogue_dir: reader.path("catalogue_dir")?,
            catalogue_layers: reader.path("catalogue_layers")?,
            tls,
            server: ServerSettings::read(reader)?,
            operator_listen,
            database: DatabaseSettings::read(reader)?,
            page_cache_bytes: reader.number("pages.cache_bytes", 0..=1 << 34)?,
            design_page: reader.boolean("pages.design")?,
            limits: LimitSettings::read(reader)?,
            keys: KeySettings::read(reader)?,
            quotas: limits::quotas(reader)?,
            sign_in: sign_in::rules(reader)?,
            evidence: evidence::rules(reader)?,
            bucket: evidence::bucket(reader)?,
            bundles: BundleSettings::read(reader)?,
            log: LogSettings::read(reader)?,
            telemetry: TelemetrySettings::read(reader)?,
            outbound: OutboundSettings::read(reader)?,
            smtp: SmtpSettings::read(reader)?,
            feeds: reader.list(
                "feeds.urls",
                "write https addresses or files, such as \"https://example.com/events.ics\" or \
                 \"file:///srv/feeds/eba.xml\", with category, framework and authority after a # if wanted",
                forms::feed,
            )?,
            jobs: JobSettings::read(reader)?,
            advisory_db: reader.path("scan.advisory_db")?,
            backup: BackupSettings::read(reader, &data_dir)?,
            retention: RetentionSettings::read(reader)?,
            vault: VaultSettings::read(reader, &data_dir)?,
            security: SecuritySettings::read(reader)?,
            audit: outbound::audit(reader)?,
            security_contact: reader.parsed_if_set(
                "security.contact",
                "write mailto:security@example.com or an https address",
                |text| contact(text).then(|| text.to_owned()),
            )?,
            data_dir,
        })
    }
}

/// One line, in a form that the standard of security.txt allows.
fn contact(text: &str) -> bool {
    let known = ["mailto:", "https://", "tel:"].iter().any(|scheme| text.starts_with(scheme));
    known && !text.contains(char::is_whitespace) && !text.contains(char::is_control)
}

fn public_url(reader: &Reader<'_>, listen: SocketAddr, tls: bool) -> Result<String, ConfigError> {
    let remedy = "write scheme and host without a path, such as \"https://tidewall.example.com\"";
    let given = reader.parsed_if_set("public_url", remedy, forms::origin)?;
    Ok(given.unwrap_or_else(|| format!("{}://{listen}", if tls { "https" } else { "http" })))
}

/// A certificate chain and its private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    pub cert_file: PathBuf,
    pub key_file: PathBuf,
}

impl TlsFiles {
    fn read(reader: &Reader<'_>) -> Result<Option<Self>, ConfigError> {
        let remedy = "set both tls.cert_file and tls.key_file, or neither";
        match (reader.path("tls.cert_file")?, reader.path("tls.key_file")?) {
            (Some(cert_file), Some(key_file)) => Ok(Some(Self { cert_file, key_file })),
            (None, None) => Ok(None),
            (None, Some(_)) => {
                Err(reader.bad("tls.cert_file", "is not set although tls.key_file is", remedy))
            }
            (Some(_), None) => {
                Err(reader.bad("tls.key_file", "is not set although tls.cert_file is", remedy))
            }
        }
    }
}

/// The longest time a statement may reasonably take.
const HOUR: Duration = Duration::from_hours(1);

/// The connections to the store.
#[derive(Clone, Debug)]
pub struct DatabaseSettings {
    /// Embedded store: connections for reading.
    pub readers: usize,
    /// Postgres: size of the pool.
    pub connections: usize,
    /// Postgres: the role that owns the tables, if it is another one.
    pub migrator_url: Option<SecretUrl>,
    /// Postgres: whether a role that row-level security does not apply to is accepted.
    pub accept_superuser: bool,
    /// Statements that take longer are logged and counted, if there is a limit.
    pub slow_statement: Option<Duration>,
}

impl DatabaseSettings {
    fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            readers: reader.number("database.readers", 1..=64)?,
            connections: reader.number("database.connections", 2..=500)?,
            migrator_url: reader.secret_url(
                "database.migrator_url",
                "write postgres://owner:password@host:5432/database, the same database as in database_url",
                |text| forms::has_scheme_and_host(text, &["postgres", "postgresql"]),
            )?,
            accept_superuser: reader.boolean("database.accept_superuser")?,
            slow_statement: Some(reader.duration("database.slow_statement", Duration::ZERO..=HOUR)?)
                .filter(|limit| !limit.is_zero()),
        })
    }
}

/// Format and level of the log.
#[derive(Clone, Debug)]
pub struct LogSettings {
    pub format: LogFormat,
    /// Filter directives, known to be valid.
    pub level: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    Auto,
    Text,
    Json,
}

impl LogSettings {
    fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let format = |text: &str| match text {
            "auto" => Some(LogFormat::Auto),
            "text" => Some(LogFormat::Text),
            "json" => Some(LogFormat::Json),
            _ => None,
        };
        let level_remedy = "write error, warn, info or debug, or finer such as \"info,tidewall_store=debug\"";
        Ok(Self {
            format: reader.parsed("log.format", "write \"auto\", \"text\" or \"json\"", format)?,
            level: reader.parsed("log.level", level_remedy, |text| {
                text.parse::<Targets>().ok().filter(|_| !text.is_empty()).map(|_| text.to_owned())
            })?,
        })
    }
}
