-- People who sign in to the workspace. An address belongs to one person of one tenant.
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
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
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    digest TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- Links that work once: first set-up (of no user yet), invitation, new password. A used one is deleted.
CREATE TABLE one_time_links (
    digest TEXT PRIMARY KEY,
    tenant_id TEXT REFERENCES tenants (id),
    user_id TEXT REFERENCES users (id),
    purpose TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX one_time_links_by_user ON one_time_links (user_id);
CREATE INDEX one_time_links_by_age ON one_time_links (expires_at);

-- Signed-in browsers: the digest of what their cookie holds, never the cookie.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    digest TEXT NOT NULL UNIQUE,
    stage TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_seen ON sessions (seen_at);
CREATE INDEX sessions_by_age ON sessions (created_at);
