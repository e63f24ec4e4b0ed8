-- Comments on records of every kind. `subject` is the id of the record, `kind` its table; `author` the person or key
-- that wrote it, `written_with` the key that a person wrote it with. `updated_at` is the last change, for lists that are
-- read by change.
CREATE TABLE comments (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    mentions TEXT NOT NULL,
    author TEXT COLLATE "C" NOT NULL,
    written_with TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    edited_at BIGINT,
    resolved_at BIGINT,
    resolved_by TEXT COLLATE "C",
    withdrawn_at BIGINT
);
CREATE UNIQUE INDEX comments_by_tenant ON comments (tenant_id, id);
CREATE INDEX comments_of_subject ON comments (tenant_id, subject, id);
CREATE INDEX comments_by_change ON comments (tenant_id, subject, updated_at, id);

-- The people who want to know of comments on a record.
CREATE TABLE watches (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, subject, user_id)
);
CREATE INDEX watches_of_user ON watches (tenant_id, user_id);

ALTER TABLE comments ENABLE ROW LEVEL SECURITY;
ALTER TABLE comments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON comments
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE watches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON watches
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
