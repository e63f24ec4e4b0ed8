-- Functions of the institution, and which records refer to them. What programmes, arrangements and incidents named
-- before becomes a function, so that no name is lost.
CREATE TABLE functions (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    licensed_activity TEXT,
    criticality TEXT NOT NULL,
    reasons TEXT,
    assessed_on TEXT NOT NULL,
    rto_minutes BIGINT,
    rpo_minutes BIGINT,
    impact_of_discontinuing TEXT NOT NULL,
    owner TEXT,
    words TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX functions_by_tenant ON functions (tenant_id, id);
CREATE UNIQUE INDEX functions_by_number ON functions (tenant_id, number);
CREATE UNIQUE INDEX functions_by_name ON functions (tenant_id, name);
CREATE INDEX functions_by_change ON functions (tenant_id, updated_at, id);

CREATE TABLE function_links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    function_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, function_id)
);
CREATE INDEX function_links_by_function ON function_links (tenant_id, function_id, kind);

INSERT INTO functions (id, tenant_id, number, name, criticality, assessed_on, impact_of_discontinuing, words, version,
                       created_at, updated_at)
    WITH named (tenant_id, kind, record_id, name, critical) AS (
        SELECT p.tenant_id, 'programme', p.id, CAST(j.value AS TEXT), 0
        FROM programmes p, json_each(p.functions) j
        UNION ALL
        SELECT a.tenant_id, 'arrangement', a.id, CAST(json_extract(j.value, '$[0]') AS TEXT),
               json_extract(j.value, '$[1]')
        FROM arrangements a, json_each(a.functions) j
        UNION ALL
        SELECT i.tenant_id, 'incident', i.id, CAST(j.value AS TEXT), 0
        FROM incidents i, json_each(i.functions) j
    )
    SELECT 'fun_0' || substr(lower(hex(randomblob(13))), 1, 25), tenant_id,
           ROW_NUMBER() OVER (PARTITION BY tenant_id ORDER BY name), name,
           CASE MAX(critical) WHEN 1 THEN 'critical_or_important' ELSE 'not_assessed' END, 'none', 'not_assessed',
           lower(name), 1, CAST(strftime('%s', 'now') AS BIGINT) * 1000, CAST(strftime('%s', 'now') AS BIGINT) * 1000
    FROM named GROUP BY tenant_id, name;
INSERT INTO function_links (tenant_id, function_id, kind, record_id)
    WITH named (tenant_id, kind, record_id, name, critical) AS (
        SELECT p.tenant_id, 'programme', p.id, CAST(j.value AS TEXT), 0
        FROM programmes p, json_each(p.functions) j
        UNION ALL
        SELECT a.tenant_id, 'arrangement', a.id, CAST(json_extract(j.value, '$[0]') AS TEXT),
               json_extract(j.value, '$[1]')
        FROM arrangements a, json_each(a.functions) j
        UNION ALL
        SELECT i.tenant_id, 'incident', i.id, CAST(j.value AS TEXT), 0
        FROM incidents i, json_each(i.functions) j
    )
    SELECT DISTINCT n.tenant_id, f.id, n.kind, n.record_id FROM named n
    JOIN functions f ON f.tenant_id = n.tenant_id AND f.name = n.name;
