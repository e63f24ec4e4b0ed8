//! Use cases: authorise, read, decide, then write with audit entry and event in one transaction.
//!
//! Surfaces call [`App`] and translate; they hold no rule. Nothing in here knows of HTTP or SQL.

pub mod alert;
pub mod analysis;
pub mod api_key;
pub mod archive;
pub mod arrangement;
pub mod audit;
pub mod audit_search;
mod author;
pub mod authz;
pub mod backup;
pub mod catalogue;
mod change_log;
pub mod clock;
pub mod code_check;
pub mod coverage;
pub mod cra_report;
pub mod dashboard;
pub mod delivery;
pub mod due_days;
mod error;
pub mod exchange_rate;
pub mod finding;
pub mod heal;
pub mod health;
pub mod history;
pub mod idempotency;
pub mod ids;
pub mod incident;
mod integrity;
pub mod jobs;
mod key_notice;
pub mod lead_time;
mod letter;
pub mod limits;
pub mod link_mail;
pub mod mail;
pub mod measure;
mod notice;
pub mod one_time_link;
pub mod open_work;
pub mod outside;
pub mod pages;
pub mod password;
pub mod performance;
mod pieces;
pub mod programme;
pub mod proof;
pub mod quota;
pub mod record_change;
pub mod records;
pub mod refused_sign_in;
pub mod register;
pub mod report;
pub mod scan;
pub mod score;
pub mod score_day;
pub mod search;
pub mod second_factor;
pub mod security;
pub mod session;
pub mod slots;
pub mod slowdown;
pub mod stage;
pub mod tenant;
pub mod test_case;
pub mod threshold;
pub mod timeline;
pub mod token;
pub mod traffic;
pub mod upload;
pub mod user;
pub mod vault;
pub mod vault_key;
pub mod webhook;
mod words;

use std::{ops::Deref, sync::Arc, time::Instant};

use domain::id::{TenantId, WebhookId};
use outbound::allowlist::Allowlist;
use store::{Db, shared_count::SharedCount};

pub use store::Revision;

pub use self::error::{Error, Result};
use self::{
    api_key::KeyRules,
    authz::Keys,
    catalogue::Library,
    clock::Clock,
    heal::Healer,
    health::{Health, Surroundings},
    ids::IdSource,
    jobs::{Job, delivery::DeliveryMetrics},
    limits::{Counters, LimitRules, Limits},
    outside::Outside,
    pages::Pages,
    password::Passwords,
    pieces::Pieces,
    quota::Quotas,
    scan::Glances,
    security::Security,
    slowdown::Slowdown,
    timeline::{Timelines, feed::Feeds},
    traffic::Traffic,
    upload::Admission,
    vault::Vault,
};

/// The application. Cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

/// What the application is made of.
#[derive(Debug)]
pub struct Parts {
    pub db: Db,
    pub clock: Clock,
    pub ids: IdSource,
    pub vault: Vault,
    pub allowlist: Allowlist,
    pub keys: Keys,
    pub(crate) key_rules: KeyRules,
    pub(crate) quotas: Quotas,
    pub limits: Limits,
    pub outside: Outside,
    /// What delivery has done.
    pub deliveries: DeliveryMetrics,
    /// How often webhooks were tried by hand.
    tests: Counters<WebhookId>,
    /// How many mails the webhooks of each tenant have sent.
    pub(crate) mails: Counters<TenantId>,
    pub pages: Pages,
    pub(crate) pieces: Pieces,
    library: Library,
    timelines: Timelines,
    scans: Glances,
    pub passwords: Passwords,
    pub slowdown: Slowdown,
    pub security: Security,
    pub(crate) admission: Admission,
    /// What the service does by the clock.
    pub jobs: Vec<Job>,
    /// What was answered.
    pub traffic: Traffic,
    pub(crate) health: Health,
    pub(crate) healer: Healer,
    /// Identifies this life of the store in every validator given out.
    epoch: String,
}

/// What the binary hands over to build the application.
#[derive(Debug)]
pub struct Setup {
    pub db: Db,
    pub clock: Clock,
    pub vault: Vault,
    pub allowlist: Allowlist,
    pub limits: LimitRules,
    /// How long API keys work.
    pub key_rules: KeyRules,
    /// How much an institution may have.
    pub quotas: Quotas,
    /// Counts requests together with other nodes.
    pub shared_count: Option<SharedCount>,
    pub outside: Outside,
    /// How many bytes of serialised pages are kept at most.
    pub page_bytes: u64,
    /// The same of single records, of which pages are put together.
    pub record_bytes: u64,
    pub library: Library,
    /// What the compliance timeline reads besides the catalogue.
    pub feeds: Feeds,
    pub jobs: Vec<Job>,
    /// The place the service runs in.
    pub around: Surroundings,
}

impl App {
    pub async fn new(setup: Setup) -> Result<Self> {
        let epoch = setup.db.platform().read(store::tenant::epoch).await?;
        follow_store(&setup.db, &setup.clock).await?;
        let health = Health::new(setup.around, setup.clock.now());
        Ok(Self(Arc::new(Parts {
            db: setup.db,
            clock: setup.clock,
            ids: IdSource::default(),
            vault: setup.vault,
            allowlist: setup.allowlist,
            keys: Keys::default(),
            key_rules: setup.key_rules,
            quotas: setup.quotas,
            limits: Limits::new(setup.limits, setup.shared_count),
            outside: setup.outside,
            deliveries: DeliveryMetrics::default(),
            tests: Counters::default(),
            mails: Counters::default(),
            pages: Pages::new(setup.page_bytes),
            pieces: Pieces::new(setup.record_bytes),
            library: setup.library,
            timelines: Timelines::new(setup.feeds),
            scans: Glances::default(),
            passwords: Passwords::default(),
            slowdown: Slowdown::default(),
            security: Security::default(),
            admission: Admission::default(),
            jobs: setup.jobs,
            traffic: Traffic::default(),
            health,
            healer: Healer::default(),
            epoch,
        })))
    }
}

impl App {
    /// Sets this node's time by the store's, where several nodes share one.
    pub(crate) async fn follow_store_time(&self) -> Result<()> {
        follow_store(&self.db, &self.clock).await
    }
}

async fn follow_store(db: &Db, clock: &Clock) -> Result<()> {
    if db.is_shared() {
        let asked = Instant::now();
        let now = db.platform().read(store::time::now).await?;
        clock.follow(now, asked.elapsed());
    }
    Ok(())
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
