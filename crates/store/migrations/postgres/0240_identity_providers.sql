-- How the people of a tenant sign in by OpenID Connect: its provider, which addresses the provider may vouch for, whose
-- identity there belongs to which account, and which sign-ins were finished already.
CREATE TABLE identity_providers (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    issuer TEXT COLLATE "C" NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    sealed_secret TEXT COLLATE "C",
    scopes TEXT COLLATE "C" NOT NULL,
    groups_claim TEXT COLLATE "C",
    group_roles TEXT COLLATE "C" NOT NULL,
    creates_accounts BIGINT NOT NULL,
    default_role TEXT COLLATE "C",
    domains TEXT COLLATE "C" NOT NULL,
    factor_values TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE identity_domains (
    domain TEXT COLLATE "C" NOT NULL,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (domain, tenant_id)
);
CREATE INDEX identity_domains_by_tenant ON identity_domains (tenant_id);

CREATE TABLE user_identities (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    issuer TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, issuer, subject)
);
CREATE UNIQUE INDEX user_identities_by_user ON user_identities (user_id, issuer);

CREATE TABLE finished_sign_ins (
    digest TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX finished_sign_ins_by_end ON finished_sign_ins (expires_at);

-- Whether the provider saw a second factor when the session began.
ALTER TABLE sessions ADD COLUMN provider_factor BIGINT NOT NULL DEFAULT 0;

ALTER TABLE identity_providers ENABLE ROW LEVEL SECURITY;
ALTER TABLE identity_providers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity_providers
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE identity_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE identity_domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity_domains
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE user_identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_identities
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE finished_sign_ins ENABLE ROW LEVEL SECURITY;
ALTER TABLE finished_sign_ins FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finished_sign_ins
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
