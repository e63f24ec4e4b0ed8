-- The institution's own controls that a finding or a test case names, as a list of ids.
ALTER TABLE findings ADD COLUMN controls TEXT NOT NULL DEFAULT '[]';
ALTER TABLE test_cases ADD COLUMN controls TEXT NOT NULL DEFAULT '[]';
