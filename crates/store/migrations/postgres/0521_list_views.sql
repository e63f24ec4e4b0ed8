-- Saved views of lists. `owner` is the person or key that saved it, `list` the table of its records.
CREATE TABLE list_views (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    owner TEXT COLLATE "C" NOT NULL,
    list TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    is_shared BIGINT NOT NULL,
    is_start BIGINT NOT NULL,
    shown_columns TEXT NOT NULL,
    filters TEXT NOT NULL,
    sort TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX list_views_by_tenant ON list_views (tenant_id, id);
CREATE INDEX list_views_of_owner ON list_views (tenant_id, owner, list);

ALTER TABLE list_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_views FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON list_views
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
