//! The schema's history on both engines.

use store::{
    Db,
    sql::{Location, migrate},
};
use test_case::test_case;
use testkit::{Engine, Scratch};

use crate::now;

fn open(location: &Location) -> store::Result<()> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(Db::open(location)).map(|_| ())
}

/// The migrations that stores in use have applied, in this order. Later ones only follow them.
const APPLIED: [&str; 60] = [
    "0001_foundation",
    "0010_work",
    "0011_reporting",
    "0012_import",
    "0020_register",
    "0020_timeline",
    "0030_delivery",
    "0040_operations",
    "0050_users",
    "0060_finding_days",
    "0070_document_changes",
    "0080_letters",
    "0090_search_upkeep",
    "0100_list_walks",
    "0110_archive",
    "0111_finding_orders",
    "0112_due_days",
    "0120_cra_filing",
    "0121_time_zone",
    "0130_register_changes",
    "0131_exchange_rates",
    "0132_simulations",
    "0140_tenant_closing",
    "0141_sign_in",
    "0145_record_versions",
    "0150_register_rows",
    "0155_incidents",
    "0160_key_limits",
    "0170_refused_sign_ins",
    "0171_second_factor_policy",
    "0172_audit_search",
    "0173_account_end",
    "0175_register_filings",
    "0176_issued_leis",
    "0180_profile",
    "0181_functions",
    "0185_controls",
    "0186_assessments",
    "0187_control_deadlines",
    "0190_risks",
    "0191_evidence",
    "0195_incident_log",
    "0200_drill_runs",
    "0205_tasks",
    "0210_providers",
    "0211_provider_reviews",
    "0215_cra_versions",
    "0216_incident_owner",
    "0220_incident_links",
    "0221_relief",
    "0225_contract_notices",
    "0226_provider_details",
    "0227_review_files",
    "0235_audit_keys",
    "0236_shared_addresses",
    "0240_identity_providers",
    "0245_directory_accounts",
    "0250_own_frameworks",
    "0255_records_as_of",
    "0260_passkeys",
];

#[test]
fn applied_migrations_keep_their_names_and_their_order() {
    let known: Vec<&str> = migrate::known().take(APPLIED.len()).collect();
    assert_eq!(known, APPLIED);
}

#[test]
fn a_role_of_its_own_works_with_the_store_and_cannot_rewrite_the_audit_log() {
    let scratch = Scratch::unmigrated(Engine::Postgres);
    let Location::Server { url, .. } = &scratch.location else { panic!("PostgreSQL is a server") };
    migrate::up(&scratch.location, now()).unwrap();
    let service = url.replacen("://tidewall@", "://tidewall_service@", 1);
    assert_ne!(&service, url, "the tests sign in as tidewall");
    migrate::grant(url, "tidewall_service").unwrap();
    let location = Location::Server { url: service.clone(), connections: 2 };
    // An up-to-date store is not touched, so that a role without the right to change it can start the service.
    assert_eq!(migrate::up(&location, now()).unwrap(), migrate::Migrated::default());
    open(&location).unwrap();
    let rights = store::sql::backup::role_rights(&service).unwrap();
    assert_eq!(rights, store::sql::backup::RoleRights::default());
    assert!(store::sql::backup::role_rights(url).unwrap().owns_tables);
    let mut client = postgres::Client::connect(&service, postgres::NoTls).unwrap();
    client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
    client.batch_execute("SELECT COUNT(*) FROM audit_entries").unwrap();
    for forbidden in [
        "UPDATE audit_entries SET actor = 'x'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "DROP TABLE audit_entries",
        "ALTER TABLE audit_entries DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE audit_entries NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE audit_entries OWNER TO tidewall_service",
        "ALTER TABLE audit_entries RENAME TO other",
        "CREATE TRIGGER x BEFORE INSERT ON audit_entries EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "DROP POLICY tenant ON audit_entries",
        "DELETE FROM chains",
        "TRUNCATE chains CASCADE",
        "ALTER TABLE findings NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE findings DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON findings",
        "DELETE FROM migrations",
        "CREATE TABLE own (id TEXT)",
    ] {
        let refused = client.batch_execute(forbidden).unwrap_err();
        let code = refused.code().map(postgres::error::SqlState::code);
        assert_eq!(code, Some("42501"), "{forbidden}: {refused}");
    }
}

