-- The time zone people read and write times in: the institution's, and a person's own where it is set. Who may read the
-- institution's reports; nothing means internal.
ALTER TABLE tenants ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'Europe/Berlin';
ALTER TABLE tenants ADD COLUMN classification TEXT;
ALTER TABLE users ADD COLUMN time_zone TEXT;
