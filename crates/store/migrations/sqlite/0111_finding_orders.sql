-- The orders the list of findings is sorted by: the worst that is due soonest first, and by age.
CREATE INDEX findings_by_urgency ON findings (tenant_id, severity, due_on, id);
CREATE INDEX findings_open_by_urgency ON findings (tenant_id, open, severity, due_on, id);
CREATE INDEX findings_by_detection ON findings (tenant_id, detected_at, id);
CREATE INDEX findings_open_by_detection ON findings (tenant_id, open, detected_at, id);
