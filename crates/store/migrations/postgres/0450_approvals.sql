-- Decisions that need a second person: asked for, then granted, refused, withdrawn or lapsed.
CREATE TABLE approvals (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    subject TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    subject_version BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    asked_by TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    until_on TEXT COLLATE "C",
    approvers TEXT COLLATE "C" NOT NULL,
    decided_by TEXT COLLATE "C",
    decided_at BIGINT,
    note TEXT COLLATE "C",
    changed TEXT COLLATE "C" NOT NULL,
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
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    approval_id TEXT COLLATE "C" NOT NULL REFERENCES approvals (id),
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (user_id, approval_id)
);
CREATE INDEX approval_waits_of ON approval_waits (approval_id, tenant_id);

-- What each institution leaves to a second person, as far as it differs from the usual.
CREATE TABLE approval_policies (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    content TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL
);

ALTER TABLE approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approvals
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE approval_waits ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_waits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approval_waits
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE approval_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approval_policies
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
