-- Whether keys of the institution may decide, such as approve, and whether they are revoked when a directory closes the
-- account of their maker. Institutions of an earlier version keep deciding by keys; new ones begin without.
ALTER TABLE tenants ADD COLUMN keys_decide BIGINT NOT NULL DEFAULT 1;
ALTER TABLE tenants ADD COLUMN keys_end_with_maker BIGINT NOT NULL DEFAULT 1;
