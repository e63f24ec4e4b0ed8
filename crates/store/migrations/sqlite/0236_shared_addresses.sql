-- The address of a person whose address another tenant's person has, too. The column email stays unique over all tenants, as
-- nodes of the version before need it, and holds a stand-in for such a person.
ALTER TABLE users ADD COLUMN address TEXT;
CREATE INDEX users_by_address ON users (address);
