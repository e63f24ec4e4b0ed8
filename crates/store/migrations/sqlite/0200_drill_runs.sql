-- Runs of drills: practice, never a report. The lists are JSON; `score` is that of a finished run.
CREATE TABLE drill_runs (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    scenario TEXT NOT NULL,
    title TEXT NOT NULL,
    planned_for TEXT NOT NULL,
    participants TEXT NOT NULL,
    programme_id TEXT,
    test_case_id TEXT,
    status TEXT NOT NULL,
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
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

-- The decision log of a run, line by line.
CREATE TABLE drill_run_log (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    drill_run_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    text TEXT NOT NULL,
    actor TEXT NOT NULL,
    PRIMARY KEY (tenant_id, drill_run_id, seq)
);
