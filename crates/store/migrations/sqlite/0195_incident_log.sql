-- The log of an incident, line by line; what was learnt; the series an incident seems to belong to.
ALTER TABLE incidents ADD COLUMN lessons TEXT;
ALTER TABLE incidents ADD COLUMN recurring_group TEXT;
CREATE INDEX incidents_by_work ON incidents (open, tenant_id, id);

CREATE TABLE incident_log (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    incident_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    text TEXT NOT NULL,
    actor TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, incident_id, seq)
);
CREATE INDEX incident_log_by_time ON incident_log (tenant_id, incident_id, at, seq);
