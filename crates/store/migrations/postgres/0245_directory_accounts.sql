-- What a directory (SCIM) knows of an account: its own id for it, and when it removed it. An account the directory
-- removed stays in `users`, closed, because the history names it.
CREATE TABLE directory_accounts (
    user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    external_id TEXT COLLATE "C",
    removed_at BIGINT
);
CREATE INDEX directory_accounts_by_external_id ON directory_accounts (tenant_id, external_id, user_id);

ALTER TABLE directory_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON directory_accounts
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
