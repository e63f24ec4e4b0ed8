-- People in the order of their changes, for lists read with a cursor.
CREATE INDEX users_by_change ON users (tenant_id, updated_at, id);
