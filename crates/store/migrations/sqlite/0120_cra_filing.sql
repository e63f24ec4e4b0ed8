-- When a filing was recorded and under which reference the authority keeps it, beside the time of filing. A filing
-- without a recorded time was recorded when it was filed. What was filed is archived, never deleted.
ALTER TABLE cra_reports ADD COLUMN early_warning_recorded_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN early_warning_reference TEXT;
ALTER TABLE cra_reports ADD COLUMN notification_recorded_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN notification_reference TEXT;
ALTER TABLE cra_reports ADD COLUMN final_report_recorded_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN final_report_reference TEXT;
ALTER TABLE cra_reports ADD COLUMN archived_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN finding_id TEXT REFERENCES findings (id) ON DELETE SET NULL;
CREATE INDEX cra_reports_by_finding ON cra_reports (finding_id);
