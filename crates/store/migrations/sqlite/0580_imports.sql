-- Imports of tables of records. A mapping says which column each heading of a file means; `shape` is the digest of its
-- headings. A line that created a record is known by its digest, so that the same file again creates nothing.
CREATE TABLE import_mappings (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    list TEXT NOT NULL,
    shape TEXT NOT NULL,
    mapping TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, list, shape)
);

CREATE TABLE import_lines (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    list TEXT NOT NULL,
    digest TEXT NOT NULL,
    record_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, list, digest)
);
