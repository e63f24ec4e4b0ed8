-- Open findings are counted by the day they were made ('made:2026-11-14') and the day they are due
-- ('due:2026-12-31') too, so that no page counts them for their age or for how many are late.
-- For every tenant at once, which the policies allow to whoever says so.
SELECT set_config('tidewall.tenant', '*', true);

INSERT INTO finding_counts (tenant_id, parent, status, severity, n)
SELECT tenant_id, 'due:' || due_on, status, severity, COUNT(*) FROM findings
WHERE open = 1 AND due_on <> 'none' GROUP BY tenant_id, due_on, status, severity;

INSERT INTO finding_counts (tenant_id, parent, status, severity, n)
SELECT tenant_id, 'made:' || to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), status,
       severity, COUNT(*)
FROM findings WHERE open = 1 GROUP BY 1, 2, 3, 4;

SELECT set_config('tidewall.tenant', '', true);
