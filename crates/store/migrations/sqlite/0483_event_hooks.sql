-- Systems of a tenant that receive the events about its records. `sealed` holds the address and the secrets, `position`
-- the place in the stream of events up to which deliveries were made.
CREATE TABLE event_hooks (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    sealed TEXT NOT NULL,
    url_hash TEXT NOT NULL,
    events TEXT NOT NULL,
    kinds TEXT NOT NULL,
    severities TEXT NOT NULL,
    owner TEXT,
    active BIGINT NOT NULL,
    position BIGINT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    failing_since BIGINT,
    gone_since BIGINT,
    tried_at BIGINT,
    tried_class TEXT,
    switched_off_at BIGINT
);
CREATE INDEX event_hooks_of_tenant ON event_hooks (tenant_id, id);
CREATE INDEX event_hooks_by_url_hash ON event_hooks (url_hash);
CREATE INDEX event_hooks_walk ON event_hooks (tenant_id, updated_at, id);
