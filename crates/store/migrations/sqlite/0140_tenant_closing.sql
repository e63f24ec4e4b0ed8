-- When a tenant was closed. Its records stay; its people and keys stay out until it is opened again.
ALTER TABLE tenants ADD COLUMN closed_at BIGINT;
