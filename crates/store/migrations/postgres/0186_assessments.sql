-- What the institution says about requirements. A requirement about which nothing was said has no row.
CREATE TABLE assessments (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    requirement_id TEXT COLLATE "C" NOT NULL,
    framework TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    applies BIGINT,
    applies_reason TEXT,
    maturity BIGINT,
    rationale TEXT,
    owner TEXT COLLATE "C",
    due_on TEXT COLLATE "C" NOT NULL,
    next_review_on TEXT COLLATE "C" NOT NULL,
    assessed_at BIGINT,
    assessed_by TEXT,
    approved_at BIGINT,
    approved_by TEXT,
    changed_by TEXT,
    carried_from TEXT,
    crosswalk TEXT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, requirement_id)
);
CREATE INDEX assessments_by_framework ON assessments (tenant_id, framework);
CREATE INDEX assessments_by_change ON assessments (tenant_id, updated_at);

-- How far a framework or a section was met at the end of a day, for trends.
CREATE TABLE assessment_days (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    part TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    applicable BIGINT NOT NULL,
    met BIGINT NOT NULL,
    approved BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, part, day)
);

ALTER TABLE assessments ENABLE ROW LEVEL SECURITY;
ALTER TABLE assessments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON assessments
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE assessment_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE assessment_days FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON assessment_days
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
