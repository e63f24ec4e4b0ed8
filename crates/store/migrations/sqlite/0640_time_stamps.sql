-- The moment that the time stamp of a bundle states.
ALTER TABLE bundles ADD COLUMN stamped_at BIGINT;
