-- Corrections of what was recorded as sent, submitted or performed. Rows are only added.
CREATE TABLE corrections (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    place TEXT NOT NULL,
    field TEXT NOT NULL,
    first_value TEXT,
    value TEXT,
    reason TEXT NOT NULL,
    recorded_by TEXT,
    recorded_at BIGINT,
    corrected_by TEXT NOT NULL,
    corrected_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, seq)
);
