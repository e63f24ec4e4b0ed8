//! Row-level security on PostgreSQL: a transaction sees the rows of the tenant it is opened for and no others, and
//! searching still uses its index.

use postgres::Client;

use crate::statements::postgres;

/// Tables without tenant data, with the reason.
const SHARED_TABLES: &[(&str, &str)] = &[
    ("compliance_scores", "scores of the catalogue, by its edition"),
    ("healings", "repairs of the service itself"),
    ("health_samples", "the health of the service"),
    ("heartbeats", "the running nodes"),
    ("issued_leis", "the public register of legal entity identifiers"),
    ("jobs", "the schedule of the service"),
    ("migrations", "the history of the schema"),
    ("route_counts", "requests by route, without tenants"),
    ("scans", "vulnerabilities of the service itself"),
    ("signals", "counters that nodes watch"),
    ("store_meta", "facts about the store"),
    ("timeline_items", "the public timeline"),
];

#[test]
fn every_table_with_tenant_data_is_behind_row_level_security() {
    let (_scratch, mut client) = postgres();
    let rows = client
        .query(
            "SELECT c.relname::text, c.relrowsecurity AND c.relforcerowsecurity,
                    EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid),
                    EXISTS (SELECT 1 FROM information_schema.columns i
                            WHERE i.table_schema = 'public' AND i.table_name = c.relname
                              AND i.column_name = 'tenant_id')
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY c.relname",
            &[],
        )
        .unwrap();
    let mut open = Vec::new();
    for row in &rows {
        let (table, forced, has_policy, of_a_tenant): (String, bool, bool, bool) =
            (row.get(0), row.get(1), row.get(2), row.get(3));
        let shared = SHARED_TABLES.iter().any(|(name, _)| *name == table);
        assert!(!(shared && of_a_tenant), "{table} has a tenant and cannot be shared");
        let is_protected = forced && has_policy;
        if !shared && !is_protected {
            open.push(table);
        }
    }
    assert!(rows.len() > 60, "{}", rows.len());
    assert_eq!(open, [""; 0], "each needs a policy, or a place in the list with its reason");
}

/// Two tenants, each with a record whose words are indexed.
const TWO_TENANTS: &str = "
    SELECT set_config('tidewall.tenant', '*', false);
    INSERT INTO tenants (id, slug, name, created_at) VALUES ('ten_a', 'a', 'A', 0), ('ten_b', 'b', 'B', 0);
    INSERT INTO documents (doc, tenant_id, record_id) VALUES (1, 'ten_a', 'fnd_a'), (2, 'ten_b', 'fnd_b');
    INSERT INTO document_texts (rowid, tenant_id, tokens)
    VALUES (1, 'ten_a', array_to_tsvector('{secreta,both}')), (2, 'ten_b', array_to_tsvector('{secretb,both}'));
    INSERT INTO webhooks (id, tenant_id, name, channel, url, url_hash, events, active, version, created_at, updated_at)
    VALUES ('whk_a', 'ten_a', 'A', 'email', '', 'shared', 'finding.created', 1, 1, 0, 0),
           ('whk_b', 'ten_b', 'B', 'email', '', 'shared', 'finding.created', 1, 1, 0, 0);
    INSERT INTO destinations (url_hash, medium, owner, not_before)
    VALUES ('own_a', 'mail', 'ten_a', 0), ('own_b', 'mail', 'ten_b', 0), ('shared', 'mail', 'ten_a', 0);";

fn numbers(client: &mut Client, statement: &str) -> Vec<i64> {
    client.query(statement, &[]).unwrap().iter().map(|row| row.get(0)).collect()
}

fn texts(client: &mut Client, statement: &str) -> Vec<String> {
    client.query(statement, &[]).unwrap().iter().map(|row| row.get(0)).collect()
}

fn become_tenant(client: &mut Client, tenant: &str) {
    client.execute("SELECT set_config('tidewall.tenant', $1, false)", &[&tenant]).unwrap();
}

fn look_for(client: &mut Client, words: &str) {
    client.execute("SELECT set_config('tidewall.words', $1, false)", &[&words]).unwrap();
}

