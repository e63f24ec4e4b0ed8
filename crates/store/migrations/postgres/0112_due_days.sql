-- How many days findings of each severity may take, as a tenant has decided; no row means that nothing is decided.
CREATE TABLE due_days (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    critical BIGINT,
    high BIGINT,
    medium BIGINT,
    low BIGINT,
    info BIGINT,
    updated_at BIGINT NOT NULL
);

-- Whether the due day of a finding was set by that decision and not by a person.
ALTER TABLE findings ADD COLUMN due_by_rule BIGINT NOT NULL DEFAULT 0;

ALTER TABLE due_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE due_days FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON due_days
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
