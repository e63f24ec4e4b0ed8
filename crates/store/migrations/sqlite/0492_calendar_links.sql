-- The private calendar address of a person: the digest of its secret, never the secret. A person has one at most.
CREATE TABLE calendar_links (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    digest TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX calendar_links_by_digest ON calendar_links (digest);