#[test]
fn words_destinations_and_names_of_one_tenant_are_closed_to_another() {
    let (_scratch, mut client) = postgres();
    client.batch_execute(TWO_TENANTS).unwrap();
    for (tenant, docs, names, sends_to) in [
        ("ten_a", vec![1_i64], vec!["A"], vec!["own_a", "shared"]),
        ("ten_b", vec![2], vec!["B"], vec!["own_b", "shared"]),
        ("", vec![], vec![], vec![]),
        ("*", vec![1, 2], vec!["A", "B"], vec!["own_a", "own_b", "shared"]),
    ] {
        become_tenant(&mut client, tenant);
        assert_eq!(numbers(&mut client, "SELECT rowid FROM document_texts ORDER BY rowid"), docs, "{tenant}");
        let words = "SELECT rowid FROM document_texts WHERE tokens @@ 'both'::tsquery ORDER BY rowid";
        assert_eq!(numbers(&mut client, words), docs, "{tenant}");
        assert_eq!(texts(&mut client, "SELECT name FROM tenants ORDER BY name"), names, "{tenant}");
        let hashes = "SELECT url_hash FROM destinations ORDER BY url_hash";
        assert_eq!(texts(&mut client, hashes), sends_to, "{tenant}");
    }
    become_tenant(&mut client, "ten_b");
    assert_eq!(client.execute("DELETE FROM document_texts", &[]).unwrap(), 1, "only its own");
    let foreign = "INSERT INTO document_texts (rowid, tenant_id, tokens) VALUES (9, 'ten_a', ''::tsvector)";
    assert!(client.execute(foreign, &[]).is_err());
    let foreign =
        "INSERT INTO destinations (url_hash, medium, owner, not_before) VALUES ('x', 'mail', 'ten_a', 0)";
    assert!(client.execute(foreign, &[]).is_err());
}

#[test]
fn a_tenant_wakes_a_destination_that_another_one_began() {
    let (_scratch, mut client) = postgres();
    client.batch_execute(TWO_TENANTS).unwrap();
    become_tenant(&mut client, "ten_b");
    let wake = "INSERT INTO destinations (url_hash, medium, owner, ready_at, not_before)
                VALUES ('shared', 'mail', 'ten_b', 7, 0)
                ON CONFLICT (url_hash) DO UPDATE SET ready_at = excluded.ready_at";
    assert_eq!(client.execute(wake, &[]).unwrap(), 1);
    let ready = numbers(&mut client, "SELECT ready_at FROM destinations WHERE url_hash = 'shared'");
    assert_eq!(ready, [7_i64]);
}

#[test]
fn a_node_of_the_version_before_indexes_and_finds_words() {
    let (_scratch, mut client) = postgres();
    client.batch_execute(TWO_TENANTS).unwrap();
    become_tenant(&mut client, "ten_b");
    let document = "INSERT INTO documents (doc, tenant_id, record_id) VALUES (3, 'ten_b', 'fnd_c')";
    client.batch_execute(document).unwrap();
    let old = "INSERT INTO document_texts (rowid, tokens) VALUES (3, array_to_tsvector('{secretc}'))";
    client.batch_execute(old).unwrap();
    let words = "SELECT rowid FROM document_texts WHERE tokens @@ 'secretc'::tsquery";
    assert_eq!(numbers(&mut client, words), [3_i64]);
    become_tenant(&mut client, "ten_a");
    assert_eq!(numbers(&mut client, words), [0_i64; 0]);
}

#[test]
fn a_search_uses_the_index_behind_the_policy() {
    let (_scratch, mut client) = postgres();
    client.batch_execute(TWO_TENANTS).unwrap();
    become_tenant(&mut client, "ten_a");
    client.batch_execute("SET enable_seqscan = off").unwrap();
    look_for(&mut client, "'both'");
    assert_eq!(numbers(&mut client, "SELECT rowid FROM document_texts"), [1_i64]);
    let plan = texts(&mut client, "EXPLAIN SELECT rowid FROM document_texts").join("\n");
    assert!(plan.contains("Bitmap Index Scan on document_texts_by_token"), "{plan}");
    look_for(&mut client, "'secretb'");
    assert_eq!(numbers(&mut client, "SELECT rowid FROM document_texts"), [0_i64; 0]);
}
