-- Who has to see to an incident or a CRA report: an account or a plain name, as with the other records.
ALTER TABLE incidents ADD COLUMN owner TEXT;
ALTER TABLE cra_reports ADD COLUMN owner TEXT;
CREATE INDEX incidents_by_owner ON incidents (tenant_id, owner, id);
CREATE INDEX incidents_to_do_by_owner ON incidents (tenant_id, LOWER(owner), id) WHERE open = 1;
CREATE INDEX cra_reports_by_owner ON cra_reports (tenant_id, owner, id);
CREATE INDEX cra_reports_to_do_by_owner ON cra_reports (tenant_id, LOWER(owner), id) WHERE running = 1;
