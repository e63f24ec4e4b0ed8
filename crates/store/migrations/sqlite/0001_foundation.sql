CREATE TABLE store_meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
-- Changes when a store is restored, so that no validator given out before fits the restored data.
INSERT INTO store_meta (name, value) VALUES ('epoch', lower(hex(randomblob(8))));

-- One row for each tenant and one for the platform: revision and head of the audit chain.
CREATE TABLE chains (
    name TEXT PRIMARY KEY,
    revision BIGINT NOT NULL,
    audit_seq BIGINT NOT NULL,
    audit_hash TEXT NOT NULL
);
INSERT INTO chains (name, revision, audit_seq, audit_hash)
VALUES ('platform', 0, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- Counters other nodes watch to drop what they remember: one for each kind of memory.
CREATE TABLE signals (
    name TEXT PRIMARY KEY,
    revision BIGINT NOT NULL
);
INSERT INTO signals (name, revision) VALUES ('keys', 0), ('settings', 0);

CREATE TABLE audit_entries (
    chain TEXT NOT NULL REFERENCES chains (name),
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);

CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    permissions TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, id);

CREATE TABLE thresholds (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    provider_pct BIGINT NOT NULL,
    sector_pct BIGINT NOT NULL,
    regional_pct BIGINT NOT NULL,
    technology_pct BIGINT NOT NULL,
    review_days BIGINT NOT NULL,
    enabled BIGINT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    channel TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    active BIGINT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX webhooks_by_tenant ON webhooks (tenant_id, id);

-- The answer to a creating request, kept with the row it created.
CREATE TABLE idempotency_keys (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    idempotency_key TEXT NOT NULL,
    request_digest TEXT NOT NULL,
    subject TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, idempotency_key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
