-- What the institution says about requirements. A requirement about which nothing was said has no row.
CREATE TABLE assessments (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    requirement_id TEXT NOT NULL,
    framework TEXT NOT NULL,
    status TEXT NOT NULL,
    applies BIGINT,
    applies_reason TEXT,
    maturity BIGINT,
    rationale TEXT,
    owner TEXT,
    due_on TEXT NOT NULL,
    next_review_on TEXT NOT NULL,
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
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    part TEXT NOT NULL,
    day TEXT NOT NULL,
    applicable BIGINT NOT NULL,
    met BIGINT NOT NULL,
    approved BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, part, day)
) WITHOUT ROWID;
