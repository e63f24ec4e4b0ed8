-- Earlier versions of records: what each was before a change.
CREATE TABLE record_versions (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    valid_from BIGINT NOT NULL,
    valid_until BIGINT NOT NULL,
    replaced_by TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, version)
);

ALTER TABLE record_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON record_versions
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
