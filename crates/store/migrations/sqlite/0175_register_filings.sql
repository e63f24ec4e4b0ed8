-- Filings of the register of information. The frozen package of each edition lies in register_packages, as base64 text
-- under its SHA-256; feedback of the authority is kept line by line.
CREATE TABLE register_filings (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    scope TEXT NOT NULL,
    reference_date TEXT NOT NULL,
    country TEXT NOT NULL,
    status TEXT NOT NULL,
    pending BIGINT NOT NULL,
    owner TEXT,
    due_on TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    frozen TEXT NOT NULL,
    earlier TEXT NOT NULL,
    submission TEXT NOT NULL,
    feedback TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX register_filings_by_tenant ON register_filings (tenant_id, id);
CREATE INDEX register_filings_by_change ON register_filings (tenant_id, updated_at, id);
CREATE INDEX register_filings_by_due ON register_filings (tenant_id, due_on, id);
CREATE INDEX register_filings_near ON register_filings (due_on, tenant_id, id) WHERE pending = 1;
CREATE INDEX register_filings_by_package ON register_filings (tenant_id, sha256);

CREATE TABLE register_packages (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    sha256 TEXT NOT NULL,
    content TEXT NOT NULL,
    frozen_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, sha256)
);

CREATE TABLE register_feedback (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    filing_id TEXT NOT NULL,
    edition BIGINT NOT NULL,
    number BIGINT NOT NULL,
    template TEXT NOT NULL,
    row_name TEXT NOT NULL,
    row_number BIGINT,
    row_id TEXT,
    column_code TEXT NOT NULL,
    rule TEXT NOT NULL,
    message TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant_id, filing_id, edition, number)
);
CREATE INDEX register_feedback_by_template
    ON register_feedback (tenant_id, filing_id, edition, template, number);
