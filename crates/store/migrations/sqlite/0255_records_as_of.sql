-- Earlier versions keep the columns of their row, so that a list can be read as of a day.
ALTER TABLE record_versions ADD COLUMN kind TEXT;
ALTER TABLE record_versions ADD COLUMN cells TEXT;

CREATE INDEX record_versions_of_kind ON record_versions (tenant_id, kind, valid_until);
