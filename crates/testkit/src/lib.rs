//! What the tests share: a real store on either engine, an application with a clock that is moved by hand,
//! clients by role, and answers that can be looked at. Tests only.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod client;
mod scratch;

use app::{
    App, Setup,
    api_key::{KeyRequest, NewKey},
    authz::Caller,
    catalogue::Library,
    clock::Clock,
    limits::LimitRules,
    vault::Vault,
};
use axum::Router;
use domain::{moment::Moment, permission::Permissions, rate::Rules, tenant::Slug, text::Name};
use outbound::allowlist::{Allowlist, AllowlistSettings};
use store::Db;

pub use self::{
    client::{Answer, Client},
    scratch::{Engine, Scratch},
};

/// A fixed afternoon: 2026-11-14T14:00:00Z.
pub const START: i64 = 1_794_664_800_000;

/// The application over a fresh store, with its JSON surface.
#[derive(Debug)]
pub struct TestApp {
    pub app: App,
    pub clock: Clock,
    pub router: Router,
    /// Owns the store's place; dropped last.
    pub scratch: Scratch,
}

/// A tenant with keys for each set of permissions.
#[derive(Debug, Clone)]
pub struct TestTenant {
    pub caller: Caller,
    pub slug: String,
}

impl TestApp {
    /// On SQLite, with limits no ordinary test reaches.
    pub async fn new() -> Self {
        Self::on(Engine::Sqlite).await
    }

    pub async fn on(engine: Engine) -> Self {
        let generous = |rules: Rules| Rules { standard: 100_000, burst: 100_000, ..rules };
        let limits = LimitRules { v1: generous(Rules::V1), v2: generous(Rules::V2), ..LimitRules::default() };
        Self::with_limits(engine, limits).await
    }

    pub async fn with_limits(engine: Engine, limits: LimitRules) -> Self {
        let scratch = Scratch::new(engine).await;
        Self::over(scratch, limits).await
    }

    /// Over a store that exists already: a second node, or the service after a restart.
    pub async fn over(scratch: Scratch, limits: LimitRules) -> Self {
        let clock = Clock::manual(Moment::from_millis(START));
        let setup = Setup {
            db: Db::open(&scratch.location).await.unwrap(),
            clock: clock.clone(),
            vault: Vault::new([7; 32]),
            allowlist: allowlist(),
            limits,
            page_bytes: 4 * 1024 * 1024,
            library: Library::new(None),
        };
        let app = App::new(setup).await.unwrap();
        let router = api::router(&app, &api::ApiOptions::default());
        Self { app, clock, router, scratch }
    }

    pub async fn tenant(&self, slug: &str) -> TestTenant {
        let name = Name::parse(&format!("Bank {slug}")).unwrap();
        let row = self.app.create_tenant(slug.parse::<Slug>().unwrap(), name).await.unwrap();
        TestTenant { caller: Caller::operator(&row), slug: slug.to_owned() }
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
        let request = KeyRequest { name: Name::parse("test").unwrap(), permissions, expires_at };
        let reveal = |new: &NewKey| new.key.reveal().to_owned();
        self.app.create_key(&tenant.caller, request, None, reveal).await.unwrap().body
    }

    /// A client without a key.
    pub fn anonymous(&self) -> Client {
        Client::new(self.router.clone(), None)
    }

    pub fn client(&self, key: &str) -> Client {
        Client::new(self.router.clone(), Some(key.to_owned()))
    }

    /// A client of a new tenant, with all permissions.
    pub async fn owner(&self, slug: &str) -> Client {
        let tenant = self.tenant(slug).await;
        let key = self.key(&tenant, "read,write,manage_keys").await;
        self.client(&key)
    }
}

fn allowlist() -> Allowlist {
    let settings = AllowlistSettings {
        dev_destinations: vec!["http://127.0.0.1:9000".into()],
        ..AllowlistSettings::default()
    };
    Allowlist::new(settings).unwrap()
}
