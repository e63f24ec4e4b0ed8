-- Samples of records, drawn once and never changed. `list` is the table of the records; `filters` and `drawn` are JSON.
CREATE TABLE samples (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    list TEXT NOT NULL,
    filters TEXT NOT NULL,
    size BIGINT NOT NULL,
    seed TEXT NOT NULL,
    purpose TEXT NOT NULL,
    population BIGINT NOT NULL,
    drawn TEXT NOT NULL,
    drawn_by TEXT NOT NULL,
    drawn_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX samples_by_tenant ON samples (tenant_id, id);
CREATE INDEX samples_by_time ON samples (tenant_id, drawn_at, id);
