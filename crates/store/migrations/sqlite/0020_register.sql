-- The register of ICT arrangements, what was concluded from it, and the official tables it came from.
-- A day that is not set is stored as 'none', as with all records.

-- The currency results are given in.
ALTER TABLE tenants ADD COLUMN currency TEXT NOT NULL DEFAULT 'EUR';

CREATE TABLE arrangements (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    reference TEXT NOT NULL,
    provider_name TEXT NOT NULL,
    provider_lei TEXT,
    provider_country TEXT NOT NULL,
    provider_sector TEXT NOT NULL,
    service TEXT NOT NULL,
    service_type TEXT NOT NULL,
    technology TEXT NOT NULL,
    region TEXT NOT NULL,
    functions TEXT NOT NULL,
    critical BIGINT NOT NULL,
    substitutability TEXT NOT NULL,
    cost_amount BIGINT NOT NULL,
    cost_currency TEXT NOT NULL,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    -- Exit plan, places, supply chain, group.
    facts TEXT NOT NULL,
    -- The folded words of the record in alphabetical order, each with a space before it.
    words TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX arrangements_by_tenant ON arrangements (tenant_id, id);
CREATE UNIQUE INDEX arrangements_by_reference ON arrangements (tenant_id, reference);

CREATE TABLE analyses (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    analysed_at BIGINT NOT NULL,
    as_of TEXT NOT NULL,
    basis TEXT NOT NULL,
    scope TEXT NOT NULL,
    level TEXT NOT NULL,
    arrangements BIGINT NOT NULL,
    breaches BIGINT NOT NULL,
    result TEXT NOT NULL
);
CREATE UNIQUE INDEX analyses_by_tenant ON analyses (tenant_id, id);

-- `by_group` tells the provider breaches of groups from those of legal entities.
CREATE TABLE breaches (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    analysis_id TEXT NOT NULL REFERENCES analyses (id),
    dimension TEXT NOT NULL,
    by_group BIGINT NOT NULL,
    name TEXT NOT NULL,
    share_pct BIGINT NOT NULL,
    threshold_pct BIGINT NOT NULL,
    excess_pct BIGINT NOT NULL,
    severity TEXT NOT NULL,
    arrangements TEXT NOT NULL,
    detected_at BIGINT NOT NULL,
    first_detected_at BIGINT NOT NULL
);
CREATE INDEX breaches_by_analysis ON breaches (tenant_id, analysis_id, id);

-- The official tables as they were imported last, as CSV.
CREATE TABLE register_tables (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    template TEXT NOT NULL,
    content TEXT NOT NULL,
    imported_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, template)
);
