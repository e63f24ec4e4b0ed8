//! Shared by the tests: a real store on either engine, an application with a manual clock, clients by role, and
//! responses with assertions. Tests only.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod authenticator;
mod catalogue;
mod chat_sink;
mod client;
mod identity_key;
mod identity_server;
mod intruder;
mod mailbox;
mod object_server;
mod odd_text;
mod scratch;
mod stamp_server;
mod until;

use std::{path::PathBuf, time::Duration};

use app::{
    App, Setup,
    api_key::{KeyRequest, KeyRules, NewKey},
    audit_head::AuditRules,
    audit_key::Beginner,
    authz::Caller,
    catalogue::Library,
    clock::Clock,
    evidence::EvidenceRules,
    health::Surroundings,
    jobs::{Job, JobOptions, standard},
    limits::LimitRules,
    password::Passwords,
    quota::Quotas,
    senders::Senders,
    sign_in_rules::SignInRules,
    timeline::feed::{FeedSource, Feeds},
    vault::Vault,
    vault_key,
};
use axum::Router;
use domain::{
    key_policy::KeyPolicy, moment::Moment, permission::Permissions, rate::Rules, tenant::Slug, text::Name,
    user::SecondFactorPolicy,
};
use outbound::{
    allowlist::{Allowlist, AllowlistSettings},
    bucket::{Bucket, BucketSettings},
    connector::{Connector, Timeouts},
    feed::FeedClient,
    http::HttpSender,
    identity::IdentityClient,
    mail::{MailSender, MailSettings},
    time_stamp::TimeStampAuthority,
    trust::Trust,
};
use store::{Db, shared_count::SharedCount};

pub use self::{
    authenticator::{Asserted, Authenticator, Created, PasskeyClaims},
    catalogue::copy_of_catalogue,
    chat_sink::{ChatSink, Message, Reply},
    client::{Answer, Client},
    identity_key::IdentityKey,
    identity_server::{Alter, Behaviour, CLIENT_ID, CLIENT_SECRET, IdentityServer, Signing},
    intruder::Intruder,
    mailbox::{Mailbox, header},
    object_server::{ObjectFault, ObjectServer},
    odd_text::{odd_texts, percent_encoded},
    scratch::{Engine, Scratch},
    stamp_server::{StampFault, StampServer},
    until::until,
};

/// A fixed afternoon: 2026-11-14T14:00:00Z.
pub const START: i64 = 1_794_664_800_000;

/// The application over a fresh store, with its JSON API.
#[derive(Debug)]
pub struct TestApp {
    pub app: App,
    pub clock: Clock,
    pub service: api::CachedAnswers,
    /// Owns the store's location; dropped last.
    pub scratch: Scratch,
}

/// What a test configures differently.
#[derive(Debug, Clone)]
pub struct TestOptions {
    pub limits: LimitRules,
    /// Counts requests together with other applications.
    pub shared_count: Option<SharedCount>,
    /// Shared with another application so that both have the same time; by default one of its own.
    pub clock: Option<Clock>,
    pub dev_destinations: Vec<String>,
    /// The timeouts of chat messages.
    pub timeouts: Timeouts,
    pub mail: Option<MailSettings>,
    /// The address of the authority that stamps bundles with the time.
    pub stamps: Option<String>,
    /// The feeds of the timeline.
    pub feeds: Vec<FeedSource>,
    pub jobs: Vec<Job>,
    /// Changes the environment.
    pub around: fn(Surroundings) -> Surroundings,
    /// The quotas of an institution.
    pub quotas: Quotas,
    /// How long sessions last, and what new institutions require: no second factor in most tests.
    pub sign_in_rules: SignInRules,
    /// How passwords are hashed: cheaply in most tests.
    pub passwords: fn() -> Passwords,
    /// Who gets the heads of the audit log.
    pub audit: AuditRules,
    /// How large files of evidence may be, and what looks at them.
    pub evidence: EvidenceRules,
    /// Where files of evidence are besides the store.
    pub bucket: Option<BucketSettings>,
    /// Seals secrets.
    pub vault: Vault,
    /// Another catalogue than the embedded one.
    pub catalogue_dir: Option<PathBuf>,
}

