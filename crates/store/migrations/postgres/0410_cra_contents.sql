-- The contents of the stages of a CRA report: what is entered, and what was filed with each stage.
ALTER TABLE cra_reports ADD COLUMN contents TEXT NOT NULL DEFAULT '{}';
