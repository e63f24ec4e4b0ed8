-- What an institution says of itself beside its time zone and currency. Nothing means not known, except the legal name,
-- which is the name of the tenant then.
ALTER TABLE tenants ADD COLUMN legal_name TEXT;
ALTER TABLE tenants ADD COLUMN lei TEXT;
ALTER TABLE tenants ADD COLUMN country TEXT;
ALTER TABLE tenants ADD COLUMN entity_kind TEXT;
-- A list of words as JSON.
ALTER TABLE tenants ADD COLUMN roles TEXT;
ALTER TABLE tenants ADD COLUMN size TEXT;
ALTER TABLE tenants ADD COLUMN significant BIGINT;
-- The country whose bank holidays hold, where it is another one.
ALTER TABLE tenants ADD COLUMN calendar TEXT;
ALTER TABLE tenants ADD COLUMN authority TEXT;
-- The regime of DORA that a person set, with the reason.
ALTER TABLE tenants ADD COLUMN regime TEXT;
ALTER TABLE tenants ADD COLUMN regime_reason TEXT;
-- Counts changes of the profile, time zone, currency and name included.
ALTER TABLE tenants ADD COLUMN profile_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE tenants ADD COLUMN profile_updated_at BIGINT;
