//! Puts the application together from the settings: the store, the key file, the allowlist, the limits.
//!
//! Every verb that touches the store goes through here, so they all see the same application the service does.

use std::{fs, io, path::PathBuf, time::Duration};

use app::{
    App, Setup,
    catalogue::Library,
    clock::Clock,
    jobs::delivery::DeliveryOptions,
    limits::LimitRules,
    outside::Outside,
    timeline::feed::{FeedSource, Feeds},
    vault::{Vault, VaultError},
};
use domain::rate::Rules;
use outbound::{
    allowlist::{Allowlist, AllowlistError, AllowlistSettings},
    connector::{Connector, ConnectorError},
    feed::FeedClient,
    http::HttpSender,
    mail::{MailSender, MailSettings, MailSettingsError},
    trust::Trust,
};
use store::{
    Db,
    sql::{Location, migrate, off_runtime},
};

use crate::config::Settings;

#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    #[error("data_dir: {path} cannot be made ({error}); choose a directory this user may write to")]
    DataDir { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Allowlist(#[from] AllowlistError),
    #[error(transparent)]
    Connector(#[from] ConnectorError),
    #[error(transparent)]
    Mail(#[from] MailSettingsError),
    #[error(transparent)]
    App(#[from] app::Error),
}

/// The database file inside the data directory.
const FILE: &str = "tidewall.db";
/// The key that seals stored secrets. Part of every backup plan: without it webhook URLs cannot be read.
const KEY_FILE: &str = "secret.key";

/// Where the settings put the store.
pub fn location(settings: &Settings) -> Location {
    match &settings.database_url {
        Some(url) => {
            Location::Server { url: url.expose().to_owned(), connections: settings.database.connections }
        }
        None => Location::File { path: settings.data_dir.join(FILE), readers: settings.database.readers },
    }
}

/// Makes the data directory if it is not there, readable by this user only.
pub fn prepare_data_dir(settings: &Settings) -> Result<(), ComposeError> {
    let path = &settings.data_dir;
    let trouble = |error| ComposeError::DataDir { path: path.clone(), error };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(trouble)
}

/// Brings the schema up to date.
pub async fn migrate(settings: &Settings, clock: &Clock) -> Result<migrate::Migrated, ComposeError> {
    prepare_data_dir(settings)?;
    let (location, now) = (location(settings), clock.now());
    Ok(off_runtime(move || migrate::up(&location, now)).await?)
}

/// The application over a store that is up to date.
pub async fn application(settings: &Settings, clock: Clock) -> Result<App, ComposeError> {
    prepare_data_dir(settings)?;
    let allowlist = Allowlist::new(AllowlistSettings {
        dev_destinations: settings.outbound.dev_destinations.clone(),
        extra_hosts: settings.outbound.extra_hosts.clone(),
        email_domains: settings.outbound.email_domains.clone(),
    })?;
    let setup = Setup {
        db: Db::open(&location(settings)).await?,
        clock,
        vault: Vault::from_file(&settings.data_dir.join(KEY_FILE))?,
        outside: outside(settings, &allowlist)?,
        allowlist,
        limits: limits(settings),
        page_bytes: settings.page_cache_bytes as u64,
        library: Library::new(settings.catalogue_dir.clone()),
        feeds: feeds(settings)?,
    };
    Ok(App::new(setup).await?)
}

/// The ways out: one client for all chat messages, a few connections for all mail.
fn outside(settings: &Settings, allowlist: &Allowlist) -> Result<Outside, ComposeError> {
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
    Ok(Outside {
        http: HttpSender::new(allowlist.clone(), connector)?,
        mail: mail.transpose()?,
        public_url: settings.public_url.clone(),
    })
}

/// How deliveries are made: a worker counts as dead only after every timeout has passed.
pub fn delivery_options(settings: &Settings) -> DeliveryOptions {
    let slowest = settings.smtp.as_ref().map_or(Duration::ZERO, |smtp| smtp.timeout);
    let default = DeliveryOptions::default();
    DeliveryOptions { lease: default.lease.max(slowest + Duration::from_secs(30)), ..default }
}

/// The certificate authorities of the machine are only read when a feed is fetched from elsewhere.
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

fn limits(settings: &Settings) -> LimitRules {
    let failures = settings.limits.auth_failures_per_minute;
    LimitRules {
        v1: settings.limits.v1,
        v2: settings.limits.v2,
        failures: Rules { standard: failures, burst: failures, ..Rules::V2 },
    }
}
