-- Audit bundles: what was asked for, how far it is, and where its bytes are. A claim is held by the node that makes it.
CREATE TABLE bundles (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    framework TEXT,
    as_of TEXT NOT NULL,
    from_on TEXT,
    language TEXT NOT NULL,
    state TEXT NOT NULL,
    progress BIGINT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    claim TEXT,
    claimed_until BIGINT NOT NULL,
    made_at BIGINT,
    content_id TEXT,
    bytes BIGINT,
    sha256 TEXT,
    problem TEXT
);
CREATE UNIQUE INDEX bundles_by_tenant ON bundles (tenant_id, id);
CREATE INDEX bundles_by_state ON bundles (state, claimed_until, id);
