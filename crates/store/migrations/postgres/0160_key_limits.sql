-- Who made a key (a person, another key or the operator; unknown for keys of earlier versions), what it reaches, where
-- it may be used from, which key replaces it, and of how near an end the administrators were notified.
ALTER TABLE api_keys ADD COLUMN created_by TEXT COLLATE "C";
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
ALTER TABLE api_keys ADD COLUMN networks TEXT;
ALTER TABLE api_keys ADD COLUMN replaced_by TEXT COLLATE "C";
ALTER TABLE api_keys ADD COLUMN changed_at BIGINT;
ALTER TABLE api_keys ADD COLUMN noticed_days BIGINT;
CREATE INDEX api_keys_by_maker ON api_keys (tenant_id, created_by, id);
CREATE INDEX api_keys_by_end ON api_keys (expires_at);
CREATE INDEX api_keys_by_last_change
    ON api_keys (tenant_id, (COALESCE(revoked_at, changed_at, created_at)), id);

-- How many days a key of the institution works at most; nothing means no limit.
ALTER TABLE tenants ADD COLUMN key_days BIGINT;
