-- What the service knows about itself: its jobs, its health, its errors, and what it healed.

-- One row for each scheduled job. Whoever holds its lease is the only one to run it; a lease that is not renewed
-- runs out. `due_at` stands in the past for as long as a run is missing, so a run missed while nobody was there is
-- made up for, once.
CREATE TABLE jobs (
    name TEXT PRIMARY KEY,
    schedule TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_token TEXT,
    lease_until BIGINT,
    started_at BIGINT,
    last_run_at BIGINT,
    last_outcome TEXT,
    last_duration_ms BIGINT,
    last_detail TEXT,
    runs BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    consecutive_failures BIGINT NOT NULL
);

-- One row for each running process; writing it is how health measures a write.
CREATE TABLE heartbeats (
    node TEXT PRIMARY KEY,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- How the service was, by the minute and thinned to hours. Of several nodes the worst counts.
CREATE TABLE health_samples (
    grain TEXT NOT NULL,
    at BIGINT NOT NULL,
    badness BIGINT NOT NULL,
    store_micros BIGINT,
    queue_depth BIGINT,
    queue_age_ms BIGINT,
    scheduler_lag_ms BIGINT,
    disk_free BIGINT,
    memory BIGINT,
    database_size BIGINT,
    troubles TEXT NOT NULL,
    PRIMARY KEY (grain, at)
);

-- Answers by route template and minute, summed over all nodes.
CREATE TABLE route_counts (
    minute BIGINT NOT NULL,
    route TEXT NOT NULL,
    requests BIGINT NOT NULL,
    errors BIGINT NOT NULL,
    PRIMARY KEY (minute, route)
);

-- What the healer did, by action.
CREATE TABLE healings (
    name TEXT PRIMARY KEY,
    runs BIGINT NOT NULL,
    healed BIGINT NOT NULL,
    last_run_at BIGINT NOT NULL,
    last_outcome TEXT NOT NULL
);

-- A tenant's score for a framework at the end of each day, in hundredths, with the parts it was made from.
CREATE TABLE score_days (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    framework TEXT NOT NULL,
    day TEXT NOT NULL,
    score BIGINT NOT NULL,
    tests BIGINT NOT NULL,
    findings BIGINT NOT NULL,
    thresholds BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, framework, day)
);