#[cfg(unix)]
#[test]
fn the_files_of_a_store_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::unmigrated(Engine::Sqlite);
    let Location::File { path, .. } = &scratch.location else { panic!("SQLite is a file") };
    let mode = || std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    migrate::up(&scratch.location, now()).unwrap();
    assert_eq!(mode(), 0o600);
    // A store of an earlier version that others could read.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    migrate::up(&scratch.location, now()).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn migrating_twice_changes_nothing_the_second_time(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    let first = migrate::up(&scratch.location, now()).unwrap();
    assert_eq!(first.applied, migrate::known().collect::<Vec<_>>());
    assert_eq!(first.backup, None, "an empty store needs no backup");
    assert_eq!(migrate::up(&scratch.location, now()).unwrap(), migrate::Migrated::default());
    assert!(migrate::pending(&scratch.location).unwrap().is_empty());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn an_unmigrated_store_is_refused_with_the_remedy(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    let refused = open(&scratch.location).unwrap_err().to_string();
    assert!(refused.contains("tidewall migrate"), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn a_store_newer_than_the_binary_is_refused(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    migrate::up(&scratch.location, now()).unwrap();
    let insert = "INSERT INTO migrations (name, applied_at) VALUES ('9999_future', 0)";
    match &scratch.location {
        Location::File { path, .. } => {
            rusqlite::Connection::open(path).unwrap().execute(insert, []).unwrap();
        }
        Location::Server { url, .. } => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute(insert).unwrap();
        }
    }
    for refused in
        [open(&scratch.location).unwrap_err(), migrate::up(&scratch.location, now()).map(|_| ()).unwrap_err()]
    {
        assert!(refused.to_string().contains("9999_future"), "{refused}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn two_processes_migrating_at_once_do_it_once(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    let runs: Vec<_> = (0..4)
        .map(|_| {
            let location = scratch.location.clone();
            std::thread::spawn(move || migrate::up(&location, now()).unwrap().applied.len())
        })
        .collect();
    let applied: usize = runs.into_iter().map(|run| run.join().unwrap()).sum();
    assert_eq!(applied, migrate::known().count());
}

/// The content of a store of the previous version.
const NAMED_BEFORE: &str = "
    DROP TABLE function_links;
    DROP TABLE functions;
    INSERT INTO tenants (id, slug, name, created_at) VALUES ('ten_a', 'a', 'A', 0), ('ten_b', 'b', 'B', 0);
    INSERT INTO programmes (id, tenant_id, name, framework, status, running, starts_on, ends_on, functions, version,
                            created_at, updated_at)
        VALUES ('prg_a', 'ten_a', 'P', 'dora', 'planned', 1, 'none', 'none', '[\"Payments\",\"L\u{f6}hne \\\"x\\\"\"]', 1, 0, 0),
               ('prg_b', 'ten_b', 'P', 'dora', 'planned', 1, 'none', 'none', '[\"Payments\"]', 1, 0, 0),
               ('prg_c', 'ten_b', 'P', 'dora', 'planned', 1, 'none', 'none', '[]', 1, 0, 0);
    INSERT INTO arrangements (id, tenant_id, reference, provider_name, provider_country, provider_sector, service,
                              service_type, technology, region, functions, critical, substitutability, cost_amount,
                              cost_currency, starts_on, ends_on, facts, words, version, created_at, updated_at)
        VALUES ('arr_a', 'ten_a', 'R', 'P', 'DE', 's', 's', 'S01', 't', 'r',
                '[[\"Clearing\",false],[\"Payments\",true]]', 1, 'hard', 0, 'EUR', '2026-01-01', 'none', '{}', '', 1, 0, 0);
";

/// Reads one column of texts with the rights of the owner.
fn texts(location: &Location, query: &str) -> Vec<String> {
    match location {
        Location::File { path, .. } => {
            let handle = rusqlite::Connection::open(path).unwrap();
            let mut statement = handle.prepare(query).unwrap();
            let rows = statement.query_map([], |row| row.get(0)).unwrap();
            rows.map(Result::unwrap).collect()
        }
        Location::Server { url, .. } => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
            client.query(query, &[]).unwrap().iter().map(|row| row.get(0)).collect()
        }
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn names_of_functions_become_functions_and_none_is_lost(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    migrate::up(&scratch.location, now()).unwrap();
    // Later migrations have been applied already, so this one is run by itself on the content of the previous
    // version.
    match &scratch.location {
        Location::File { path, .. } => {
            let handle = rusqlite::Connection::open(path).unwrap();
            handle.execute_batch(NAMED_BEFORE).unwrap();
            handle.execute_batch(include_str!("../../migrations/sqlite/0181_functions.sql")).unwrap();
        }
        Location::Server { url, .. } => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
            client.batch_execute(NAMED_BEFORE).unwrap();
            client.batch_execute(include_str!("../../migrations/postgres/0181_functions.sql")).unwrap();
        }
    }
    let functions = texts(
        &scratch.location,
        "SELECT tenant_id || ' F' || number || ' ' || name || ' ' || criticality FROM functions
             ORDER BY tenant_id, number",
    );
    assert_eq!(
        functions,
        [
            "ten_a F1 Clearing not_assessed",
            "ten_a F2 L\u{f6}hne \"x\" not_assessed",
            "ten_a F3 Payments critical_or_important",
            "ten_b F1 Payments not_assessed",
        ]
    );
    let links = texts(
        &scratch.location,
        "SELECT l.kind || ' ' || l.record_id || ' ' || f.name FROM function_links l
             JOIN functions f ON f.id = l.function_id AND f.tenant_id = l.tenant_id ORDER BY 1",
    );
    assert_eq!(
        links,
        [
            "arrangement arr_a Clearing",
            "arrangement arr_a Payments",
            "programme prg_a L\u{f6}hne \"x\"",
            "programme prg_a Payments",
            "programme prg_b Payments",
        ]
    );
    for id in texts(&scratch.location, "SELECT id FROM functions") {
        assert!(id.parse::<domain::id::FunctionId>().is_ok(), "{id}");
    }
}

/// Arrangements of a store of the previous version: two spellings under one LEI, a name with and without one, and a
/// name that two LEIs share.
const PROVIDED_BEFORE: &str = "
    DROP TABLE provider_clauses;
    DROP TABLE provider_links;
    DROP TABLE providers;
    INSERT INTO tenants (id, slug, name, created_at) VALUES ('ten_a', 'a', 'A', 0);
    INSERT INTO arrangements (id, tenant_id, reference, provider_name, provider_lei, provider_country, provider_sector,
                              service, service_type, technology, region, functions, critical, substitutability,
                              cost_amount, cost_currency, starts_on, ends_on, facts, words, version, created_at,
                              updated_at)
        VALUES ('arr_a', 'ten_a', 'R1', 'Nord', 'L1', 'DE', 's', 's', 'S01', 't', 'r', '[]', 1, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0),
               ('arr_b', 'ten_a', 'R2', 'Nord SE', 'L1', 'DE', 's', 's', 'S01', 't', 'r', '[]', 0, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0),
               ('arr_c', 'ten_a', 'R3', 'Nord', NULL, 'DE', 's', 's', 'S01', 't', 'r', '[]', 0, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0),
               ('arr_d', 'ten_a', 'R4', 'Isar', 'L2', 'DE', 's', 's', 'S01', 't', 'r', '[]', 0, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0),
               ('arr_e', 'ten_a', 'R5', 'Isar', 'L3', 'DE', 's', 's', 'S01', 't', 'r', '[]', 0, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0),
               ('arr_f', 'ten_a', 'R6', 'Isar', NULL, 'DE', 's', 's', 'S01', 't', 'r', '[]', 0, 'hard', 0, 'EUR',
                '2026-01-01', 'none', '{}', '', 1, 0, 0);
";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn providers_of_arrangements_are_made_by_the_rule_of_the_register(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    migrate::up(&scratch.location, now()).unwrap();
    match &scratch.location {
        Location::File { path, .. } => {
            let handle = rusqlite::Connection::open(path).unwrap();
            handle.execute_batch(PROVIDED_BEFORE).unwrap();
            handle.execute_batch(include_str!("../../migrations/sqlite/0210_providers.sql")).unwrap();
        }
        Location::Server { url, .. } => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
            client.batch_execute(PROVIDED_BEFORE).unwrap();
            client.batch_execute(include_str!("../../migrations/postgres/0210_providers.sql")).unwrap();
        }
    }
    let links = texts(
        &scratch.location,
        "SELECT l.record_id || ' ' || p.name || ' ' || COALESCE(p.lei, '-') FROM provider_links l
             JOIN providers p ON p.id = l.provider_id AND p.tenant_id = l.tenant_id ORDER BY 1",
    );
    assert_eq!(
        links,
        ["arr_a Nord L1", "arr_b Nord L1", "arr_c Nord L1", "arr_d Isar L2", "arr_e Isar L3", "arr_f Isar -"]
    );
    for id in texts(&scratch.location, "SELECT id FROM providers") {
        assert!(id.parse::<domain::id::ProviderId>().is_ok(), "{id}");
    }
}

/// Runs statements with the rights of the owner.
fn run(location: &Location, statements: &str) {
    match location {
        Location::File { path, .. } => {
            rusqlite::Connection::open(path).unwrap().execute_batch(statements).unwrap();
        }
        Location::Server { url, .. } => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            client.batch_execute("SELECT set_config('tidewall.tenant', '*', false)").unwrap();
            client.batch_execute(statements).unwrap();
        }
    }
}

