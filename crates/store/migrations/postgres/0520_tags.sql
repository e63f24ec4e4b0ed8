-- Tags of records of every kind. `kind` is the table of the record, `folded` the tag in lower case, by which tags are
-- compared, and `tag` the tag as it was written.
CREATE TABLE record_tags (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    folded TEXT COLLATE "C" NOT NULL,
    tag TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, record_id, folded)
);
CREATE INDEX record_tags_of_kind ON record_tags (tenant_id, kind, folded, record_id);

ALTER TABLE record_tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_tags FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON record_tags
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
