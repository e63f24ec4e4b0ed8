-- How the people of a tenant sign in by OpenID Connect: its provider, which addresses the provider may vouch for, whose
-- identity there belongs to which account, and which sign-ins were finished already.
CREATE TABLE identity_providers (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sealed_secret TEXT,
    scopes TEXT NOT NULL,
    groups_claim TEXT,
    group_roles TEXT NOT NULL,
    creates_accounts BIGINT NOT NULL,
    default_role TEXT,
    domains TEXT NOT NULL,
    factor_values TEXT NOT NULL,
    label TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE identity_domains (
    domain TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    PRIMARY KEY (domain, tenant_id)
);
CREATE INDEX identity_domains_by_tenant ON identity_domains (tenant_id);

CREATE TABLE user_identities (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, issuer, subject)
);
CREATE UNIQUE INDEX user_identities_by_user ON user_identities (user_id, issuer);

CREATE TABLE finished_sign_ins (
    digest TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX finished_sign_ins_by_end ON finished_sign_ins (expires_at);

-- Whether the provider saw a second factor when the session began.
ALTER TABLE sessions ADD COLUMN provider_factor BIGINT NOT NULL DEFAULT 0;
