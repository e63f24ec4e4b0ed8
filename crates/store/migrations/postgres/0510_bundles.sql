-- Audit bundles: what was asked for, how far it is, and where its bytes are. A claim is held by the node that makes it.
CREATE TABLE bundles (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    framework TEXT COLLATE "C",
    as_of TEXT COLLATE "C" NOT NULL,
    from_on TEXT COLLATE "C",
    language TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    progress BIGINT NOT NULL,
    asked_by TEXT COLLATE "C" NOT NULL,
    asked_at BIGINT NOT NULL,
    claim TEXT COLLATE "C",
    claimed_until BIGINT NOT NULL,
    made_at BIGINT,
    content_id TEXT COLLATE "C",
    bytes BIGINT,
    sha256 TEXT COLLATE "C",
    problem TEXT COLLATE "C"
);
CREATE UNIQUE INDEX bundles_by_tenant ON bundles (tenant_id, id);
CREATE INDEX bundles_by_state ON bundles (state, claimed_until, id);

ALTER TABLE bundles ENABLE ROW LEVEL SECURITY;
ALTER TABLE bundles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bundles
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
