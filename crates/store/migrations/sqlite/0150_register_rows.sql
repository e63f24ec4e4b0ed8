-- The rows of all templates of the register of information, cell by cell as they were entered: `cells` is a JSON object
-- of column codes and texts. The arrangements are read from them.
CREATE TABLE register_rows (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    template TEXT NOT NULL,
    cells TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX register_rows_by_tenant ON register_rows (tenant_id, id);
CREATE UNIQUE INDEX register_rows_by_template ON register_rows (tenant_id, template, id);
CREATE INDEX register_rows_by_change ON register_rows (tenant_id, updated_at, id);

-- When the rows of a tenant were last added to, changed or removed: a package is named by it.
CREATE TABLE register_states (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    changed_at BIGINT NOT NULL
);
