-- The functions a test case names. Only those does it count for; a test of a programme with exactly one function takes
-- that one, all others stay without until a person names them.
ALTER TABLE test_cases ADD COLUMN functions TEXT NOT NULL DEFAULT '[]';
-- Inserts nothing: the rows of every tenant are seen from here on.
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '*', true) AS seen) s WHERE s.seen = '';
UPDATE test_cases SET functions = p.functions
FROM programmes p
WHERE p.tenant_id = test_cases.tenant_id AND p.id = test_cases.programme_id
  AND json_array_length(CAST(p.functions AS JSON)) = 1;
INSERT INTO function_links (tenant_id, function_id, kind, record_id)
    SELECT t.tenant_id, f.id, CASE t.archived WHEN 0 THEN 'test_case' ELSE 'archived_test_case' END, t.id
    FROM test_cases t
    CROSS JOIN json_array_elements_text(CAST(t.functions AS JSON)) AS j (value)
    JOIN functions f ON f.tenant_id = t.tenant_id AND f.name = j.value;
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '', true) AS seen) s WHERE s.seen = '*';