impl Default for TestOptions {
    /// Limits that no ordinary test reaches, and no mail.
    fn default() -> Self {
        let generous = |rules: Rules| Rules { standard: 100_000, burst: 100_000, ..rules };
        let limits = LimitRules {
            v1: generous(Rules::V1),
            v2: generous(Rules::V2),
            sessions: Some(generous(Rules::V2)),
            ..LimitRules::default()
        };
        let dev_destinations = vec!["http://127.0.0.1:9000".into()];
        Self {
            limits,
            shared_count: None,
            clock: None,
            dev_destinations,
            timeouts: Timeouts::default(),
            mail: None,
            stamps: None,
            feeds: Vec::new(),
            jobs: standard(&JobOptions::default()).unwrap(),
            around: |around| around,
            quotas: Quotas::default(),
            sign_in_rules: SignInRules {
                second_factor: SecondFactorPolicy::Nobody,
                ..SignInRules::default()
            },
            passwords: Passwords::cheap,
            audit: AuditRules::default(),
            evidence: EvidenceRules::default(),
            bucket: None,
            vault: Vault::new([7; 32]),
            catalogue_dir: None,
        }
    }
}

/// A tenant with keys for each set of permissions.
#[derive(Debug, Clone)]
pub struct TestTenant {
    pub caller: Caller,
    pub slug: String,
}

impl TestApp {
    /// On SQLite, with limits that no ordinary test reaches.
    pub async fn new() -> Self {
        Self::on(Engine::Sqlite).await
    }

    pub async fn on(engine: Engine) -> Self {
        Self::with(engine, TestOptions::default()).await
    }

    pub async fn with_limits(engine: Engine, limits: LimitRules) -> Self {
        Self::with(engine, TestOptions { limits, ..TestOptions::default() }).await
    }

    pub async fn with(engine: Engine, options: TestOptions) -> Self {
        Self::over(Scratch::new(engine).await, options).await
    }

    /// Over an existing store: a second node, or the service after a restart.
    pub async fn over(scratch: Scratch, options: TestOptions) -> Self {
        let app = node(&scratch, options).await;
        let service = api::service(&app, &api::ApiOptions::default(), Router::new());
        Self { clock: app.clock.clone(), app, service, scratch }
    }

    /// Another node over the same store.
    pub async fn beside(&self, options: TestOptions) -> App {
        node(&self.scratch, options).await
    }

    pub async fn tenant(&self, slug: &str) -> TestTenant {
        let name = Name::parse(&format!("Bank {slug}")).unwrap();
        let row = self.app.people.create_tenant(slug.parse::<Slug>().unwrap(), name).await.unwrap();
        let caller = Caller::operator(&row);
        // Most tests act with keys, also where a second person decides; what new tenants begin with has its own tests.
        let policy = KeyPolicy { may_decide: true, ..KeyPolicy::NEW };
        let scope = *caller.scope();
        let allow = move |tx: &mut store::Tx<'_>| store::tenant::set_key_policy(tx, &scope, policy);
        self.app.db.platform().bookkeep(allow).await.unwrap();
        TestTenant { caller, slug: slug.to_owned() }
    }

    /// A new key of the tenant with these permissions.
    pub async fn key(&self, tenant: &TestTenant, permissions: &str) -> String {
        self.key_until(tenant, permissions, None).await
    }

    pub async fn key_until(
        &self,
        tenant: &TestTenant,
        permissions: &str,
        expires_at: Option<Moment>,
    ) -> String {
        let permissions = Permissions::parse(permissions).unwrap();
        let request = KeyRequest::new(Name::parse("test").unwrap(), permissions).until(expires_at);
        let reveal = |new: &NewKey| new.key.reveal().to_owned();
        self.app.people.create_key(&tenant.caller, request, None, Box::new(reveal)).await.unwrap().body
    }

