-- What a tenant works on: programmes, test cases, findings; their history, their words, and the events they raise.
-- A day that is not set is stored as 'none': it sorts after every day on both engines.

CREATE TABLE programmes (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    description TEXT,
    framework TEXT NOT NULL,
    status TEXT NOT NULL,
    running BIGINT NOT NULL,
    owner TEXT,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    functions TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX programmes_by_tenant ON programmes (tenant_id, id);
CREATE INDEX programmes_by_end ON programmes (ends_on, tenant_id, id) WHERE running = 1;

CREATE TABLE test_cases (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    programme_id TEXT NOT NULL,
    title TEXT NOT NULL,
    objective TEXT,
    test_type TEXT NOT NULL,
    status TEXT NOT NULL,
    pending BIGINT NOT NULL,
    priority BIGINT NOT NULL,
    assignee TEXT,
    steps TEXT NOT NULL,
    expected_result TEXT,
    actual_result TEXT,
    due_on TEXT NOT NULL,
    executed_at BIGINT,
    measures TEXT NOT NULL,
    evidence TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (tenant_id, programme_id) REFERENCES programmes (tenant_id, id)
);
CREATE UNIQUE INDEX test_cases_by_tenant ON test_cases (tenant_id, id);
CREATE INDEX test_cases_by_programme ON test_cases (tenant_id, programme_id, id);
CREATE INDEX test_cases_by_status ON test_cases (tenant_id, status, id);
CREATE INDEX test_cases_by_type ON test_cases (tenant_id, test_type, id);
CREATE INDEX test_cases_by_priority ON test_cases (tenant_id, priority, id);
CREATE INDEX test_cases_by_due ON test_cases (tenant_id, due_on, id);
CREATE INDEX test_cases_near ON test_cases (due_on, tenant_id, id) WHERE pending = 1;

CREATE TABLE findings (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    number BIGINT NOT NULL,
    programme_id TEXT,
    test_case_id TEXT,
    title TEXT NOT NULL,
    description TEXT,
    severity BIGINT NOT NULL,
    status TEXT NOT NULL,
    open BIGINT NOT NULL,
    owner TEXT,
    affected_asset TEXT,
    cve TEXT,
    cvss BIGINT,
    remediation TEXT,
    acceptance_reason TEXT,
    acceptance_until TEXT,
    measures TEXT NOT NULL,
    detected_at BIGINT NOT NULL,
    due_on TEXT NOT NULL,
    closed_at BIGINT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (tenant_id, programme_id) REFERENCES programmes (tenant_id, id),
    FOREIGN KEY (tenant_id, test_case_id) REFERENCES test_cases (tenant_id, id)
);
CREATE UNIQUE INDEX findings_by_reference ON findings (tenant_id, year, number);
CREATE INDEX findings_by_tenant ON findings (tenant_id, id);
CREATE INDEX findings_by_severity ON findings (tenant_id, severity, id);
CREATE INDEX findings_by_due ON findings (tenant_id, due_on, id);
CREATE INDEX findings_by_status ON findings (tenant_id, status, id);
CREATE INDEX findings_open ON findings (tenant_id, open, id);
CREATE INDEX findings_open_by_severity ON findings (tenant_id, open, severity, id);
CREATE INDEX findings_open_by_due ON findings (tenant_id, open, due_on, id);
CREATE INDEX findings_by_programme ON findings (tenant_id, programme_id, open, id);
CREATE INDEX findings_by_test_case ON findings (tenant_id, test_case_id, open, id);
CREATE INDEX findings_near ON findings (due_on, tenant_id, id) WHERE open = 1;
CREATE INDEX findings_accepted ON findings (acceptance_until, tenant_id, id) WHERE acceptance_until IS NOT NULL;

-- Where imported findings came from: what makes a result the same result in the next file.
CREATE TABLE finding_origins (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    source TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    scope TEXT NOT NULL,
    finding_id TEXT NOT NULL REFERENCES findings (id),
    PRIMARY KEY (tenant_id, source, fingerprint)
);
CREATE INDEX finding_origins_by_scope ON finding_origins (tenant_id, source, scope, finding_id);
CREATE INDEX finding_origins_by_finding ON finding_origins (finding_id);

-- The last reference given out, per tenant and year.
CREATE TABLE finding_numbers (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, year)
);

-- How many findings there are, so that no page has to count them. The parent is a programme, a test case, or ''
-- for the whole tenant.
CREATE TABLE finding_counts (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    parent TEXT NOT NULL,
    status TEXT NOT NULL,
    severity BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, parent, status, severity)
);

-- The same for test cases; the programme '' stands for all.
CREATE TABLE test_case_counts (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    programme_id TEXT NOT NULL,
    test_type TEXT NOT NULL,
    status TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, programme_id, test_type, status)
);

-- Every status a record has had, with who moved it and why.
CREATE TABLE status_history (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    from_status TEXT,
    to_status TEXT NOT NULL,
    actor TEXT NOT NULL,
    note TEXT,
    PRIMARY KEY (tenant_id, record_id, seq)
);

-- The records that can be searched, numbered for the full-text index.
CREATE TABLE documents (
    doc BIGINT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    record_id TEXT NOT NULL UNIQUE
);
-- Only the index, not the texts: their words come folded and marked with their tenant.
CREATE VIRTUAL TABLE document_texts USING fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

-- What happened, for whoever wants to be told. A dedupe key can be used once.
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    subject TEXT NOT NULL,
    dedupe_key TEXT,
    payload TEXT NOT NULL
);
CREATE INDEX events_by_tenant ON events (tenant_id, id);
CREATE INDEX events_by_subject ON events (tenant_id, subject, id);
CREATE UNIQUE INDEX events_once ON events (tenant_id, dedupe_key) WHERE dedupe_key IS NOT NULL;
