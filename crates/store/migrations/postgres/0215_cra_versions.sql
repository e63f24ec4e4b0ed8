-- CRA reports are stored like every other record: whether they are archived, beside since when.
ALTER TABLE cra_reports ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
