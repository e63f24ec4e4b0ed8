-- Passkeys of accounts: the public key of each, and how often it has signed, as far as it counts.
CREATE TABLE passkeys (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    credential_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    public_key TEXT COLLATE "C" NOT NULL,
    algorithm TEXT COLLATE "C" NOT NULL,
    signature_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON passkeys
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
