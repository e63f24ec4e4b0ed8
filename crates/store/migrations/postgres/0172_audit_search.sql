-- The audit log can be read by who did something.
CREATE INDEX audit_entries_by_actor ON audit_entries (chain, actor, seq);
