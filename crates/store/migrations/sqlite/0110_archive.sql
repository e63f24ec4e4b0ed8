-- Findings and test cases that are archived leave the lists and keep their history; 'archived' is what lists filter by.
ALTER TABLE findings ADD COLUMN archived_at BIGINT;
ALTER TABLE findings ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE test_cases ADD COLUMN archived_at BIGINT;
ALTER TABLE test_cases ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;

-- The page of a record shows every change of it.
CREATE INDEX audit_entries_by_subject ON audit_entries (chain, subject, seq);