/// A migration of the engine.
macro_rules! migration {
    ($location:expr, $name:literal) => {
        match $location {
            Location::File { .. } => include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
            Location::Server { .. } => include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        }
    };
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn a_test_of_a_programme_with_one_function_takes_it_and_others_stay_without(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    migrate::up(&scratch.location, now()).unwrap();
    let test = |id: &str, programme: &str| {
        format!(
            "INSERT INTO test_cases (id, tenant_id, programme_id, title, test_type, status, pending, priority, steps,
                                         due_on, measures, evidence, version, created_at, updated_at)
                     VALUES ('{id}', 'ten_a', '{programme}', 'T', 'tlpt', 'draft', 1, 2, '[]', 'none', '[]', '[]', 1, 0, 0);"
        )
    };
    let before = format!(
        "ALTER TABLE test_cases DROP COLUMN functions;
             INSERT INTO tenants (id, slug, name, created_at) VALUES ('ten_a', 'a', 'A', 0);
             INSERT INTO programmes (id, tenant_id, name, framework, status, running, starts_on, ends_on, functions,
                                     version, created_at, updated_at)
                 VALUES ('prg_1', 'ten_a', 'P', 'dora', 'planned', 1, 'none', 'none', '[\"Payments\"]', 1, 0, 0),
                        ('prg_2', 'ten_a', 'P', 'dora', 'planned', 1, 'none', 'none', '[\"Cards\",\"Payments\"]', 1, 0, 0);
             INSERT INTO functions (id, tenant_id, number, name, criticality, assessed_on, impact_of_discontinuing, words,
                                    version, created_at, updated_at)
                 VALUES ('fun_1', 'ten_a', 1, 'Payments', 'other', 'none', 'low', '', 1, 0, 0);
             {}{}",
        test("tst_1", "prg_1"),
        test("tst_2", "prg_2"),
    );
    run(&scratch.location, &before);
    run(&scratch.location, migration!(&scratch.location, "0380_test_functions"));
    let named = texts(&scratch.location, "SELECT id || ' ' || functions FROM test_cases ORDER BY id");
    assert_eq!(named, ["tst_1 [\"Payments\"]", "tst_2 []"]);
    let links =
        texts(&scratch.location, "SELECT kind || ' ' || record_id || ' ' || function_id FROM function_links");
    assert_eq!(links, ["test_case tst_1 fun_1"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn functions_and_the_rows_of_the_register_are_brought_together(engine: Engine) {
    let scratch = Scratch::unmigrated(engine);
    migrate::up(&scratch.location, now()).unwrap();
    // On the page F1 is lending; in the register it is core banking, which the page calls F2.
    let before = r#"
            INSERT INTO tenants (id, slug, name, created_at) VALUES ('ten_a', 'a', 'A', 0);
            INSERT INTO functions (id, tenant_id, number, name, criticality, assessed_on, impact_of_discontinuing,
                                   rto_minutes, rpo_minutes, words, version, created_at, updated_at)
                VALUES ('fun_1', 'ten_a', 1, 'Lending', 'not_assessed', 'none', 'not_assessed', NULL, NULL, '', 1, 0, 0),
                       ('fun_2', 'ten_a', 2, 'Core banking', 'critical_or_important', '2026-03-31', 'high', 240, 15, '', 1, 0, 0);
            INSERT INTO register_rows (id, tenant_id, template, cells, version, created_at, updated_at)
                VALUES ('row_1', 'ten_a', 'B_06.01', '{"c0010":"F1","c0020":"eba_TA:x28","c0030":"Core banking",
                         "c0040":"L","c0050":"eba_BT:x28","c0070":"9999-12-31","c0080":"0","c0090":"2",
                         "c0100":"eba_ZZ:x799"}', 1, 0, 0),
                       ('row_2', 'ten_a', 'B_06.01', '{"c0010":"F9","c0030":"Custody","c0040":"L","c0050":"eba_BT:x29",
                         "c0080":"1"}', 1, 0, 0);
        "#;
    run(&scratch.location, before);
    run(&scratch.location, migration!(&scratch.location, "0382_functions_of_the_register"));
    let functions = texts(
        &scratch.location,
        "SELECT name || ' ' || COALESCE(identifier, 'F' || number) || ' ' || criticality || ' ' || assessed_on || ' '
                 || COALESCE(rto_minutes, 0) || ' ' || COALESCE(rpo_minutes, 0) || ' ' || impact_of_discontinuing
             FROM functions ORDER BY name",
    );
    assert_eq!(
        functions,
        [
            "Core banking F1 critical_or_important 2026-03-31 240 120 high",
            "Custody F9 other none 60 0 not_assessed",
            "Lending F10 not_assessed none 0 0 not_assessed",
        ]
    );
    let cell = |code: &str| match &scratch.location {
        Location::File { .. } => format!("COALESCE(json_extract(cells, '$.{code}'), '')"),
        Location::Server { .. } => format!("COALESCE(CAST(cells AS JSON) ->> '{code}', '')"),
    };
    let wanted = ["c0010", "c0050", "c0070", "c0080", "c0090", "c0100"].map(cell).join(" || ' ' || ");
    let rows = texts(&scratch.location, &format!("SELECT {wanted} FROM register_rows ORDER BY id"));
    assert_eq!(rows, ["F1 eba_BT:x28 2026-03-31 4 2 eba_ZZ:x793", "F9 eba_BT:x29  1  "]);
}
