-- Functions of the institution, and which records refer to them. What programmes, arrangements and incidents named
-- before becomes a function, so that no name is lost.
CREATE TABLE functions (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    licensed_activity TEXT,
    criticality TEXT COLLATE "C" NOT NULL,
    reasons TEXT,
    assessed_on TEXT COLLATE "C" NOT NULL,
    rto_minutes BIGINT,
    rpo_minutes BIGINT,
    impact_of_discontinuing TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    words TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX functions_by_tenant ON functions (tenant_id, id);
CREATE UNIQUE INDEX functions_by_number ON functions (tenant_id, number);
CREATE UNIQUE INDEX functions_by_name ON functions (tenant_id, name);
CREATE INDEX functions_by_change ON functions (tenant_id, updated_at, id);

CREATE TABLE function_links (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    function_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, record_id, function_id)
);
CREATE INDEX function_links_by_function ON function_links (tenant_id, function_id, kind);

-- Inserts nothing: the rows of every tenant are seen from here on.
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '*', true) AS seen) s WHERE s.seen = '';
INSERT INTO functions (id, tenant_id, number, name, criticality, assessed_on, impact_of_discontinuing, words, version,
                       created_at, updated_at)
    WITH named (tenant_id, kind, record_id, name, critical) AS (
        SELECT p.tenant_id, 'programme', p.id, j.value, FALSE
        FROM programmes p, json_array_elements_text(CAST(p.functions AS JSON)) AS j (value)
        UNION ALL
        SELECT a.tenant_id, 'arrangement', a.id, j.value ->> 0, CAST(j.value ->> 1 AS BOOLEAN)
        FROM arrangements a, json_array_elements(CAST(a.functions AS JSON)) AS j (value)
        UNION ALL
        SELECT i.tenant_id, 'incident', i.id, j.value, FALSE
        FROM incidents i, json_array_elements_text(CAST(i.functions AS JSON)) AS j (value)
    )
    SELECT 'fun_0' || substr(md5(tenant_id || ' ' || name), 1, 25), tenant_id,
           ROW_NUMBER() OVER (PARTITION BY tenant_id ORDER BY name), name,
           CASE WHEN bool_or(critical) THEN 'critical_or_important' ELSE 'not_assessed' END, 'none', 'not_assessed',
           lower(name), 1, CAST(extract(epoch FROM now()) * 1000 AS BIGINT),
           CAST(extract(epoch FROM now()) * 1000 AS BIGINT)
    FROM named GROUP BY tenant_id, name;
INSERT INTO function_links (tenant_id, function_id, kind, record_id)
    WITH named (tenant_id, kind, record_id, name, critical) AS (
        SELECT p.tenant_id, 'programme', p.id, j.value, FALSE
        FROM programmes p, json_array_elements_text(CAST(p.functions AS JSON)) AS j (value)
        UNION ALL
        SELECT a.tenant_id, 'arrangement', a.id, j.value ->> 0, CAST(j.value ->> 1 AS BOOLEAN)
        FROM arrangements a, json_array_elements(CAST(a.functions AS JSON)) AS j (value)
        UNION ALL
        SELECT i.tenant_id, 'incident', i.id, j.value, FALSE
        FROM incidents i, json_array_elements_text(CAST(i.functions AS JSON)) AS j (value)
    )
    SELECT DISTINCT n.tenant_id, f.id, n.kind, n.record_id FROM named n
    JOIN functions f ON f.tenant_id = n.tenant_id AND f.name = n.name;
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '', true) AS seen) s WHERE s.seen = '*';

ALTER TABLE functions ENABLE ROW LEVEL SECURITY;
ALTER TABLE functions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON functions
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE function_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE function_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON function_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
