-- Decisions that need a second person: asked for, then granted, refused, withdrawn or lapsed.
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    subject_version BIGINT NOT NULL,
    action TEXT NOT NULL,
    state TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    until_on TEXT,
    approvers TEXT NOT NULL,
    decided_by TEXT,
    decided_at BIGINT,
    note TEXT,
    changed TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX approvals_by_tenant ON approvals (tenant_id, id);
CREATE INDEX approvals_by_change ON approvals (tenant_id, updated_at, id);
CREATE INDEX approvals_by_subject ON approvals (tenant_id, subject, id);
CREATE INDEX approvals_by_state ON approvals (tenant_id, state, id);
-- One decision about a record is asked for at a time.
CREATE UNIQUE INDEX approvals_asked ON approvals (tenant_id, subject, action) WHERE state = 'asked';

-- The people for whose decision a request waits.
CREATE TABLE approval_waits (
    user_id TEXT NOT NULL REFERENCES users (id),
    approval_id TEXT NOT NULL REFERENCES approvals (id),
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (user_id, approval_id)
);
CREATE INDEX approval_waits_of ON approval_waits (approval_id, tenant_id);

-- What each institution leaves to a second person, as far as it differs from the usual.
CREATE TABLE approval_policies (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    content TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
