CREATE TABLE store_meta (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);
-- Changes when a store is restored, so that no validator given out before fits the restored data.
INSERT INTO store_meta (name, value) VALUES ('epoch', substr(md5(random()::text), 1, 16));

-- One row for each tenant and one for the platform: revision and head of the audit chain.
CREATE TABLE chains (
    name TEXT COLLATE "C" PRIMARY KEY,
    revision BIGINT NOT NULL,
    audit_seq BIGINT NOT NULL,
    audit_hash TEXT NOT NULL
);
INSERT INTO chains (name, revision, audit_seq, audit_hash)
VALUES ('platform', 0, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- Counters other nodes watch to drop what they remember: one for each kind of memory.
CREATE TABLE signals (
    name TEXT COLLATE "C" PRIMARY KEY,
    revision BIGINT NOT NULL
);
INSERT INTO signals (name, revision) VALUES ('keys', 0), ('settings', 0);

CREATE TABLE audit_entries (
    chain TEXT COLLATE "C" NOT NULL REFERENCES chains (name),
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);

CREATE TABLE tenants (
    id TEXT COLLATE "C" PRIMARY KEY,
    slug TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    name TEXT COLLATE "C" NOT NULL,
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
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
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
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    name TEXT COLLATE "C" NOT NULL,
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
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    idempotency_key TEXT NOT NULL,
    request_digest TEXT NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, idempotency_key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The second wall: a transaction sees only the tenant it was opened for. '*' is the platform itself.
ALTER TABLE chains ENABLE ROW LEVEL SECURITY;
ALTER TABLE chains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON chains
    USING (current_setting('tidewall.tenant', true) IN (name, '*'));
ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_entries
    USING (current_setting('tidewall.tenant', true) IN (chain, '*'));
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_keys
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE thresholds ENABLE ROW LEVEL SECURITY;
ALTER TABLE thresholds FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON thresholds
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhooks
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
