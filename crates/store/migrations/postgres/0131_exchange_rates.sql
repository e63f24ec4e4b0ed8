-- The exchange rates a tenant keeps, and the day they are of. One row, because they are replaced together.
CREATE TABLE exchange_rates (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    -- The currency they lead to.
    base TEXT NOT NULL,
    valid_on TEXT NOT NULL,
    -- An object of currency and rate.
    rates TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

ALTER TABLE exchange_rates ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_rates FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON exchange_rates
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
