-- Simulations that were kept: what was asked and what came out, as it was then.
CREATE TABLE simulations (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    level_before TEXT NOT NULL,
    level_after TEXT NOT NULL,
    content TEXT NOT NULL
);
CREATE UNIQUE INDEX simulations_by_tenant ON simulations (tenant_id, id);
