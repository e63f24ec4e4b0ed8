-- Frameworks of an institution's own. `content` is the number of the set of requirements that is worked on,
-- `force_content` that of the approved one; 0 is none.
CREATE TABLE own_frameworks (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    key TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    description TEXT,
    edition TEXT,
    owner TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    content BIGINT NOT NULL,
    requirements BIGINT NOT NULL,
    force_title TEXT,
    force_edition TEXT,
    force_content BIGINT NOT NULL,
    editors TEXT NOT NULL,
    approved_at BIGINT,
    approved_by TEXT COLLATE "C",
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX own_frameworks_by_tenant ON own_frameworks (tenant_id, id);
CREATE UNIQUE INDEX own_frameworks_by_key ON own_frameworks (tenant_id, key);
CREATE INDEX own_frameworks_by_change ON own_frameworks (tenant_id, updated_at, id);
CREATE INDEX own_frameworks_in_force ON own_frameworks (tenant_id, key) WHERE force_content > 0;

-- Sets of requirements, as JSON. A set never changes: every change of a framework adds one.
CREATE TABLE own_framework_contents (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    framework_id TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    requirements TEXT NOT NULL,
    PRIMARY KEY (tenant_id, framework_id, number)
);

ALTER TABLE own_frameworks ENABLE ROW LEVEL SECURITY;
ALTER TABLE own_frameworks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON own_frameworks
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE own_framework_contents ENABLE ROW LEVEL SECURITY;
ALTER TABLE own_framework_contents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON own_framework_contents
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
