-- The revision of the tenant at which a document, or the record behind it, last changed: whoever keeps what a word
-- or a filter leads to looks only at what changed since.
ALTER TABLE documents ADD COLUMN changed_in BIGINT NOT NULL DEFAULT 0;
CREATE INDEX documents_by_change ON documents (tenant_id, changed_in, doc);
