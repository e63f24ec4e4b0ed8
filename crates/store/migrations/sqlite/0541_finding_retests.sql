-- Retests of findings, counted for each finding from 1 and never changed. `evidence` is a list of ids.
CREATE TABLE finding_retests (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    finding_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    result TEXT NOT NULL,
    performed_on TEXT NOT NULL,
    performed_by TEXT,
    by_owner BIGINT NOT NULL,
    actual_result TEXT,
    evidence TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    PRIMARY KEY (tenant_id, finding_id, seq)
);
