-- Functions and the rows of template B_06.01 that stand for the same function are brought together. What only one of the
-- two says, both say then; where both say something, the register holds, because it was checked and filed.
-- Inserts nothing: the rows of every tenant are seen from here on.
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '*', true) AS seen) s WHERE s.seen = '';
CREATE TEMPORARY TABLE function_rows AS
    WITH cells (tenant_id, row_id, c10, c20, c30, c40, c50, c60, c70, c80, c90, c100) AS (
        SELECT tenant_id, id, trim(CAST(cells AS JSON) ->> 'c0010'), trim(COALESCE(CAST(cells AS JSON) ->> 'c0020', '')),
               trim(CAST(cells AS JSON) ->> 'c0030'), trim(COALESCE(CAST(cells AS JSON) ->> 'c0040', '')),
               lower(trim(COALESCE(CAST(cells AS JSON) ->> 'c0050', ''))),
               trim(COALESCE(CAST(cells AS JSON) ->> 'c0060', '')), trim(COALESCE(CAST(cells AS JSON) ->> 'c0070', '')),
               trim(COALESCE(CAST(cells AS JSON) ->> 'c0080', '')), trim(COALESCE(CAST(cells AS JSON) ->> 'c0090', '')),
               lower(trim(COALESCE(CAST(cells AS JSON) ->> 'c0100', '')))
        FROM register_rows WHERE template = 'B_06.01'
    ), named AS (
        SELECT c.*, CASE WHEN COUNT(*) OVER (PARTITION BY c.tenant_id, c.c30) > 1
                         THEN c.c30 || ' (' || c.c10 || ' of ' || c.c40 || ')' ELSE c.c30 END AS name
        FROM cells c WHERE c.c30 <> '' AND c.c10 <> '' AND c.c40 <> '' AND length(c.c10) <= 100 AND length(c.c30) <= 200
    ), once AS (
        SELECT n.*, ROW_NUMBER() OVER (PARTITION BY n.tenant_id, n.name ORDER BY n.row_id) AS place FROM named n
    )
    SELECT tenant_id, row_id, name, c10 AS identifier, NULLIF(c20, '') AS activity, NULLIF(c60, '') AS reasons,
           CASE WHEN c50 IN ('eba_bt:x28', 'yes') THEN 'critical_or_important'
                WHEN c50 IN ('eba_bt:x29', 'no') THEN 'other' END AS criticality,
           CASE WHEN c70 ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' AND c70 <> '9999-12-31'
                THEN c70 END AS assessed_on,
           CASE WHEN c80 ~ '^[1-9][0-9]{0,5}$'
                THEN CAST(c80 AS BIGINT) END AS rto_hours,
           CASE WHEN c90 ~ '^[1-9][0-9]{0,5}$'
                THEN CAST(c90 AS BIGINT) END AS rpo_hours,
           CASE WHEN c100 IN ('eba_zz:x791', 'low') THEN 'low' WHEN c100 IN ('eba_zz:x792', 'medium') THEN 'medium'
                WHEN c100 IN ('eba_zz:x793', 'high') THEN 'high' END AS impact
    FROM once WHERE place = 1;

-- A row that no record names yet is a function too.
INSERT INTO functions (id, tenant_id, number, name, criticality, assessed_on, impact_of_discontinuing, words, version,
                       created_at, updated_at)
    SELECT 'fun_0' || substr(md5(r.tenant_id || ' ' || r.name), 1, 25), r.tenant_id,
           (SELECT COALESCE(MAX(f.number), 0) FROM functions f WHERE f.tenant_id = r.tenant_id)
               + ROW_NUMBER() OVER (PARTITION BY r.tenant_id ORDER BY r.row_id),
           r.name, 'not_assessed', 'none', 'not_assessed', lower(r.name), 1,
           CAST(extract(epoch FROM now()) * 1000 AS BIGINT), CAST(extract(epoch FROM now()) * 1000 AS BIGINT)
    FROM function_rows r
    WHERE NOT EXISTS (SELECT 1 FROM functions f WHERE f.tenant_id = r.tenant_id AND f.name = r.name);

