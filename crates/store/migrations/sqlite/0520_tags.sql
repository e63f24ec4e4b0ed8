-- Tags of records of every kind. `kind` is the table of the record, `folded` the tag in lower case, by which tags are
-- compared, and `tag` the tag as it was written.
CREATE TABLE record_tags (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    folded TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, folded)
);
CREATE INDEX record_tags_of_kind ON record_tags (tenant_id, kind, folded, record_id);
