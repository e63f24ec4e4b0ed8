-- The rows of all templates of the register of information, cell by cell as they were entered: `cells` is a JSON object
-- of column codes and texts. The arrangements are read from them.
CREATE TABLE register_rows (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    template TEXT COLLATE "C" NOT NULL,
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
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    changed_at BIGINT NOT NULL
);

ALTER TABLE register_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE register_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON register_rows
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE register_states ENABLE ROW LEVEL SECURITY;
ALTER TABLE register_states FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON register_states
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
