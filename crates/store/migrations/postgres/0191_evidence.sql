-- Evidence: what is known of it. The bytes of its file are kept once per tenant, by their digest.
CREATE TABLE evidence (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    title TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C",
    description TEXT,
    file_name TEXT,
    media_type TEXT,
    bytes BIGINT,
    sha256 TEXT COLLATE "C",
    url TEXT,
    collected_on TEXT COLLATE "C" NOT NULL,
    valid_until TEXT COLLATE "C" NOT NULL,
    keep_until TEXT COLLATE "C" NOT NULL,
    keep_because TEXT,
    owner TEXT COLLATE "C",
    uploaded_by TEXT COLLATE "C" NOT NULL,
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
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    sha256 TEXT COLLATE "C" NOT NULL,
    content_id TEXT COLLATE "C" NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, sha256)
);

-- Bytes in parts of equal size, the last one shorter.
CREATE TABLE evidence_chunks (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    content_id TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, content_id, place)
);

-- Bytes that belong to no file yet. A job deletes those of which nothing more came.
CREATE TABLE evidence_uploads (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    content_id TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, content_id)
);
CREATE INDEX evidence_uploads_by_start ON evidence_uploads (started_at, tenant_id, content_id);

-- What evidence is attached to.
CREATE TABLE evidence_links (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    evidence_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    target_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, evidence_id, type, target_id)
);
CREATE INDEX evidence_links_by_target ON evidence_links (tenant_id, target_id, type, evidence_id);

ALTER TABLE evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evidence
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE evidence_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE evidence_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evidence_files
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE evidence_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE evidence_chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evidence_chunks
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE evidence_uploads ENABLE ROW LEVEL SECURITY;
ALTER TABLE evidence_uploads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evidence_uploads
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE evidence_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE evidence_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evidence_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

-- Compressing what is compressed already only costs time.
ALTER TABLE evidence_chunks ALTER COLUMN content SET STORAGE EXTERNAL;
