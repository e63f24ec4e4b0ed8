-- What findings, test cases and risks name: requirements, measures and own controls. Kept with every change of such a
-- record, so that the page of a requirement finds what belongs to it.
CREATE TABLE proof_links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, key)
);
INSERT INTO proof_links (tenant_id, record_id, key)
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_each(r.requirements) j
    UNION
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_each(r.measures) j
    UNION
    SELECT r.tenant_id, r.id, j.value FROM findings r CROSS JOIN json_each(r.controls) j
    UNION
    SELECT r.tenant_id, r.id, j.value FROM test_cases r CROSS JOIN json_each(r.measures) j
    UNION
    SELECT r.tenant_id, r.id, j.value FROM test_cases r CROSS JOIN json_each(r.controls) j
    UNION
    SELECT r.tenant_id, r.id, j.value FROM risks r CROSS JOIN json_each(r.controls) j;
