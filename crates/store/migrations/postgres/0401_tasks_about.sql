-- The tasks about one record, such as the actions that treat a risk.
CREATE INDEX tasks_by_subject ON tasks (tenant_id, about, due_on, id) WHERE about IS NOT NULL;
