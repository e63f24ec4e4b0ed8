-- Passkeys of accounts: the public key of each, and how often it has signed, as far as it counts.
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    credential_id TEXT NOT NULL,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    signature_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);
