-- Refused sign-ins of accounts that exist, counted by day, means and address, for their owners and administrators.
CREATE TABLE refused_sign_ins (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    day TEXT COLLATE "C" NOT NULL,
    means TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    tries BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, means, address)
);
CREATE INDEX refused_sign_ins_by_user ON refused_sign_ins (user_id, last_at);
CREATE INDEX refused_sign_ins_by_tenant ON refused_sign_ins (tenant_id, last_at);
CREATE INDEX refused_sign_ins_by_time ON refused_sign_ins (last_at);

ALTER TABLE refused_sign_ins ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_sign_ins FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON refused_sign_ins
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
