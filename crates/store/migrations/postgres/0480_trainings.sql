-- Trainings: a module of the catalogue or a course held elsewhere, for one person until a day. `owner` is the id of the
-- person's account, `answers` are those of the last attempt, as JSON.
CREATE TABLE trainings (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    number BIGINT NOT NULL,
    module TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    provider TEXT,
    owner TEXT COLLATE "C" NOT NULL,
    due_on TEXT COLLATE "C" NOT NULL,
    management_body BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    open BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    score BIGINT,
    answers TEXT NOT NULL,
    passed_on TEXT COLLATE "C" NOT NULL,
    archived BIGINT NOT NULL,
    archived_at BIGINT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX trainings_by_tenant ON trainings (tenant_id, id);
CREATE UNIQUE INDEX trainings_by_number ON trainings (tenant_id, number);
CREATE INDEX trainings_by_change ON trainings (tenant_id, updated_at, id);
CREATE INDEX trainings_by_due ON trainings (tenant_id, due_on, id);
CREATE INDEX trainings_by_person ON trainings (tenant_id, owner, id);
CREATE INDEX trainings_by_state ON trainings (tenant_id, archived, management_body, status, due_on);
CREATE INDEX trainings_to_do ON trainings (tenant_id, due_on, id) WHERE open = 1;
CREATE INDEX trainings_to_do_by_owner ON trainings (tenant_id, LOWER(owner), due_on, id) WHERE open = 1;
CREATE INDEX trainings_near ON trainings (due_on, tenant_id, id) WHERE open = 1;

CREATE TABLE training_numbers (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

ALTER TABLE trainings ENABLE ROW LEVEL SECURITY;
ALTER TABLE trainings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON trainings
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE training_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE training_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON training_numbers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
