-- Accepted findings by their owner, for handing them over.
CREATE INDEX findings_accepted_by_owner ON findings (tenant_id, LOWER(owner), id) WHERE status = 'risk_accepted';
