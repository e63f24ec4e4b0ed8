//! Use cases: authorise, read, decide, then write with audit entry and event in one transaction.
//!
//! The API and the workspace call [`App`] and translate; they contain no rules. Nothing in here knows of HTTP or SQL.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")
)]

mod access;
pub mod approval;
pub mod bundle;
mod cache;
mod compliance;
mod error;
pub mod jobs;
mod messages;
mod operations;
mod people;
pub mod period_report;
mod platform;
pub mod records;
mod reference;
pub mod report;
mod resilience;
pub mod seed;
mod subjects;
mod third_parties;
pub mod work;

pub use self::access::*;
pub use self::cache::*;
pub use self::compliance::*;
pub use self::jobs::heal;
pub use self::messages::*;
pub use self::operations::*;
pub use self::people::*;
pub use self::platform::*;
pub use self::records::{archive, comment, custom_field, history, record_change, sample, tag, task, view};
pub(crate) use self::records::{author, change_log};
pub use self::reference::*;
pub use self::resilience::*;
pub use self::subjects::{
    Access, Approvals, Bundles, Compliance, Messages, Operations, People, PeriodReports, Records, Reference,
    Reports, Resilience, Subjects, ThirdParties, Work,
};
pub use self::third_parties::*;
pub use self::work::{alert, calendar, dashboard};

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
    time::Instant,
};

use domain::id::{ReviewId, TenantId, UserId, WebhookId};
use outbound::{allowlist::Allowlist, bucket::Bucket};
use store::{Db, shared_count::SharedCount};

pub use store::Revision;

pub use self::error::{Error, Result};
use self::{
    api_key::KeyRules,
    audit_head::AuditRules,
    authz::Keys,
    catalogue::{Library, OwnEditions},
    clock::Clock,
    evidence::EvidenceRules,
    exports::Exports,
    heal::Healer,
    health::{Health, Surroundings},
    identity_provider::Providers,
    ids::IdSource,
    jobs::{Job, delivery::DeliveryMetrics},
    limits::{Counters, LimitRules, Limits},
    pages::Pages,
    password::Passwords,
    quota::Quotas,
    record_cache::RecordCache,
    scan::Glances,
    scratch::Scratch,
    security::Security,
    senders::Senders,
    sign_in_rules::SignInRules,
    sign_in_throttle::SignInThrottle,
    timeline::{Timelines, feed::Feeds},
    traffic::Traffic,
    upload::Admission,
    vault::Vault,
};

/// The application. Cheap to clone.
///
/// Its own methods are the jobs, which run everything.
#[derive(Debug, Clone)]
pub struct App(Arc<Subjects>);

/// What every use case stands on. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Core(Arc<Parts>);

/// The parts of the core.
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
    pub sign_in_rules: SignInRules,
    pub(crate) evidence: EvidenceRules,
    /// The bucket with files of evidence, if there is one.
    pub(crate) bucket: Option<Bucket>,
    pub limits: Limits,
    pub(crate) audit: AuditRules,
    pub senders: Senders,
    /// The counters of delivery.
    pub deliveries: DeliveryMetrics,
    /// How many test messages each webhook has sent.
    tests: Counters<WebhookId>,
    /// How many mails each tenant has sent, and apart from them those about the safety of accounts.
    pub(crate) mails: Counters<TenantId>,
    pub(crate) security_mails: Counters<TenantId>,
    /// How often answers to questionnaires were submitted through their links.
    pub(crate) submissions: Counters<ReviewId>,
    /// How often the calendars of people were read.
    pub(crate) calendars: Counters<UserId>,
    pub pages: Pages,
    pub(crate) record_cache: RecordCache,
    library: Library,
    /// What institutions add to the catalogue for themselves.
    pub(crate) own_editions: OwnEditions,
    timelines: Timelines,
    scans: Glances,
    pub passwords: Passwords,
    pub sign_in_throttle: SignInThrottle,
    pub security: Security,
    pub(crate) providers: Providers,
    pub(crate) admission: Admission,
    /// Where temporary files go.
    pub(crate) scratch: Scratch,
    /// The scheduled jobs.
    pub jobs: Vec<Job>,
    /// Counters of requests.
    pub traffic: Traffic,
    /// What was sent to a collector, if there is one.
    pub exports: OnceLock<Arc<Exports>>,
    pub(crate) health: Health,
    pub(crate) healer: Healer,
    /// Identifies this incarnation of the store in every validator.
    epoch: String,
}

