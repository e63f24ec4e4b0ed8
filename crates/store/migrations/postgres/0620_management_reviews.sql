-- What an institution says in one report is JSON. A released management review has the number of its signed version.
ALTER TABLE period_reports ADD COLUMN own TEXT COLLATE "C";
ALTER TABLE period_reports ADD COLUMN version BIGINT;
CREATE INDEX period_reports_by_version ON period_reports (tenant_id, version);

-- How often controls were performed in a period.
CREATE INDEX control_performances_by_day ON control_performances (tenant_id, performed_on);
