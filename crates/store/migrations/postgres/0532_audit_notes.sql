-- Working notes of auditors. `subject` is the id of the record, `author` the person who wrote the note. A note that is
-- released becomes a comment and leaves this table.
CREATE TABLE audit_notes (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    author TEXT COLLATE "C" NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX audit_notes_of_subject ON audit_notes (tenant_id, subject, id);

ALTER TABLE audit_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_notes
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
