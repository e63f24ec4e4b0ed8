-- What an analysis of the register rests on, with the revision of the tenant in which it was changed last, so that an
-- analysis can say that it is out of date.
CREATE TABLE register_changes (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    cause TEXT NOT NULL,
    revision BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, cause)
);

-- The revision an analysis was made from; unknown for those made before.
ALTER TABLE analyses ADD COLUMN revision BIGINT;
