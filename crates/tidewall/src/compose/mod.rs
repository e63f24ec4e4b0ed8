//! Builds the application from the settings: the store, the key file, the allowlist, the limits.
//!
//! Every command that uses the store calls this module, so they all have the same application as the service.

mod store;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ::store::{
    Db,
    shared_count::{CountError, SharedCount},
    sql::off_runtime,
};
use app::{
    App, Setup,
    api_key::KeyRules,
    audit_key::Beginner,
    catalogue::Library,
    clock::Clock,
    health::Surroundings,
    jobs::{Job, JobOptions, delivery::DeliveryOptions, standard},
    limits::LimitRules,
    password::Passwords,
    security::{forward::Forwarding, spool::Spool},
    senders::Senders,
    timeline::feed::{FeedSource, Feeds},
    vault::{Vault, VaultError},
    vault_key,
};
use domain::{cron::BadCron, rate::Rules};
use outbound::{
    allowlist::{Allowlist, AllowlistError, AllowlistSettings},
    collector::{Collector, HttpsCollector, SyslogCollector},
    connector::{Connector, ConnectorError},
    feed::FeedClient,
    http::HttpSender,
    identity::IdentityClient,
    mail::{MailSender, MailSettings, MailSettingsError},
    time_stamp::TimeStampAuthority,
    trust::Trust,
};
use url::Url;

use self::store::migrate_blocking;
pub use self::store::{
    check_role, grant, location, migrate, owner_location, place, prepare_data_dir, private_directory,
    require_store,
};
use crate::{
    backup, bucket,
    config::{Secret, Settings},
};

