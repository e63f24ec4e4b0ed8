-- The exchange rates a tenant keeps, and the day they are of. One row, because they are replaced together.
CREATE TABLE exchange_rates (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    -- The currency they lead to.
    base TEXT NOT NULL,
    valid_on TEXT NOT NULL,
    -- An object of currency and rate.
    rates TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
