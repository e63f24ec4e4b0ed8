-- The requirements that a finding violates, as a list of ids, and why the deficiency could arise.
ALTER TABLE findings ADD COLUMN requirements TEXT NOT NULL DEFAULT '[]';
ALTER TABLE findings ADD COLUMN root_cause TEXT;
