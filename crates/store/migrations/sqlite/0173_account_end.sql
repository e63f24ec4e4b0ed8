-- The last day of an account that is open for a time only, such as an auditor's.
ALTER TABLE users ADD COLUMN ends_on TEXT;