/// The settings from which the binary builds the application.
#[derive(Debug)]
pub struct Setup {
    pub db: Db,
    pub clock: Clock,
    pub vault: Vault,
    pub allowlist: Allowlist,
    pub limits: LimitRules,
    /// Who gets the heads of the audit log.
    pub audit: AuditRules,
    /// How long API keys work.
    pub key_rules: KeyRules,
    /// The quotas of an institution.
    pub quotas: Quotas,
    /// How long sessions last, and what new institutions require.
    pub sign_in_rules: SignInRules,
    pub passwords: Passwords,
    /// The size limit of evidence files, and their virus scanner.
    pub evidence: EvidenceRules,
    /// The bucket with files of evidence, if there is one.
    pub bucket: Option<Bucket>,
    /// Counts requests together with other nodes.
    pub shared_count: Option<SharedCount>,
    pub senders: Senders,
    /// The maximum size of the cache of serialised pages.
    pub page_bytes: u64,
    /// The maximum size of the cache of serialised records, from which pages are composed.
    pub record_bytes: u64,
    pub library: Library,
    /// The sources of the compliance timeline besides the catalogue.
    pub feeds: Feeds,
    pub jobs: Vec<Job>,
    /// The environment of the service.
    pub around: Surroundings,
}

impl App {
    pub async fn new(setup: Setup) -> Result<Self> {
        let epoch = setup.db.platform().read(store::tenant::epoch).await?;
        follow_store(&setup.db, &setup.clock).await?;
        if !setup.vault.is_made_up() {
            setup.db.use_audit_keys(setup.vault.audit_keys(&[]));
        }
        let scratch = Scratch::below(&setup.around.data_dir);
        let health = Health::new(setup.around, setup.clock.now());
        let core = Core(Arc::new(Parts {
            db: setup.db,
            clock: setup.clock,
            ids: IdSource::default(),
            vault: setup.vault,
            allowlist: setup.allowlist,
            keys: Keys::default(),
            key_rules: setup.key_rules,
            quotas: setup.quotas,
            sign_in_rules: setup.sign_in_rules,
            evidence: setup.evidence,
            bucket: setup.bucket,
            limits: Limits::new(setup.limits, setup.shared_count),
            audit: setup.audit,
            senders: setup.senders,
            deliveries: DeliveryMetrics::default(),
            tests: Counters::default(),
            mails: Counters::default(),
            security_mails: Counters::default(),
            submissions: Counters::default(),
            calendars: Counters::default(),
            pages: Pages::new(setup.page_bytes),
            record_cache: RecordCache::new(setup.record_bytes),
            library: setup.library,
            own_editions: OwnEditions::default(),
            timelines: Timelines::new(setup.feeds),
            scans: Glances::default(),
            passwords: setup.passwords,
            sign_in_throttle: SignInThrottle::default(),
            security: Security::default(),
            providers: Providers::default(),
            admission: Admission::default(),
            scratch,
            jobs: setup.jobs,
            traffic: Traffic::default(),
            exports: OnceLock::new(),
            health,
            healer: Healer::default(),
            epoch,
        }));
        Ok(Self(Arc::new(Subjects::new(core))))
    }
}

impl Core {
    /// Sets this node's clock to the store's, where several nodes share one.
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
    type Target = Subjects;

    fn deref(&self) -> &Subjects {
        &self.0
    }
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
