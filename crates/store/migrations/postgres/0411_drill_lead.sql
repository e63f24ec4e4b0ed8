-- The person who leads a drill run: a name or an account.
ALTER TABLE drill_runs ADD COLUMN lead TEXT;
