-- Lists are also asked for what changed since a moment, oldest change first, and by the person who looks after a record.

CREATE INDEX programmes_by_change ON programmes (tenant_id, updated_at, id);
CREATE INDEX test_cases_by_change ON test_cases (tenant_id, updated_at, id);
CREATE INDEX findings_by_change ON findings (tenant_id, updated_at, id);
CREATE INDEX arrangements_by_change ON arrangements (tenant_id, updated_at, id);
CREATE INDEX cra_reports_by_change ON cra_reports (tenant_id, updated_at, id);
CREATE INDEX webhooks_by_change ON webhooks (tenant_id, updated_at, id);
CREATE INDEX api_keys_by_change ON api_keys (tenant_id, COALESCE(revoked_at, created_at), id);
CREATE INDEX analyses_by_change ON analyses (tenant_id, analysed_at, id);
CREATE INDEX breaches_by_change ON breaches (tenant_id, detected_at, id);
CREATE INDEX deliveries_by_tenant ON deliveries (tenant_id, webhook_id, event_id);
CREATE INDEX deliveries_by_change ON deliveries (tenant_id, webhook_id, updated_at, event_id);

CREATE INDEX programmes_by_owner ON programmes (tenant_id, owner, id);
CREATE INDEX findings_by_owner ON findings (tenant_id, owner, id);
CREATE INDEX test_cases_by_assignee ON test_cases (tenant_id, assignee, id);
