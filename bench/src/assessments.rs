//! Assessments: 100,000 of 200 tenants with a million earlier versions. Lists of 50 over HTTP beside a bare route with
//! the same bytes, and the pages on which people assess.
//!
//! The rows are inserted into the file directly; the product reads them as usual.

use std::net::SocketAddr;

use app::authz::Caller;
use catalogue::Catalogue;
use domain::{id::TenantId, permission::Permissions};
use rusqlite::{Connection, params};

use crate::{
    filling,
    fixture::{Fixture, Spec},
    load,
    pages::{self, ROUNDS},
    report::{Report, Target},
    size, workspace,
};

const PATH: &str = "/api/v1/assessments?framework=dora";
const TENANTS: usize = 200;
const VERSIONS: i64 = 10;
const STATES: [&str; 4] = ["met", "partly_met", "not_met", "met"];
const WHY: &str = "The policy was approved in March; the yearly test of restores is still to be proved.";
const PAGES: [&str; 4] = [
    "/workspace/assessments",
    "/workspace/assessments/dora",
    "/workspace/assessments/dora/dora-art-05-01",
    "/workspace/assessments/dora/dora-art-11-06",
];

pub(crate) async fn measure(report: &mut Report) {
    let (kept, unchanged) = served(Spec::default()).await;
    // Without a page cache every request costs what a change of the tenant's data costs.
    let (forgotten, changed) = served(Spec { page_bytes: 0, ..Spec::default() }).await;
    let keys = [
        kept.keys(pages::keys(), Permissions::READ_ONLY).await,
        forgotten.keys(pages::keys(), Permissions::READ_ONLY).await,
    ];
    let unchanged = pages::side(unchanged, &keys[0], |_| PATH.to_owned()).await;
    let changed = pages::side(changed, &keys[1], |_| PATH.to_owned()).await;
    let bare = pages::bare(&unchanged, "/api/v1/assessments").await;
    let [bare, unchanged, changed] = load::in_turns(ROUNDS, [&bare, &unchanged, &changed]).await;
    pages::add(report, "v1 list of 50 assessments, unchanged", Target::AtLeast(0.55), &unchanged, &bare);
    pages::add(
        report,
        "v1 list of 50 assessments, changed each time",
        Target::AtLeast(0.13),
        &changed,
        &bare,
    );
    workspace::measure_pages(report, &kept, &PAGES).await;
}

async fn served(spec: Spec) -> (Fixture, SocketAddr) {
    let fixture = Fixture::with(spec).await;
    fixture.app.reload_catalogue().await.unwrap().unwrap();
    let mut tenants: Vec<TenantId> =
        filling::tenants(&fixture, TENANTS - 1).await.iter().map(Caller::tenant).collect();
    tenants.push(fixture.caller.tenant());
    let path = fixture.dir.path().join("tidewall.db");
    tokio::task::spawn_blocking(move || fill(&mut Connection::open(path).unwrap(), &tenants)).await.unwrap();
    let address = load::serve(fixture.service()).await;
    (fixture, address)
}

/// Each tenant has assessed the first requirements of DORA, and changed each of them ten times.
fn fill(db: &mut Connection, tenants: &[TenantId]) {
    let each = size::at_most(100_000) / TENANTS;
    let catalogue = Catalogue::embedded().unwrap();
    let of_dora = |position: usize| {
        catalogue.requirements.at(position).filter(|requirement| requirement.id.starts_with("dora-"))
    };
    let all = 0..catalogue.requirements.len();
    let ids: Vec<&str> = all.filter_map(of_dora).map(|requirement| &*requirement.id).take(each).collect();
    assert_eq!(ids.len(), each, "the catalogue has too few requirements of DORA");
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000").unwrap();
    let tx = db.transaction().unwrap();
    for tenant in tenants {
        for (number, id) in ids.iter().enumerate() {
            assess(&tx, &tenant.to_string(), id, number);
        }
    }
    tx.commit().unwrap();
    db.execute_batch("ANALYZE; PRAGMA wal_checkpoint(truncate)").unwrap();
}

fn assess(db: &Connection, tenant: &str, requirement: &str, number: usize) {
    let (status, at) = (STATES[number % STATES.len()], 1_760_000_000_000_i64);
    db.prepare_cached(
        "INSERT INTO assessments (tenant_id, requirement_id, framework, status, maturity, rationale, owner, due_on,
                                  next_review_on, changed_by, version, created_at, updated_at)
         VALUES (?1, ?2, 'dora', ?3, 3, ?4, 'Anna Brandt', '2027-01-31', '2027-06-30', 'Anna Brandt', ?5, ?6, ?6)",
    )
    .unwrap()
    .execute(params![tenant, requirement, status, WHY, VERSIONS + 1, at])
    .unwrap();
    let content =
        format!(r#"{{"status":"{status}","maturity":2,"rationale":"{WHY}","owner":"Anna Brandt"}}"#);
    for version in 1..=VERSIONS {
        let from = at - (VERSIONS + 1 - version) * 86_400_000;
        db.prepare_cached(
            "INSERT INTO record_versions (tenant_id, record_id, version, valid_from, valid_until, replaced_by, content)
             VALUES (?1, ?2, ?3, ?4, ?5, 'Anna Brandt', ?6)",
        )
        .unwrap()
        .execute(params![tenant, requirement, version, from, from + 86_400_000, content])
        .unwrap();
    }
}
