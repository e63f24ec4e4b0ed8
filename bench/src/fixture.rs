//! An application over a fresh SQLite file, with limits that are never reached.

use api::{ApiOptions, CachedAnswers};
use app::{
    App, Setup,
    api_key::{KeyRequest, NewKey},
    authz::Caller,
    catalogue::Library,
    clock::Clock,
    limits::LimitRules,
    password::Passwords,
    senders::Senders,
    sign_in_rules::SignInRules,
    timeline::feed::Feeds,
    vault::Vault,
};
use axum::Router;
use domain::{permission::Permissions, rate::Rules, text::Name, user::SecondFactorPolicy};
use outbound::{
    allowlist::{Allowlist, AllowlistSettings},
    connector::Connector,
    http::HttpSender,
    identity::IdentityClient,
    trust::Trust,
};
use store::{
    Db,
    sql::{Location, migrate},
};
use tempfile::TempDir;
use testkit::{Engine, Scratch};

/// The default number of connections to PostgreSQL of a node.
pub(crate) const CONNECTIONS: usize = 8;
/// As many that read a SQLite file.
pub(crate) const READERS: usize = 4;
/// Writes that wait at the same time.
const AT_ONCE: usize = 256;

pub(crate) struct Fixture {
    pub(crate) app: App,
    pub(crate) caller: Caller,
    pub(crate) key: String,
    pub(crate) dir: TempDir,
    /// The database on a server, dropped with the fixture.
    database: Option<Scratch>,
}

/// The options of the application.
pub(crate) struct Spec {
    pub(crate) engine: Engine,
    /// The size of the cache of serialised pages.
    pub(crate) page_bytes: u64,
    /// The size of the cache of serialised records.
    pub(crate) record_bytes: u64,
    /// Origins webhooks may send to.
    pub(crate) dev_destinations: Vec<String>,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            engine: Engine::Sqlite,
            page_bytes: 64 << 20,
            record_bytes: 16 << 20,
            dev_destinations: Vec::new(),
        }
    }
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::with(Spec::default()).await
    }

    /// The service without pages, as a listener would serve it.
    pub(crate) fn service(&self) -> CachedAnswers {
        api::service(&self.app, &ApiOptions::default(), Router::new())
    }

    /// With a cache of this size for serialised pages.
    pub(crate) async fn keeping(page_bytes: u64) -> Self {
        Self::with(Spec { page_bytes, ..Spec::default() }).await
    }

    pub(crate) async fn with(spec: Spec) -> Self {
        let Spec { engine, page_bytes, record_bytes, dev_destinations } = spec;
        let settings = AllowlistSettings { dev_destinations, ..AllowlistSettings::default() };
        let allowlist = Allowlist::new(settings).unwrap();
        let connector = Connector::new(Trust::default(), allowlist.dev_destinations());
        let identity = Connector::new(Trust::default(), allowlist.dev_destinations());
        // On the disk the build uses, not on a memory file system: durability is part of the measurement.
        let dir = tempfile::tempdir_in(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into()))
            .unwrap();
        let (location, database) = match engine {
            Engine::Sqlite => {
                let location = Location::File { path: dir.path().join("tidewall.db"), readers: READERS };
                migrate::up(&location, Clock::system().now()).unwrap();
                (location, None)
            }
            Engine::Postgres => {
                let mut scratch = Scratch::new(engine).await;
                if let Location::Server { connections, .. } = &mut scratch.location {
                    *connections = CONNECTIONS;
                }
                (scratch.location.clone(), Some(scratch))
            }
        };
        let unlimited =
            Rules { standard: u32::MAX, burst: u32::MAX, exceedances: 0, window_ms: 1, ..Rules::V1 };
        let setup = Setup {
            db: Db::open(&location).await.unwrap(),
            clock: Clock::system(),
            vault: Self::vault(),
            audit: app::audit_head::AuditRules::default(),
            key_rules: app::api_key::KeyRules::default(),
            quotas: app::quota::Quotas::default(),
            // The workspace is measured as its administrator.
            passwords: Passwords::default(),
            sign_in_rules: SignInRules {
                second_factor: SecondFactorPolicy::Nobody,
                ..SignInRules::default()
            },
            evidence: app::evidence::EvidenceRules::default(),
            bucket: None,
            allowlist: allowlist.clone(),
            limits: LimitRules { v1: unlimited, v2: unlimited, failures: unlimited, sessions: None },
            shared_count: None,
            page_bytes,
            record_bytes,
            library: Library::new(None, None),
            senders: Senders {
                identity: IdentityClient::new(identity, Vec::new()).unwrap(),
                mail: None,
                stamps: None,
                http: HttpSender::new(allowlist, connector).unwrap(),
                public_url: "https://tidewall.example".into(),
            },
            feeds: Feeds::default(),
            jobs: Vec::new(),
            around: app::health::Surroundings::in_folder(dir.path().to_owned()),
        };
        let app = App::new(setup).await.unwrap();
        let tenant =
            app.people.create_tenant("bench".parse().unwrap(), Name::parse("Bench").unwrap()).await.unwrap();
        let caller = Caller::operator(&tenant);
        let key = new_key(&app, &caller, Permissions::all()).await;
        Self { app, caller, key, dir, database }
    }

    pub(crate) fn vault() -> Vault {
        Vault::new([7; 32])
    }

    /// Where the database is, if a server has it.
    pub(crate) fn server_url(&self) -> Option<&str> {
        match &self.database.as_ref()?.location {
            Location::Server { url, .. } => Some(url),
            Location::File { .. } => None,
        }
    }

    /// So many new keys, made side by side so that they share commits.
    pub(crate) async fn keys(&self, count: usize, permissions: Permissions) -> Vec<String> {
        let mut keys = Vec::with_capacity(count);
        while keys.len() < count {
            let batch = (0..(count - keys.len()).min(AT_ONCE)).map(|_| {
                let (app, caller) = (self.app.clone(), self.caller.clone());
                tokio::spawn(async move { new_key(&app, &caller, permissions).await })
            });
            for made in batch.collect::<Vec<_>>() {
                keys.push(made.await.unwrap());
            }
        }
        keys
    }
}

/// A new key of an institution.
pub(crate) async fn new_key(app: &App, caller: &Caller, permissions: Permissions) -> String {
    let request = KeyRequest::new(Name::parse("bench").unwrap(), permissions);
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    app.people.create_key(caller, request, None, Box::new(reveal)).await.unwrap().body
}
