-- From what happened to who was told: deliveries, their tries, and the destinations they share.

-- Set once the event's deliveries exist.
ALTER TABLE events ADD COLUMN fanned_out_at BIGINT;
CREATE INDEX events_new ON events (id) WHERE fanned_out_at IS NULL;

-- The language of the messages a tenant's webhooks send.
ALTER TABLE tenants ADD COLUMN language TEXT NOT NULL DEFAULT 'en';

-- A keyed hash of the webhook's URL, and how its destination has behaved since it last took a message.
ALTER TABLE webhooks ADD COLUMN url_hash TEXT COLLATE "C";
ALTER TABLE webhooks ADD COLUMN failing_since BIGINT;
ALTER TABLE webhooks ADD COLUMN gone_since BIGINT;
ALTER TABLE webhooks ADD COLUMN tried_at BIGINT;
ALTER TABLE webhooks ADD COLUMN tried_class TEXT;
-- Set when the service itself switched it off: from then on what it misses is recorded.
ALTER TABLE webhooks ADD COLUMN switched_off_at BIGINT;
CREATE INDEX webhooks_by_url_hash ON webhooks (url_hash);

CREATE TABLE deliveries (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    webhook_id TEXT COLLATE "C" NOT NULL,
    event_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    attempt BIGINT NOT NULL,
    next_attempt_at BIGINT,
    lease_until BIGINT,
    lease_token TEXT COLLATE "C",
    last_class TEXT,
    last_status BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX deliveries_once ON deliveries (webhook_id, event_id);
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_attempt_at, id) WHERE state = 'waiting';
CREATE INDEX deliveries_leased ON deliveries (lease_token) WHERE lease_token IS NOT NULL;

-- Every try ever made. Rows are only added, and go with their delivery.
CREATE TABLE delivery_attempts (
    delivery_id TEXT COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    at BIGINT NOT NULL,
    latency_ms BIGINT NOT NULL,
    class TEXT NOT NULL,
    reason TEXT NOT NULL,
    status BIGINT,
    next_attempt_at BIGINT,
    PRIMARY KEY (delivery_id, seq)
);

-- One row for each URL that is sent to. Whoever holds its lease is the only one to send there. `ready_at` says when
-- there is something to do: a delivery is due, or a lease that was never given back runs out. Two tenants may share
-- a URL, so the row belongs to none; `owner` is the one whose turn it counts as.
CREATE TABLE destinations (
    url_hash TEXT COLLATE "C" PRIMARY KEY,
    medium TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    ready_at BIGINT,
    not_before BIGINT NOT NULL,
    lease_until BIGINT,
    lease_token TEXT COLLATE "C"
);
CREATE INDEX destinations_ready ON destinations (medium, ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX destinations_in_turn ON destinations (medium, owner, ready_at) WHERE ready_at IS NOT NULL;

ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON deliveries
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE delivery_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_attempts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON delivery_attempts
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
