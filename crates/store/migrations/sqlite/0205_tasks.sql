-- Plain tasks of people. `about` is the id of the record a task is about.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    title TEXT NOT NULL,
    note TEXT,
    owner TEXT,
    due_on TEXT NOT NULL,
    status TEXT NOT NULL,
    open BIGINT NOT NULL,
    about TEXT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX tasks_by_tenant ON tasks (tenant_id, id);
CREATE INDEX tasks_by_change ON tasks (tenant_id, updated_at, id);

-- What is to be done, by day, and the same by owner in whatever case the name was written.
CREATE INDEX tasks_to_do ON tasks (tenant_id, due_on, id) WHERE open = 1;
CREATE INDEX tasks_to_do_by_owner ON tasks (tenant_id, LOWER(owner), due_on, id) WHERE open = 1;
CREATE INDEX findings_to_do_by_owner ON findings (tenant_id, LOWER(owner), due_on, id) WHERE open = 1;
CREATE INDEX test_cases_to_do ON test_cases (tenant_id, due_on, id) WHERE pending = 1;
CREATE INDEX test_cases_to_do_by_owner ON test_cases (tenant_id, LOWER(assignee), due_on, id) WHERE pending = 1;
CREATE INDEX programmes_to_do ON programmes (tenant_id, ends_on, id) WHERE running = 1;
CREATE INDEX programmes_to_do_by_owner ON programmes (tenant_id, LOWER(owner), ends_on, id) WHERE running = 1;
CREATE INDEX controls_to_do_by_owner ON controls (tenant_id, LOWER(owner), next_due_on, id);
CREATE INDEX assessments_to_do ON assessments (tenant_id, due_on, requirement_id);
CREATE INDEX assessments_to_review ON assessments (tenant_id, next_review_on, requirement_id);
CREATE INDEX assessments_to_do_by_owner ON assessments (tenant_id, LOWER(owner), due_on, requirement_id);
CREATE INDEX assessments_to_review_by_owner ON assessments (tenant_id, LOWER(owner), next_review_on, requirement_id);
CREATE INDEX evidence_to_do_by_owner ON evidence (tenant_id, LOWER(owner), valid_until, id);
CREATE INDEX risks_to_do_by_owner ON risks (tenant_id, LOWER(owner), review_on, id);
CREATE INDEX risks_to_decide ON risks (tenant_id, acceptance_until, id) WHERE acceptance_until IS NOT NULL;
CREATE INDEX register_filings_to_do_by_owner ON register_filings (tenant_id, LOWER(owner), due_on, id)
    WHERE pending = 1;
CREATE INDEX functions_by_owner ON functions (tenant_id, LOWER(owner), id);