UPDATE functions SET
    identifier = NULLIF(r.identifier, 'F' || functions.number),
    licensed_activity = COALESCE(r.activity, functions.licensed_activity),
    reasons = COALESCE(r.reasons, functions.reasons),
    criticality = COALESCE(r.criticality, functions.criticality),
    assessed_on = COALESCE(r.assessed_on, functions.assessed_on),
    rto_minutes = CASE WHEN r.rto_hours IS NULL OR functions.rto_minutes IS NOT NULL
                           AND r.rto_hours = GREATEST((functions.rto_minutes + 59) / 60, 1)
                       THEN functions.rto_minutes ELSE r.rto_hours * 60 END,
    rpo_minutes = CASE WHEN r.rpo_hours IS NULL OR functions.rpo_minutes IS NOT NULL
                           AND r.rpo_hours = GREATEST((functions.rpo_minutes + 59) / 60, 1)
                       THEN functions.rpo_minutes ELSE r.rpo_hours * 60 END,
    impact_of_discontinuing = COALESCE(r.impact, functions.impact_of_discontinuing),
    words = lower(r.identifier || ' ' || functions.name || ' ' || COALESCE(functions.owner, ''))
FROM function_rows r WHERE r.tenant_id = functions.tenant_id AND r.name = functions.name;

-- A function without a row gives way where its reference is the identifier of a row.
UPDATE functions SET number = moved.number
FROM (
    SELECT f.id, GREATEST((SELECT MAX(g.number) FROM functions g WHERE g.tenant_id = f.tenant_id),
                     COALESCE((SELECT MAX(CAST(substr(r.identifier, 2) AS BIGINT)) FROM function_rows r
                               WHERE r.tenant_id = f.tenant_id AND r.identifier ~ '^F[1-9][0-9]{0,7}$'), 0))
                 + ROW_NUMBER() OVER (PARTITION BY f.tenant_id ORDER BY f.number) AS number
    FROM functions f
    WHERE EXISTS (SELECT 1 FROM function_rows r
                  WHERE r.tenant_id = f.tenant_id AND r.identifier = 'F' || f.number AND r.name <> f.name)
      AND NOT EXISTS (SELECT 1 FROM function_rows r WHERE r.tenant_id = f.tenant_id AND r.name = f.name)
) moved
WHERE moved.id = functions.id;

UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0050', CASE f.criticality WHEN 'other' THEN 'eba_BT:x29' ELSE 'eba_BT:x28' END) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.criticality IS NULL AND f.criticality <> 'not_assessed';
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0070', f.assessed_on) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.assessed_on IS NULL AND f.assessed_on <> 'none';
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0080', CAST(GREATEST((f.rto_minutes + 59) / 60, 1) AS TEXT)) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.rto_hours IS NULL AND f.rto_minutes IS NOT NULL;
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0090', CAST(GREATEST((f.rpo_minutes + 59) / 60, 1) AS TEXT)) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.rpo_hours IS NULL AND f.rpo_minutes IS NOT NULL;
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0100', CASE f.impact_of_discontinuing WHEN 'low' THEN 'eba_ZZ:x791' WHEN 'medium' THEN 'eba_ZZ:x792'
                                   ELSE 'eba_ZZ:x793' END) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.impact IS NULL AND f.impact_of_discontinuing <> 'not_assessed';
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0060', f.reasons) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.reasons IS NULL AND f.reasons IS NOT NULL;
UPDATE register_rows SET version = register_rows.version + 1, cells = CAST(CAST(cells AS JSONB)
    || jsonb_build_object('c0020', f.licensed_activity) AS TEXT)
FROM function_rows r JOIN functions f ON f.tenant_id = r.tenant_id AND f.name = r.name
WHERE register_rows.tenant_id = r.tenant_id AND register_rows.id = r.row_id
  AND r.activity IS NULL AND f.licensed_activity IS NOT NULL;
DROP TABLE function_rows;
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '', true) AS seen) s WHERE s.seen = '*';
