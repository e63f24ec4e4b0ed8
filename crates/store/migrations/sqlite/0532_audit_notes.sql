-- Working notes of auditors. `subject` is the id of the record, `author` the person who wrote the note. A note that is
-- released becomes a comment and leaves this table.
CREATE TABLE audit_notes (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX audit_notes_of_subject ON audit_notes (tenant_id, subject, id);
