-- Corrections of what was recorded as sent, submitted or performed. Rows are only added.
CREATE TABLE corrections (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    place TEXT COLLATE "C" NOT NULL,
    field TEXT COLLATE "C" NOT NULL,
    first_value TEXT,
    value TEXT,
    reason TEXT NOT NULL,
    recorded_by TEXT COLLATE "C",
    recorded_at BIGINT,
    corrected_by TEXT COLLATE "C" NOT NULL,
    corrected_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, seq)
);

ALTER TABLE corrections ENABLE ROW LEVEL SECURITY;
ALTER TABLE corrections FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON corrections
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
