-- The measures and the CRA report that belong to an incident, and the classifications before the one that stands. A CRA
-- report belongs to one incident at most, which the rules see to: writers of a tenant come one after the other.
ALTER TABLE incidents ADD COLUMN controls TEXT NOT NULL DEFAULT '[]';
ALTER TABLE incidents ADD COLUMN cra_report_id TEXT COLLATE "C";
ALTER TABLE incidents ADD COLUMN earlier_decisions TEXT NOT NULL DEFAULT '[]';
CREATE INDEX incidents_by_cra_report ON incidents (tenant_id, cra_report_id);
