//! An application over a fresh SQLite file, with limits out of the way.

use app::{
    App, Setup,
    api_key::{KeyRequest, NewKey},
    authz::Caller,
    catalogue::Library,
    clock::Clock,
    limits::LimitRules,
    outside::Outside,
    timeline::feed::Feeds,
    vault::Vault,
};
use domain::{permission::Permissions, rate::Rules, text::Name};
use outbound::{
    allowlist::{Allowlist, AllowlistSettings},
    connector::Connector,
    http::HttpSender,
    trust::Trust,
};
use store::{
    Db,
    sql::{Location, migrate},
};
use tempfile::TempDir;

pub(crate) struct Fixture {
    pub(crate) app: App,
    pub(crate) caller: Caller,
    pub(crate) key: String,
    pub(crate) dir: TempDir,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::keeping(64 << 20).await
    }

    /// With this many bytes of serialised pages kept.
    pub(crate) async fn keeping(page_bytes: u64) -> Self {
        Self::build(page_bytes, Vec::new()).await
    }

    /// With webhooks that may send to this origin.
    pub(crate) async fn sending_to(origin: &str) -> Self {
        Self::build(64 << 20, vec![origin.to_owned()]).await
    }

    async fn build(page_bytes: u64, dev_destinations: Vec<String>) -> Self {
        let settings = AllowlistSettings { dev_destinations, ..AllowlistSettings::default() };
        let allowlist = Allowlist::new(settings).unwrap();
        let connector = Connector::new(Trust::default(), allowlist.dev_destinations());
        // On the disk the build uses, not on a memory file system: durability is part of the measurement.
        let dir = tempfile::tempdir_in(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into()))
            .unwrap();
        let location = Location::File { path: dir.path().join("tidewall.db"), readers: 2 };
        migrate::up(&location, Clock::system().now()).unwrap();
        let unlimited =
            Rules { standard: u32::MAX, burst: u32::MAX, exceedances: 0, window_ms: 1, ..Rules::V1 };
        let setup = Setup {
            db: Db::open(&location).await.unwrap(),
            clock: Clock::system(),
            vault: Vault::new([7; 32]),
            allowlist: allowlist.clone(),
            limits: LimitRules { v1: unlimited, v2: unlimited, failures: unlimited },
            page_bytes,
            library: Library::new(None),
            outside: Outside {
                mail: None,
                http: HttpSender::new(allowlist, connector).unwrap(),
                public_url: "https://tidewall.example".into(),
            },
            feeds: Feeds::default(),
        };
        let app = App::new(setup).await.unwrap();
        let tenant =
            app.create_tenant("bench".parse().unwrap(), Name::parse("Bench").unwrap()).await.unwrap();
        let caller = Caller::operator(&tenant);
        let request = KeyRequest {
            name: Name::parse("bench").unwrap(),
            permissions: Permissions::all(),
            expires_at: None,
        };
        let reveal = |new: &NewKey| new.key.reveal().to_owned();
        let key = app.create_key(&caller, request, None, reveal).await.unwrap().body;
        Self { app, caller, key, dir }
    }
}
