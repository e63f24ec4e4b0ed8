-- Who asked for an administrator's second factor and passkeys to be removed, until another administrator confirms it.
ALTER TABLE users ADD COLUMN factor_removal_by TEXT;
ALTER TABLE users ADD COLUMN factor_removal_at BIGINT;
