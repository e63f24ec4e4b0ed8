-- People who sign in to the workspace. An address belongs to one person of one tenant.
CREATE TABLE users (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    email TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    role TEXT NOT NULL,
    language TEXT,
    theme TEXT NOT NULL,
    password_hash TEXT,
    totp_secret TEXT,
    totp_pending TEXT,
    totp_step BIGINT,
    disabled_at BIGINT,
    signed_in_at BIGINT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX users_by_tenant ON users (tenant_id, id);

-- What opens an account once when the second factor is lost; a used one is deleted.
CREATE TABLE recovery_codes (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    digest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- Links that work once: first set-up (of no user yet), invitation, new password. A used one is deleted.
CREATE TABLE one_time_links (
    digest TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" REFERENCES tenants (id),
    user_id TEXT COLLATE "C" REFERENCES users (id),
    purpose TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX one_time_links_by_user ON one_time_links (user_id);
CREATE INDEX one_time_links_by_age ON one_time_links (expires_at);

-- Signed-in browsers: the digest of what their cookie holds, never the cookie.
CREATE TABLE sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    digest TEXT COLLATE "C" NOT NULL UNIQUE,
    stage TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_seen ON sessions (seen_at);
CREATE INDEX sessions_by_age ON sessions (created_at);

ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON users
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON recovery_codes
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE one_time_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE one_time_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON one_time_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sessions
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
