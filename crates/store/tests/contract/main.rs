//! The contract of both engines, listed once and run on each, and the rules for all statements.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

extern crate tidewall_store as store;

mod concentration;
mod concurrency;
mod cra_reports;
mod deliveries;
mod migrations;
mod own_frameworks;
mod register;
mod row_policies;
mod search;
mod slow;
mod statements;
mod transactions;
mod work;

use domain::{actor::Actor, audit::Entry, id::TenantId, id::Uuid7, moment::Moment};
use store::{Db, Result, TenantScope, Tx, tenant};
use testkit::{Engine, START, Scratch};

/// Runs each listed case on both engines.
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::Fixture::new(testkit::Engine::Sqlite).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::Fixture::new(testkit::Engine::Postgres).await).await;
            })*
        }
    };
}
pub(crate) use on_both_engines;

/// An open store with two tenants.
pub(crate) struct Fixture {
    pub(crate) db: Db,
    pub(crate) north: TenantScope,
    pub(crate) south: TenantScope,
    pub(crate) scratch: Scratch,
}

impl Fixture {
    pub(crate) async fn new(engine: Engine) -> Self {
        let scratch = Scratch::new(engine).await;
        let db = Db::open(&scratch.location).await.unwrap();
        let north = add_tenant(&db, "north", 1).await;
        let south = add_tenant(&db, "south", 2).await;
        Self { db, north, south, scratch }
    }
}

pub(crate) fn now() -> Moment {
    Moment::from_millis(START)
}

pub(crate) fn id<T: From<Uuid7>>(number: u128) -> T {
    T::from(Uuid7::from_parts(START.unsigned_abs(), number))
}

async fn add_tenant(db: &Db, slug: &'static str, number: u128) -> TenantScope {
    let tenant: TenantId = id(number);
    db.platform()
        .write(move |tx| {
            let row = tenant::TenantRow {
                time_zone: domain::time_zone::TimeZone::default(),
                classification: None,
                id: tenant,
                slug: slug.parse().unwrap(),
                name: domain::text::Name::parse(slug).unwrap(),
                language: domain::wording::Language::default(),
                created_at: now(),
                closed_at: None,
            };
            tenant::insert(tx, &row)?;
            note(tx, "tenant.created")
        })
        .await
        .unwrap();
    TenantScope::authorised(tenant)
}

/// An audit entry, so that the change may be committed.
pub(crate) fn note(tx: &mut Tx<'_>, action: &str) -> Result<()> {
    tx.audit(&Entry {
        at: now(),
        actor: Actor::Operator.to_string(),
        action: action.into(),
        subject: "-".into(),
        detail: "{}".into(),
    })
}
