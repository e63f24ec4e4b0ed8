-- Evidence: what is known of it. The bytes of its file are kept once per tenant, by their digest.
CREATE TABLE evidence (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    title TEXT NOT NULL,
    kind TEXT,
    description TEXT,
    file_name TEXT,
    media_type TEXT,
    bytes BIGINT,
    sha256 TEXT,
    url TEXT,
    collected_on TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    keep_until TEXT NOT NULL,
    keep_because TEXT,
    owner TEXT,
    uploaded_by TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX evidence_by_tenant ON evidence (tenant_id, id);
CREATE INDEX evidence_by_change ON evidence (tenant_id, updated_at, id);
CREATE INDEX evidence_by_validity ON evidence (tenant_id, valid_until, id);
CREATE INDEX evidence_by_digest ON evidence (tenant_id, sha256);
CREATE INDEX evidence_by_expiry ON evidence (valid_until, tenant_id, id);

-- The files of a tenant, each once. `content_id` is where its bytes are.
CREATE TABLE evidence_files (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    sha256 TEXT NOT NULL,
    content_id TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, sha256)
);

-- Bytes in parts of equal size, the last one shorter. The type has the name PostgreSQL gives it.
CREATE TABLE evidence_chunks (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    content_id TEXT NOT NULL,
    place BIGINT NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, content_id, place)
);

-- Bytes that belong to no file yet. A job deletes those of which nothing more came.
CREATE TABLE evidence_uploads (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    content_id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, content_id)
);
CREATE INDEX evidence_uploads_by_start ON evidence_uploads (started_at, tenant_id, content_id);

-- What evidence is attached to.
CREATE TABLE evidence_links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    evidence_id TEXT NOT NULL,
    type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, evidence_id, type, target_id)
);
CREATE INDEX evidence_links_by_target ON evidence_links (tenant_id, target_id, type, evidence_id);