    /// A client without a key.
    pub fn anonymous(&self) -> Client {
        Client::new(self.service.clone(), None)
    }

    pub fn client(&self, key: &str) -> Client {
        Client::new(self.service.clone(), Some(key.to_owned()))
    }

    /// A client of another application over the same store.
    pub fn client_of(app: &App, key: &str) -> Client {
        Client::new(api::service(app, &api::ApiOptions::default(), Router::new()), Some(key.to_owned()))
    }

    /// A client of a new tenant, with all permissions.
    pub async fn owner(&self, slug: &str) -> Client {
        let tenant = self.tenant(slug).await;
        let key = self.key(&tenant, "read,write,manage_keys").await;
        self.client(&key)
    }
}

async fn node(scratch: &Scratch, options: TestOptions) -> App {
    let allowlist = allowlist(&options);
    let senders = senders(allowlist.clone(), &options);
    let feeds = feeds(&options);
    let db = Db::open(&scratch.location).await.unwrap();
    let vault = vault_key::agreed(&db, options.vault.clone()).await.unwrap();
    let setup = Setup {
        db,
        clock: options.clock.clone().unwrap_or_else(|| Clock::manual(Moment::from_millis(START))),
        vault,
        allowlist,
        limits: options.limits,
        audit: options.audit,
        key_rules: KeyRules::default(),
        quotas: options.quotas,
        sign_in_rules: options.sign_in_rules,
        passwords: (options.passwords)(),
        evidence: options.evidence,
        bucket: options.bucket.map(|bucket| Bucket::new(bucket, Trust::default()).unwrap()),
        shared_count: options.shared_count.clone(),
        senders,
        page_bytes: 4 * 1024 * 1024,
        record_bytes: 1024 * 1024,
        library: Library::new(options.catalogue_dir, None),
        feeds,
        jobs: options.jobs,
        around: (options.around)(Surroundings {
            fresh: Duration::ZERO,
            mail_fresh: Duration::ZERO,
            // Tests must also pass on a machine whose disk is nearly full.
            low_disk: 1 << 20,
            ..Surroundings::in_folder(scratch.dir.path().to_owned())
        }),
    };
    let app = App::new(setup).await.unwrap();
    app.operations.key_audit_chains(Beginner::Service).await.unwrap();
    app
}

fn allowlist(options: &TestOptions) -> Allowlist {
    let settings = AllowlistSettings {
        dev_destinations: options.dev_destinations.clone(),
        ..AllowlistSettings::default()
    };
    Allowlist::new(settings).unwrap()
}

fn feeds(options: &TestOptions) -> Feeds {
    let mut connector = Connector::new(Trust::default(), &options.dev_destinations);
    connector.timeouts = options.timeouts;
    Feeds { sources: options.feeds.clone(), client: Some(FeedClient::new(connector).unwrap()) }
}

fn senders(allowlist: Allowlist, options: &TestOptions) -> Senders {
    let mut connector = Connector::new(Trust::default(), allowlist.dev_destinations());
    connector.timeouts = options.timeouts;
    let mail = options.mail.as_ref();
    let mut identity = Connector::new(Trust::default(), allowlist.dev_destinations());
    identity.timeouts = options.timeouts;
    Senders {
        identity: IdentityClient::new(identity, Vec::new()).unwrap(),
        mail: mail.map(|mail| MailSender::new(mail, &Trust::default(), allowlist.clone()).unwrap()),
        http: HttpSender::new(allowlist, connector).unwrap(),
        stamps: options.stamps.as_ref().map(|url| {
            TimeStampAuthority::new(url.parse().unwrap(), Some("Basic dGVzdA=="), Trust::default()).unwrap()
        }),
        public_url: "https://tidewall.bank.example".into(),
    }
}
