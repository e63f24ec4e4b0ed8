-- Reports over a period: what was asked for, how far it is, and where its bytes are. A claim is held by the node that
-- makes it. What is released stays with its bytes for ever.
CREATE TABLE period_reports (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    framework TEXT,
    from_on TEXT NOT NULL,
    until_on TEXT NOT NULL,
    language TEXT NOT NULL,
    template_id TEXT,
    scheduled_for BIGINT,
    state TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    claim TEXT,
    claimed_until BIGINT NOT NULL,
    made_at BIGINT,
    content_id TEXT,
    bytes BIGINT,
    sha256 TEXT,
    problem TEXT,
    released_by TEXT,
    released_at BIGINT
);
CREATE UNIQUE INDEX period_reports_by_tenant ON period_reports (tenant_id, id);
CREATE UNIQUE INDEX period_reports_by_schedule ON period_reports (tenant_id, template_id, scheduled_for);
CREATE INDEX period_reports_by_state ON period_reports (state, claimed_until, id);
CREATE INDEX period_reports_by_release ON period_reports (tenant_id, released_at, state);
CREATE INDEX period_reports_by_age ON period_reports (released_at, asked_at);

-- Templates of reports. The content is JSON, the logo a PNG image in base64.
CREATE TABLE report_templates (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    logo TEXT,
    next_run_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX report_templates_by_tenant ON report_templates (tenant_id, id);
CREATE INDEX report_templates_by_run ON report_templates (next_run_at, id);
