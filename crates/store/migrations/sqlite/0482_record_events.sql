-- Every write to a record, and what else happened to it, in the order in which the transactions of its tenant were
-- committed. What the record was before and after stands in its versions; `detail` says more about what else happened.
CREATE TABLE record_events (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    position BIGINT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    verb TEXT NOT NULL,
    version BIGINT NOT NULL,
    recomputed BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    detail TEXT,
    PRIMARY KEY (tenant_id, position)
) WITHOUT ROWID;
CREATE UNIQUE INDEX record_events_by_id ON record_events (id);
