-- Saved views of lists. `owner` is the person or key that saved it, `list` the table of its records.
CREATE TABLE list_views (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    owner TEXT NOT NULL,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    is_shared BIGINT NOT NULL,
    is_start BIGINT NOT NULL,
    shown_columns TEXT NOT NULL,
    filters TEXT NOT NULL,
    sort TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX list_views_by_tenant ON list_views (tenant_id, id);
CREATE INDEX list_views_of_owner ON list_views (tenant_id, owner, list);
