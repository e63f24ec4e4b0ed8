-- Runs of drills: practice, never a report. The lists are JSON; `score` is that of a finished run.
CREATE TABLE drill_runs (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    scenario TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    planned_for TEXT COLLATE "C" NOT NULL,
    participants TEXT NOT NULL,
    programme_id TEXT COLLATE "C",
    test_case_id TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    steps TEXT NOT NULL,
    classification TEXT NOT NULL,
    reports TEXT NOT NULL,
    criteria TEXT NOT NULL,
    outcome TEXT NOT NULL,
    score BIGINT,
    findings TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX drill_runs_by_tenant ON drill_runs (tenant_id, id);
CREATE UNIQUE INDEX drill_runs_by_number ON drill_runs (tenant_id, number);
CREATE INDEX drill_runs_by_change ON drill_runs (tenant_id, updated_at, id);
CREATE INDEX drill_runs_by_day ON drill_runs (tenant_id, planned_for, id);

CREATE TABLE drill_run_numbers (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

-- The decision log of a run, line by line.
CREATE TABLE drill_run_log (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    drill_run_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    text TEXT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, drill_run_id, seq)
);

ALTER TABLE drill_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE drill_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON drill_runs
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE drill_run_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE drill_run_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON drill_run_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE drill_run_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE drill_run_log FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON drill_run_log
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
