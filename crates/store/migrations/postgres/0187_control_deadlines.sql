-- Deadlines of controls are looked for over all tenants.
CREATE INDEX controls_due ON controls (next_due_on, tenant_id, id);
