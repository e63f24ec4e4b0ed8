-- Programmes, arrangements and tasks with history are archived: whether, beside since when.
ALTER TABLE programmes ADD COLUMN archived_at BIGINT;
ALTER TABLE programmes ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE arrangements ADD COLUMN archived_at BIGINT;
ALTER TABLE arrangements ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN archived_at BIGINT;
ALTER TABLE tasks ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
-- The archive of a programme is its last status.
UPDATE programmes SET archived = 1, archived_at = updated_at WHERE status = 'archived';
