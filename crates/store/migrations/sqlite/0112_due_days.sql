-- How many days findings of each severity may take, as a tenant has decided; no row means that nothing is decided.
CREATE TABLE due_days (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    critical BIGINT,
    high BIGINT,
    medium BIGINT,
    low BIGINT,
    info BIGINT,
    updated_at BIGINT NOT NULL
);

-- Whether the due day of a finding was set by that decision and not by a person.
ALTER TABLE findings ADD COLUMN due_by_rule BIGINT NOT NULL DEFAULT 0;
