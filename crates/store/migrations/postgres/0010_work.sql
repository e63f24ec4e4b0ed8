-- What a tenant works on: programmes, test cases, findings; their history, their words, and the events they raise.
-- A day that is not set is stored as 'none': it sorts after every day on both engines.

CREATE TABLE programmes (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    name TEXT COLLATE "C" NOT NULL,
    description TEXT,
    framework TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    running BIGINT NOT NULL,
    owner TEXT,
    starts_on TEXT COLLATE "C" NOT NULL,
    ends_on TEXT COLLATE "C" NOT NULL,
    functions TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX programmes_by_tenant ON programmes (tenant_id, id);
CREATE INDEX programmes_by_end ON programmes (ends_on, tenant_id, id) WHERE running = 1;

CREATE TABLE test_cases (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    programme_id TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    objective TEXT,
    test_type TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    pending BIGINT NOT NULL,
    priority BIGINT NOT NULL,
    assignee TEXT,
    steps TEXT NOT NULL,
    expected_result TEXT,
    actual_result TEXT,
    due_on TEXT COLLATE "C" NOT NULL,
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
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    number BIGINT NOT NULL,
    programme_id TEXT COLLATE "C",
    test_case_id TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    description TEXT,
    severity BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    open BIGINT NOT NULL,
    owner TEXT,
    affected_asset TEXT,
    cve TEXT,
    cvss BIGINT,
    remediation TEXT,
    acceptance_reason TEXT,
    acceptance_until TEXT COLLATE "C",
    measures TEXT NOT NULL,
    detected_at BIGINT NOT NULL,
    due_on TEXT COLLATE "C" NOT NULL,
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
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    source TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT COLLATE "C" NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    finding_id TEXT COLLATE "C" NOT NULL REFERENCES findings (id),
    PRIMARY KEY (tenant_id, source, fingerprint)
);
CREATE INDEX finding_origins_by_scope ON finding_origins (tenant_id, source, scope, finding_id);
CREATE INDEX finding_origins_by_finding ON finding_origins (finding_id);

-- The last reference given out, per tenant and year.
CREATE TABLE finding_numbers (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    year BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, year)
);

-- How many findings there are, so that no page has to count them. The parent is a programme, a test case, or ''
-- for the whole tenant.
CREATE TABLE finding_counts (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    parent TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    severity BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, parent, status, severity)
);

-- The same for test cases; the programme '' stands for all.
CREATE TABLE test_case_counts (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    programme_id TEXT COLLATE "C" NOT NULL,
    test_type TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, programme_id, test_type, status)
);

-- Every status a record has had, with who moved it and why.
CREATE TABLE status_history (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    from_status TEXT,
    to_status TEXT NOT NULL,
    actor TEXT NOT NULL,
    note TEXT,
    PRIMARY KEY (tenant_id, record_id, seq)
);

-- The records that can be searched, numbered for the full-text index.
CREATE SEQUENCE document_numbers;
CREATE TABLE documents (
    doc BIGINT PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    record_id TEXT COLLATE "C" NOT NULL UNIQUE
);
-- Only the index, not the texts: their words come folded and marked with their tenant. It has no row-level security
-- of its own, behind which PostgreSQL would not use the index; it leads to nothing but rows that have.
CREATE TABLE document_texts (
    rowid BIGINT PRIMARY KEY,
    tokens TSVECTOR NOT NULL
);
CREATE INDEX document_texts_by_token ON document_texts USING gin (tokens) WITH (fastupdate = off);

-- What happened, for whoever wants to be told. A dedupe key can be used once.
CREATE TABLE events (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    kind TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    dedupe_key TEXT COLLATE "C",
    payload TEXT NOT NULL
);
CREATE INDEX events_by_tenant ON events (tenant_id, id);
CREATE INDEX events_by_subject ON events (tenant_id, subject, id);
CREATE UNIQUE INDEX events_once ON events (tenant_id, dedupe_key) WHERE dedupe_key IS NOT NULL;

-- The second wall: a transaction sees only the tenant it was opened for.
ALTER TABLE programmes ENABLE ROW LEVEL SECURITY;
ALTER TABLE programmes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON programmes
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE test_cases ENABLE ROW LEVEL SECURITY;
ALTER TABLE test_cases FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON test_cases
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE findings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON findings
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE finding_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE finding_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_counts
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE test_case_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE test_case_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON test_case_counts
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE status_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE status_history FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON status_history
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON documents
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON events
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE finding_origins ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_origins FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_origins
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