#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    #[error("data_dir: {path} cannot be made ({error}); choose a directory this user may write to")]
    DataDir { path: PathBuf, error: io::Error },
    #[error(
        "there is no store in {}: name it with --data-dir, or make one with `tidewall tenant create`",
        .0.display()
    )]
    NoStore(PathBuf),
    #[error(
        "there is no store in the database of database_url: name another one, or make it with `tidewall tenant create`"
    )]
    EmptyDatabase,
    #[error(transparent)]
    Store(#[from] ::store::Error),
    #[error(
        "database_url: row-level security, the second wall between tenants, does not hold for this role: use one that is no \
         superuser and has no BYPASSRLS, or set database.accept_superuser = true"
    )]
    Superuser,
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Allowlist(#[from] AllowlistError),
    #[error(transparent)]
    Connector(#[from] ConnectorError),
    #[error(transparent)]
    Mail(#[from] MailSettingsError),
    #[error("the schedule of a job {0}")]
    Schedule(#[from] BadCron),
    #[error(transparent)]
    Count(#[from] CountError),
    #[error(
        "evidence.s3.secret_key_file: {path} cannot be used ({error}); name a file with the secret key that this user may \
         read"
    )]
    SecretKey { path: PathBuf, error: io::Error },
    #[error(transparent)]
    App(#[from] app::Error),
}

/// The application for a command that only reads an existing store: it migrates the schema, and creates neither a
/// directory nor a key file.
pub async fn reading(settings: &Settings, clock: Clock) -> Result<App, ComposeError> {
    require_store(settings).await?;
    let (given, now) = (settings.clone(), clock.now());
    off_runtime(move || migrate_blocking(&given, now)).await?;
    assembled(settings, clock, surroundings(settings), KeyNeed::IfThere).await
}

/// The application over a store that is up to date.
pub async fn application_in(
    settings: &Settings,
    clock: Clock,
    around: Surroundings,
    beginner: Beginner,
) -> Result<App, ComposeError> {
    prepare_data_dir(settings)?;
    let app = assembled(settings, clock, around, KeyNeed::Made).await?;
    app.operations.key_audit_chains(beginner).await?;
    Ok(app)
}

/// What happens if there is no vault key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyNeed {
    /// The work opens and seals nothing, so no key is created.
    IfThere,
    /// A new store gets a new key.
    Made,
}

/// The name of the vault key among the credentials that systemd provides (`LoadCredential=`).
const CREDENTIAL: &str = "tidewall-vault-key";

/// The vault key from the settings, from systemd, or from the key file, in this order.
fn given_vault(settings: &Settings) -> Result<Option<Vault>, VaultError> {
    if let Some(key) = &settings.vault.key {
        return Vault::from_text(key.expose(), "vault.key").map(Some);
    }
    let credential = env::var_os("CREDENTIALS_DIRECTORY").map(|place| Path::new(&place).join(CREDENTIAL));
    credential.filter(|path| path.exists()).map(|path| Vault::given(&path)).transpose()
}

/// The vault key at hand, if there is one, for what only looks.
pub fn vault_at_hand(settings: &Settings) -> Option<Vault> {
    match given_vault(settings) {
        Ok(None) => Vault::existing(&settings.vault.key_file).ok().flatten(),
        given => given.ok().flatten(),
    }
}

/// The vault, if its key is the one the store is sealed with. Only a store that has no secrets yet gets a new key.
async fn vault(settings: &Settings, db: &Db, need: KeyNeed) -> Result<Vault, VaultError> {
    let path = &settings.vault.key_file;
    let held = match given_vault(settings)? {
        Some(vault) => Some(vault),
        None => Vault::existing(path)?,
    };
    let vault = match (held, need) {
        (Some(vault), _) => vault,
        (None, KeyNeed::IfThere) => Vault::made_up(),
        (None, KeyNeed::Made) => match vault_key::wanted_key(db).await? {
            Some(wanted) => return Err(VaultError::Missing { wanted, path: path.display().to_string() }),
            None => Vault::create(path)?,
        },
    };
    vault_key::agreed(db, vault).await
}

async fn assembled(
    settings: &Settings,
    clock: Clock,
    around: Surroundings,
    need: KeyNeed,
) -> Result<App, ComposeError> {
    let allowlist = Allowlist::new(AllowlistSettings {
        dev_destinations: settings.outbound.dev_destinations.clone(),
        extra_hosts: settings.outbound.extra_hosts.clone(),
        email_domains: settings.outbound.email_domains.clone(),
        event_hook_hosts: settings.outbound.event_hook_hosts.clone(),
    })?;
    let db = Db::open(&location(settings)).await?;
    db.watch_slow(settings.database.slow_statement);
    let vault = vault(settings, &db, need).await?;
    let setup = Setup {
        db,
        clock,
        vault,
        senders: senders(settings, &allowlist)?,
        allowlist,
        limits: limits(settings),
        audit: settings.audit.clone(),
        key_rules: key_rules(settings),
        quotas: settings.quotas,
        sign_in_rules: settings.sign_in,
        passwords: Passwords::default(),
        evidence: settings.evidence.clone(),
        bucket: bucket::open(settings)?,
        shared_count: shared_count(settings)?,
        page_bytes: settings.page_cache_bytes as u64,
        record_bytes: settings.page_cache_bytes as u64 / 4,
        library: Library::new(settings.catalogue_dir.clone(), settings.catalogue_layers.clone()),
        feeds: feeds(settings)?,
        jobs: jobs(settings)?,
        around,
    };
    Ok(App::new(setup).await?)
}

/// The senders: one client for all chat messages, a few connections for all mail.
fn senders(settings: &Settings, allowlist: &Allowlist) -> Result<Senders, ComposeError> {
    let trust = Trust::system();
    let mail = settings.smtp.as_ref().map(|smtp| {
        let mail = MailSettings {
            url: smtp.url.expose().to_owned(),
            from: smtp.from.clone(),
            allow_plain: smtp.allow_plain,
            timeout: smtp.timeout,
        };
        MailSender::new(&mail, &trust, allowlist.clone())
    });
    let connector = Connector::new(trust.clone(), allowlist.dev_destinations());
    let identity = Connector::new(trust.clone(), allowlist.dev_destinations());
    Ok(Senders {
        identity: IdentityClient::new(identity, settings.outbound.identity_providers.clone())?,
        http: HttpSender::new(allowlist.clone(), connector)?,
        mail: mail.transpose()?,
        stamps: stamps(settings)?,
        public_url: settings.public_url.clone(),
    })
}

/// The authority that stamps audit bundles, if the settings name one.
pub(crate) fn stamps(settings: &Settings) -> Result<Option<TimeStampAuthority>, ConnectorError> {
    let Some(url) = settings.bundles.authority.clone() else { return Ok(None) };
    let authorization = settings.bundles.authorization.as_ref().map(Secret::expose);
    // Certificate authorities are only loaded for an address with TLS.
    let trust = if url.scheme() == "https" { Trust::system() } else { Trust::default() };
    TimeStampAuthority::new(url, authorization, trust).map(Some)
}

/// The folder of waiting security events.
const SPOOL: &str = "security-events";

/// Starts to forward security events, if the settings name a receiver.
pub fn forwarding(app: &App, settings: &Settings) -> Result<Option<Forwarding>, ComposeError> {
    let security = &settings.security;
    if !security.forwards() {
        return Ok(None);
    }
    let (folder, trust) = (settings.data_dir.join(SPOOL), Trust::system());
    let unusable = |error| ComposeError::DataDir { path: folder.clone(), error };
    private_directory(&folder).map_err(unusable)?;
    let mut receivers = Vec::new();
    if let Some((host, port)) = &security.syslog {
        receivers.push(Collector::Syslog(SyslogCollector::new(host, *port, &machine(), &trust)?));
    }
    // The settings have validated the address.
    if let Some(Ok(url)) = security.https.as_ref().map(|url| Url::parse(url.expose())) {
        let authorization = security.authorization.as_ref().map(Secret::expose);
        receivers.push(Collector::Https(HttpsCollector::new(url, authorization, trust)?));
    }
    let spool = Spool::open(&folder, security.spool_bytes).map_err(unusable)?;
    app.security.spool_to(Arc::clone(&spool));
    Forwarding::start(&spool, receivers).map(Some).map_err(unusable)
}

/// The host name of this machine, if it is known.
pub(crate) fn machine() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").map(|name| name.trim().to_owned()).unwrap_or_default()
}

/// The options of delivery: a worker counts as dead only after every timeout has passed.
pub fn delivery_options(settings: &Settings) -> DeliveryOptions {
    let slowest = settings.smtp.as_ref().map_or(Duration::ZERO, |smtp| smtp.timeout);
    let default = DeliveryOptions::default();
    DeliveryOptions { lease: default.lease.max(slowest + Duration::from_secs(30)), ..default }
}

/// The environment for the health checks.
pub fn surroundings(settings: &Settings) -> Surroundings {
    Surroundings {
        backup_dir: settings.backup.directory.clone(),
        minutes_kept: settings.retention.health_minutes,
        hours_kept: settings.retention.health_hours,
        ..Surroundings::in_folder(settings.data_dir.clone())
    }
}

/// All scheduled jobs: those of the application, and those of the binary.
fn jobs(settings: &Settings) -> Result<Vec<Job>, ComposeError> {
    let options =
        JobOptions { zone: settings.jobs.time_zone.clone(), deliveries_kept: settings.retention.deliveries };
    let mut jobs = standard(&options)?;
    jobs.extend(backup_job(settings)?);
    jobs.extend(scan_job(settings)?);
    Ok(jobs)
}

/// The certificate authorities of the machine are only loaded if a feed is fetched over the network.
fn feeds(settings: &Settings) -> Result<Feeds, ComposeError> {
    let sources = settings.feeds.clone();
    let client = if sources.iter().any(FeedSource::is_web) {
        let connector = Connector::new(Trust::system(), &settings.outbound.dev_destinations);
        Some(FeedClient::new(connector)?)
    } else {
        None
    };
    Ok(Feeds { sources, client })
}

/// The scan of this build's dependencies, if the settings name an advisory database.
fn scan_job(settings: &Settings) -> Result<Option<Job>, BadCron> {
    let Some(database) = settings.advisory_db.clone() else { return Ok(None) };
    let about = "Holds the dependencies of this build against the advisories";
    let job = Job::new("vulnerability-scan", about, "50 3 * * *", move |app| {
        let database = database.clone();
        async move { app.operations.scan_daily(database).await.map(|()| String::new()) }
    })?;
    Ok(Some(job.in_zone(settings.jobs.time_zone.clone())))
}

/// Scheduled backups, if the settings ask for them.
fn backup_job(settings: &Settings) -> Result<Option<Job>, BadCron> {
    let Some(schedule) = &settings.backup.schedule else { return Ok(None) };
    let given = Arc::new(settings.clone());
    let about = "Takes a backup, reads it back, and removes the oldest beyond those to keep";
    let job = Job::new("backup", about, schedule.as_str(), move |app| {
        let settings = Arc::clone(&given);
        async move {
            let done = backup::scheduled(&settings, app.clock.now()).await.map_err(app::Error::internal)?;
            app.operations.announce_backup(&done.heads()).await?;
            let summary = format!(
                "{} bytes; {} kept, {} removed",
                done.report.bytes,
                done.kept.kept,
                done.kept.removed.len()
            );
            let elsewhere = backup::in_bucket(&done.report.contents).map(|said| format!("{summary}; {said}"));
            Ok(elsewhere.unwrap_or(summary))
        }
    })?;
    // A large store takes hours, and the next run is a day away.
    Ok(Some(job.within(Duration::from_hours(6)).in_zone(settings.jobs.time_zone.clone())))
}

fn shared_count(settings: &Settings) -> Result<Option<SharedCount>, CountError> {
    settings.redis_url.as_ref().map(|url| SharedCount::new(url.expose())).transpose()
}

fn key_rules(settings: &Settings) -> KeyRules {
    let life = settings.keys.default_life;
    KeyRules { default_life_ms: life.map(|life| i64::try_from(life.as_millis()).unwrap_or(i64::MAX)) }
}

fn limits(settings: &Settings) -> LimitRules {
    let plain = |most: u32| Rules { standard: most, burst: most, ..Rules::V2 };
    LimitRules {
        v1: settings.limits.v1,
        v2: settings.limits.v2,
        failures: plain(settings.limits.auth_failures_per_minute),
        sessions: settings.limits.session_per_minute.map(plain),
    }
}
