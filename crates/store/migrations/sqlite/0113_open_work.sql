-- Whose open work it is, asked when an account is closed.
CREATE INDEX findings_by_owner ON findings (tenant_id, owner, id) WHERE open = 1;
CREATE INDEX test_cases_by_assignee ON test_cases (tenant_id, assignee, id) WHERE pending = 1;
CREATE INDEX programmes_by_owner ON programmes (tenant_id, owner, id) WHERE running = 1;
