-- Wrong codes of a sign-in that waits for its second factor, and when a session last proved whose it is.
ALTER TABLE sessions ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN proved_at BIGINT;

-- Wrong codes for an account in a row, from browsers it does not know, and when the last one came.
ALTER TABLE users ADD COLUMN code_failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN code_failed_at BIGINT;

-- Who issued a link; unknown for links of earlier versions.
ALTER TABLE one_time_links ADD COLUMN issued_by TEXT;

-- Browsers in which the second factor of an account was presented before: the digest of what their cookie holds. Their
-- wrong codes are counted here, so that guesses from elsewhere do not keep the owner out.
CREATE TABLE known_devices (
    user_id TEXT NOT NULL REFERENCES users (id),
    digest TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    failures BIGINT NOT NULL,
    failed_at BIGINT,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, digest)
);
CREATE INDEX known_devices_by_seen ON known_devices (seen_at);
