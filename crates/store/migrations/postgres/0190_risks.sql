-- Risks of the institution. `level` is the place of the residual level, gravest first; the acceptance is JSON and
-- `acceptance_until` the last day of one that holds.
CREATE TABLE risks (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    adopted_from TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    cause TEXT,
    event TEXT,
    effect TEXT,
    category TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    functions TEXT NOT NULL,
    controls TEXT NOT NULL,
    findings TEXT NOT NULL,
    inherent_likelihood BIGINT NOT NULL,
    inherent_impact BIGINT NOT NULL,
    residual_likelihood BIGINT NOT NULL,
    residual_impact BIGINT NOT NULL,
    target_likelihood BIGINT,
    target_impact BIGINT,
    level BIGINT NOT NULL,
    treatment TEXT COLLATE "C" NOT NULL,
    acceptance TEXT NOT NULL,
    acceptance_until TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    active BIGINT NOT NULL,
    review_on TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX risks_by_tenant ON risks (tenant_id, id);
CREATE UNIQUE INDEX risks_by_number ON risks (tenant_id, number);
CREATE INDEX risks_by_change ON risks (tenant_id, updated_at, id);
CREATE INDEX risks_by_level ON risks (tenant_id, level, id);
CREATE INDEX risks_by_review ON risks (tenant_id, review_on, id);
CREATE INDEX risks_by_source ON risks (tenant_id, adopted_from);
CREATE INDEX risks_by_acceptance ON risks (acceptance_until, tenant_id, id) WHERE acceptance_until IS NOT NULL;

CREATE TABLE risk_numbers (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

-- The gravest residual level a tenant takes, by category.
CREATE TABLE risk_appetite (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    category TEXT COLLATE "C" NOT NULL,
    level BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, category)
);

-- From which level on the acceptance of a risk needs a second person. No row means the usual level.
CREATE TABLE risk_rules (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    second_person_from TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL
);

ALTER TABLE risks ENABLE ROW LEVEL SECURITY;
ALTER TABLE risks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risks
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE risk_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE risk_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risk_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE risk_appetite ENABLE ROW LEVEL SECURITY;
ALTER TABLE risk_appetite FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risk_appetite
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE risk_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE risk_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risk_rules
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
