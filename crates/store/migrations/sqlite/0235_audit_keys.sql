-- The root key an entry was hashed with, and the one a chain is hashed with; none: a plain hash, as before there were keys.
ALTER TABLE audit_entries ADD COLUMN key_id TEXT;
ALTER TABLE chains ADD COLUMN audit_key TEXT;

-- Root keys of earlier entries, sealed with the vault key in use, so that chains stay verifiable when old vault keys go.
CREATE TABLE audit_chain_keys (
    id TEXT PRIMARY KEY,
    sealed TEXT NOT NULL,
    kept_at BIGINT NOT NULL
);
