-- Comments on records of every kind. `subject` is the id of the record, `kind` its table; `author` the person or key
-- that wrote it, `written_with` the key that a person wrote it with. `updated_at` is the last change, for lists that are
-- read by change.
CREATE TABLE comments (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    mentions TEXT NOT NULL,
    author TEXT NOT NULL,
    written_with TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    edited_at BIGINT,
    resolved_at BIGINT,
    resolved_by TEXT,
    withdrawn_at BIGINT
);
CREATE UNIQUE INDEX comments_by_tenant ON comments (tenant_id, id);
CREATE INDEX comments_of_subject ON comments (tenant_id, subject, id);
CREATE INDEX comments_by_change ON comments (tenant_id, subject, updated_at, id);

-- The people who want to know of comments on a record.
CREATE TABLE watches (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, subject, user_id)
);
CREATE INDEX watches_of_user ON watches (tenant_id, user_id);
