-- Versions of documents that were approved, stored once and never changed. `data` is the content and `files` names the
-- signed file in each language, both as JSON.
CREATE TABLE approved_documents (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    subject_version BIGINT NOT NULL,
    approval_id TEXT COLLATE "C" NOT NULL,
    asked_by TEXT COLLATE "C" NOT NULL,
    asked_at BIGINT NOT NULL,
    approved_by TEXT COLLATE "C" NOT NULL,
    approved_at BIGINT NOT NULL,
    signed_with TEXT NOT NULL,
    data TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (tenant_id, subject, number)
);

ALTER TABLE approved_documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE approved_documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approved_documents
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
