-- Who has no relief for reports on incidents that are due at weekends: entities under NIS2, and those for which the
-- authority decided so, since the day on which that was notified.
ALTER TABLE tenants ADD COLUMN nis2_entity BIGINT;
ALTER TABLE tenants ADD COLUMN relief_excluded_since TEXT;
