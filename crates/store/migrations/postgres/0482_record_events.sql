-- Every write to a record, and what else happened to it, in the order in which the transactions of its tenant were
-- committed. What the record was before and after stands in its versions; `detail` says more about what else happened.
CREATE TABLE record_events (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    position BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    verb TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    recomputed BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    detail TEXT,
    PRIMARY KEY (tenant_id, position)
);
CREATE UNIQUE INDEX record_events_by_id ON record_events (id);

ALTER TABLE record_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON record_events
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
