-- Requests for evidence: what is asked for, who answers until when, and the last answer. `title` is the first line of
-- the text, `subject` the id of the record or requirement a request is about.
CREATE TABLE evidence_requests (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    subject TEXT,
    owner TEXT,
    due_on TEXT NOT NULL,
    status TEXT NOT NULL,
    open BIGINT NOT NULL,
    asked_by TEXT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    answered_at BIGINT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX evidence_requests_by_tenant ON evidence_requests (tenant_id, id);
CREATE UNIQUE INDEX evidence_requests_by_number ON evidence_requests (tenant_id, number);
CREATE INDEX evidence_requests_by_change ON evidence_requests (tenant_id, updated_at, id);
CREATE INDEX evidence_requests_by_due ON evidence_requests (tenant_id, due_on, id);
CREATE INDEX evidence_requests_by_subject ON evidence_requests (tenant_id, subject, id);
CREATE INDEX evidence_requests_to_do ON evidence_requests (tenant_id, due_on, id) WHERE open = 1;
CREATE INDEX evidence_requests_to_do_by_owner ON evidence_requests (tenant_id, LOWER(owner), due_on, id)
    WHERE open = 1;

CREATE TABLE evidence_request_numbers (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);
