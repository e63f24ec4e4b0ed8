-- Imports of tables of records. A mapping says which column each heading of a file means; `shape` is the digest of its
-- headings. A line that created a record is known by its digest, so that the same file again creates nothing.
CREATE TABLE import_mappings (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    list TEXT COLLATE "C" NOT NULL,
    shape TEXT COLLATE "C" NOT NULL,
    mapping TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, list, shape)
);

CREATE TABLE import_lines (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    list TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, list, digest)
);

ALTER TABLE import_mappings ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_mappings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON import_mappings
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE import_lines ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_lines FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON import_lines
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
