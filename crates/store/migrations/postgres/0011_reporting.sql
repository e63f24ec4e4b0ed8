-- Reports under CRA Art. 14, and the deadlines that were announced.

CREATE TABLE cra_reports (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    kind TEXT COLLATE "C" NOT NULL,
    product_name TEXT NOT NULL,
    product_version TEXT,
    title TEXT NOT NULL,
    description TEXT,
    cve TEXT,
    severity BIGINT NOT NULL,
    member_states TEXT NOT NULL,
    aware_at BIGINT NOT NULL,
    corrective_measure_at BIGINT,
    status TEXT COLLATE "C" NOT NULL,
    running BIGINT NOT NULL,
    early_warning_at BIGINT,
    notification_at BIGINT,
    final_report_at BIGINT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX cra_reports_by_tenant ON cra_reports (tenant_id, id);
CREATE INDEX cra_reports_by_awareness ON cra_reports (tenant_id, aware_at, id);
CREATE INDEX cra_reports_running ON cra_reports (tenant_id, id) WHERE running = 1;

-- Each deadline is announced once for each lead time. Another due time is another deadline.
CREATE TABLE announcements (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    due TEXT COLLATE "C" NOT NULL,
    lead TEXT COLLATE "C" NOT NULL,
    hours BIGINT NOT NULL,
    announced_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, subject, due, lead)
);
CREATE INDEX announcements_by_age ON announcements (announced_at);

-- The second wall: a transaction sees only the tenant it was opened for.
ALTER TABLE cra_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE cra_reports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON cra_reports
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE announcements ENABLE ROW LEVEL SECURITY;
ALTER TABLE announcements FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON announcements
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
