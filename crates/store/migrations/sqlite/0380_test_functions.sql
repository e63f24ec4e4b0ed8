-- The functions a test case names. Only those does it count for; a test of a programme with exactly one function takes
-- that one, all others stay without until a person names them.
ALTER TABLE test_cases ADD COLUMN functions TEXT NOT NULL DEFAULT '[]';
UPDATE test_cases SET functions = (
    SELECT p.functions FROM programmes p WHERE p.tenant_id = test_cases.tenant_id AND p.id = test_cases.programme_id
) WHERE EXISTS (
    SELECT 1 FROM programmes p
    WHERE p.tenant_id = test_cases.tenant_id AND p.id = test_cases.programme_id AND json_array_length(p.functions) = 1
);
INSERT INTO function_links (tenant_id, function_id, kind, record_id)
    SELECT t.tenant_id, f.id, CASE t.archived WHEN 0 THEN 'test_case' ELSE 'archived_test_case' END, t.id
    FROM test_cases t, json_each(t.functions) j
    JOIN functions f ON f.tenant_id = t.tenant_id AND f.name = CAST(j.value AS TEXT);
