-- Own fields: `kind` is the noun of the records, `choices` a JSON list. `is_used` says whether a record ever had a value.
CREATE TABLE custom_fields (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    field_key TEXT NOT NULL,
    field_type TEXT NOT NULL,
    label TEXT NOT NULL,
    label_de TEXT,
    choices TEXT NOT NULL,
    place BIGINT NOT NULL,
    is_used BIGINT NOT NULL,
    archived_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX custom_fields_by_tenant ON custom_fields (tenant_id, id);
CREATE UNIQUE INDEX custom_fields_of_kind ON custom_fields (tenant_id, kind, field_key);

-- What records have in their own fields, so that lists can be filtered by it.
-- A digest is one of the kind, the key and the value.
CREATE TABLE custom_values (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    digest BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, digest)
) WITHOUT ROWID;
CREATE UNIQUE INDEX custom_values_by_digest ON custom_values (tenant_id, digest, record_id);

-- The values of a record: a JSON object by the keys of its fields.
ALTER TABLE approvals ADD COLUMN custom TEXT;
ALTER TABLE arrangements ADD COLUMN custom TEXT;
ALTER TABLE controls ADD COLUMN custom TEXT;
ALTER TABLE cra_reports ADD COLUMN custom TEXT;
ALTER TABLE drill_runs ADD COLUMN custom TEXT;
ALTER TABLE evidence ADD COLUMN custom TEXT;
ALTER TABLE evidence_requests ADD COLUMN custom TEXT;
ALTER TABLE findings ADD COLUMN custom TEXT;
ALTER TABLE functions ADD COLUMN custom TEXT;
ALTER TABLE incidents ADD COLUMN custom TEXT;
ALTER TABLE own_frameworks ADD COLUMN custom TEXT;
ALTER TABLE programmes ADD COLUMN custom TEXT;
ALTER TABLE provider_reviews ADD COLUMN custom TEXT;
ALTER TABLE providers ADD COLUMN custom TEXT;
ALTER TABLE register_filings ADD COLUMN custom TEXT;
ALTER TABLE risks ADD COLUMN custom TEXT;
ALTER TABLE tasks ADD COLUMN custom TEXT;
ALTER TABLE test_cases ADD COLUMN custom TEXT;
ALTER TABLE trainings ADD COLUMN custom TEXT;
