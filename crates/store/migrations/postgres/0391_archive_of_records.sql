-- Records with history are archived, never deleted: whether, beside since when.
ALTER TABLE risks ADD COLUMN archived_at BIGINT;
ALTER TABLE risks ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE controls ADD COLUMN archived_at BIGINT;
ALTER TABLE controls ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE functions ADD COLUMN archived_at BIGINT;
ALTER TABLE functions ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE incidents ADD COLUMN archived_at BIGINT;
ALTER TABLE incidents ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE own_frameworks ADD COLUMN archived_at BIGINT;
ALTER TABLE own_frameworks ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE evidence ADD COLUMN archived_at BIGINT;
ALTER TABLE evidence ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
