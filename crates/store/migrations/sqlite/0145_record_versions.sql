-- Earlier versions of records: what each was before a change.
CREATE TABLE record_versions (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    valid_from BIGINT NOT NULL,
    valid_until BIGINT NOT NULL,
    replaced_by TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, version)
) WITHOUT ROWID;
