-- The root key an entry was hashed with, and the one a chain is hashed with; none: a plain hash, as before there were keys.
ALTER TABLE audit_entries ADD COLUMN key_id TEXT COLLATE "C";
ALTER TABLE chains ADD COLUMN audit_key TEXT COLLATE "C";

-- Root keys of earlier entries, sealed with the vault key in use, so that chains stay verifiable when old vault keys go.
CREATE TABLE audit_chain_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    sealed TEXT NOT NULL,
    kept_at BIGINT NOT NULL
);
ALTER TABLE audit_chain_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chain_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY platform ON audit_chain_keys
    USING (current_setting('tidewall.tenant', true) = '*');
