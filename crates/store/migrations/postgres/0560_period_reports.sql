-- Reports over a period: what was asked for, how far it is, and where its bytes are. A claim is held by the node that
-- makes it. What is released stays with its bytes for ever.
CREATE TABLE period_reports (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    kind TEXT COLLATE "C" NOT NULL,
    framework TEXT COLLATE "C",
    from_on TEXT COLLATE "C" NOT NULL,
    until_on TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    template_id TEXT COLLATE "C",
    scheduled_for BIGINT,
    state TEXT COLLATE "C" NOT NULL,
    asked_by TEXT COLLATE "C" NOT NULL,
    asked_at BIGINT NOT NULL,
    claim TEXT COLLATE "C",
    claimed_until BIGINT NOT NULL,
    made_at BIGINT,
    content_id TEXT COLLATE "C",
    bytes BIGINT,
    sha256 TEXT COLLATE "C",
    problem TEXT COLLATE "C",
    released_by TEXT COLLATE "C",
    released_at BIGINT
);
CREATE UNIQUE INDEX period_reports_by_tenant ON period_reports (tenant_id, id);
CREATE UNIQUE INDEX period_reports_by_schedule ON period_reports (tenant_id, template_id, scheduled_for);
CREATE INDEX period_reports_by_state ON period_reports (state, claimed_until, id);
CREATE INDEX period_reports_by_release ON period_reports (tenant_id, released_at, state);
CREATE INDEX period_reports_by_age ON period_reports (released_at, asked_at);

-- Templates of reports. The content is JSON, the logo a PNG image in base64.
CREATE TABLE report_templates (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    logo TEXT,
    next_run_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX report_templates_by_tenant ON report_templates (tenant_id, id);
CREATE INDEX report_templates_by_run ON report_templates (next_run_at, id);

ALTER TABLE period_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE period_reports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON period_reports
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE report_templates ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_templates FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_templates
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
