-- Controls: what the institution really does. Own requirements and functions are JSON.
CREATE TABLE controls (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    description TEXT,
    measure_id TEXT COLLATE "C",
    requirements TEXT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    computed TEXT COLLATE "C" NOT NULL,
    overrule TEXT COLLATE "C",
    overrule_reason TEXT,
    effectiveness TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    cadence TEXT COLLATE "C" NOT NULL,
    last_performed_on TEXT COLLATE "C" NOT NULL,
    next_due_on TEXT COLLATE "C" NOT NULL,
    functions TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX controls_by_tenant ON controls (tenant_id, id);
CREATE UNIQUE INDEX controls_by_number ON controls (tenant_id, number);
CREATE INDEX controls_by_change ON controls (tenant_id, updated_at, id);
CREATE INDEX controls_by_due_day ON controls (tenant_id, next_due_on, id);
CREATE INDEX controls_by_measure ON controls (tenant_id, measure_id);

CREATE TABLE control_numbers (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

-- What a list of controls is narrowed by: the measure, own requirements, and their frameworks.
CREATE TABLE control_keys (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    control_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, control_id, key)
);

-- Every time a control was performed, in the order it was recorded.
CREATE TABLE control_performances (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    control_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    performed_on TEXT COLLATE "C" NOT NULL,
    note TEXT,
    evidence TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    PRIMARY KEY (tenant_id, control_id, seq)
);

-- Which results of tests and which open findings there are about a measure. Kept with every change of a test case or a
-- finding, so that no page reads them all to say how effective a control is. The outcome of a test is 1 for passed and 2
-- for failed, that of a finding the rank of its severity.
CREATE TABLE measure_uses (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    measure_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    outcome BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, measure_id, kind, record_id)
);
CREATE INDEX measure_uses_by_record ON measure_uses (tenant_id, record_id);

INSERT INTO measure_uses (tenant_id, measure_id, kind, record_id, outcome)
SELECT DISTINCT t.tenant_id, m.value, 'test', t.id, CASE t.status WHEN 'passed' THEN 1 ELSE 2 END
FROM test_cases t, jsonb_array_elements_text(CAST(t.measures AS JSONB)) AS m (value)
WHERE t.status IN ('passed', 'failed') AND t.archived = 0;

INSERT INTO measure_uses (tenant_id, measure_id, kind, record_id, outcome)
SELECT DISTINCT f.tenant_id, m.value, 'finding', f.id, f.severity
FROM findings f, jsonb_array_elements_text(CAST(f.measures AS JSONB)) AS m (value)
WHERE f.open = 1 AND f.archived = 0;

ALTER TABLE controls ENABLE ROW LEVEL SECURITY;
ALTER TABLE controls FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON controls
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE control_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE control_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON control_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE control_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE control_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON control_keys
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE control_performances ENABLE ROW LEVEL SECURITY;
ALTER TABLE control_performances FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON control_performances
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE measure_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE measure_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON measure_uses
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
