-- What an analysis of the register rests on, with the revision of the tenant in which it was changed last, so that an
-- analysis can say that it is out of date.
CREATE TABLE register_changes (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    cause TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, cause)
);

-- The revision an analysis was made from; unknown for those made before.
ALTER TABLE analyses ADD COLUMN revision BIGINT;

ALTER TABLE register_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE register_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON register_changes
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
