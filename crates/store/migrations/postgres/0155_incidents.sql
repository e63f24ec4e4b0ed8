-- Incidents. Facts, the stored classification, values of reports and the reports that were sent are JSON: they are read
-- with their incident and never searched by.
CREATE TABLE incidents (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    number BIGINT NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    description TEXT,
    status TEXT COLLATE "C" NOT NULL,
    open BIGINT NOT NULL,
    occurred_at BIGINT,
    logged_at BIGINT,
    detected_at BIGINT NOT NULL,
    aware_at BIGINT NOT NULL,
    recovered_at BIGINT,
    resolved_at BIGINT,
    regimes TEXT NOT NULL,
    facts TEXT NOT NULL,
    functions TEXT NOT NULL,
    providers TEXT NOT NULL,
    findings TEXT NOT NULL,
    decision TEXT NOT NULL,
    result TEXT,
    root_cause TEXT,
    measures_taken TEXT,
    report_values TEXT NOT NULL,
    filings TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX incidents_by_tenant ON incidents (tenant_id, id);
CREATE UNIQUE INDEX incidents_by_reference ON incidents (tenant_id, year, number);
CREATE INDEX incidents_by_change ON incidents (tenant_id, updated_at, id);
CREATE INDEX incidents_by_detection ON incidents (tenant_id, detected_at, id);

CREATE TABLE incident_numbers (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, year)
);

ALTER TABLE incidents ENABLE ROW LEVEL SECURITY;
ALTER TABLE incidents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON incidents
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE incident_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE incident_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON incident_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
