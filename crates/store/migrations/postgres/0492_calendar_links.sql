-- The private calendar address of a person: the digest of its secret, never the secret. A person has one at most.
CREATE TABLE calendar_links (
    user_id TEXT COLLATE "C" PRIMARY KEY REFERENCES users (id),
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    digest TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX calendar_links_by_digest ON calendar_links (digest);

ALTER TABLE calendar_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calendar_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
