-- Versions of documents that were approved, stored once and never changed. `data` is the content and `files` names the
-- signed file in each language, both as JSON.
CREATE TABLE approved_documents (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    subject TEXT NOT NULL,
    number BIGINT NOT NULL,
    subject_version BIGINT NOT NULL,
    approval_id TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    approved_by TEXT NOT NULL,
    approved_at BIGINT NOT NULL,
    signed_with TEXT NOT NULL,
    data TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (tenant_id, subject, number)
);
