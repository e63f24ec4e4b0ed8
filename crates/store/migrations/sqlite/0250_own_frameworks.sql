-- Frameworks of an institution's own. `content` is the number of the set of requirements that is worked on,
-- `force_content` that of the approved one; 0 is none.
CREATE TABLE own_frameworks (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    edition TEXT,
    owner TEXT,
    status TEXT NOT NULL,
    content BIGINT NOT NULL,
    requirements BIGINT NOT NULL,
    force_title TEXT,
    force_edition TEXT,
    force_content BIGINT NOT NULL,
    editors TEXT NOT NULL,
    approved_at BIGINT,
    approved_by TEXT,
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
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    framework_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    requirements TEXT NOT NULL,
    PRIMARY KEY (tenant_id, framework_id, number)
);
