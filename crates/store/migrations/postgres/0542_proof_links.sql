-- What findings, test cases and risks name: requirements, measures and own controls. Kept with every change of such a
-- record, so that the page of a requirement finds what belongs to it.
CREATE TABLE proof_links (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, record_id, key)
);

ALTER TABLE proof_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE proof_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON proof_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
-- Inserts nothing: the rows of every tenant are seen from here on.
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '*', true) AS seen) s WHERE s.seen = '';
INSERT INTO proof_links (tenant_id, record_id, key)
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_array_elements_text(CAST(r.requirements AS JSON)) AS j (value)
    UNION
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_array_elements_text(CAST(r.measures AS JSON)) AS j (value)
    UNION
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_array_elements_text(CAST(r.controls AS JSON)) AS j (value)
    UNION
    SELECT r.tenant_id, r.id, j.value FROM test_cases r CROSS JOIN json_array_elements_text(CAST(r.measures AS JSON)) AS j (value)
    UNION
    SELECT r.tenant_id, r.id, j.value FROM test_cases r CROSS JOIN json_array_elements_text(CAST(r.controls AS JSON)) AS j (value)
    UNION
    SELECT r.tenant_id, r.id, j.value FROM risks r CROSS JOIN json_array_elements_text(CAST(r.controls AS JSON)) AS j (value);
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '', true) AS seen) s WHERE s.seen = '*';
