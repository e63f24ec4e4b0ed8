-- CRA Art. 14: why a stage was not filed (its content was provided with an earlier one), and the intermediate report that
-- the CSIRT may request.
ALTER TABLE cra_reports ADD COLUMN notification_provided TEXT;
ALTER TABLE cra_reports ADD COLUMN final_report_provided TEXT;
ALTER TABLE cra_reports ADD COLUMN interim_requested_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN interim_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN interim_recorded_at BIGINT;
ALTER TABLE cra_reports ADD COLUMN interim_reference TEXT;
