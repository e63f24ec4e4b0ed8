-- Until when a contract has to be terminated to its end: its last day minus the notice period of its provider. A row goes
-- with the contract's last day.
CREATE TABLE contract_notices (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    provider_id TEXT NOT NULL,
    title TEXT NOT NULL,
    owner TEXT,
    notice_on TEXT NOT NULL,
    ends_on TEXT NOT NULL
);
CREATE INDEX contract_notices_by_day ON contract_notices (tenant_id, notice_on, id);
CREATE INDEX contract_notices_by_owner ON contract_notices (tenant_id, LOWER(owner), notice_on, id);
CREATE INDEX contract_notices_by_provider ON contract_notices (tenant_id, provider_id);
-- Deadlines are looked for over all tenants, and so are contracts that have ended.
CREATE INDEX contract_notices_due ON contract_notices (notice_on, tenant_id, id);
CREATE INDEX contract_notices_by_end ON contract_notices (ends_on);

INSERT INTO contract_notices (id, tenant_id, provider_id, title, owner, notice_on, ends_on)
    SELECT a.id, a.tenant_id, p.id, p.name || ': ' || a.service, p.owner,
           date(a.ends_on, '-' || p.notice_days || ' days'), a.ends_on
    FROM arrangements a
    JOIN provider_links l ON l.tenant_id = a.tenant_id AND l.record_id = a.id AND l.kind = 'arrangement'
    JOIN providers p ON p.tenant_id = l.tenant_id AND p.id = l.provider_id
    WHERE p.notice_days IS NOT NULL AND a.ends_on < 'n' AND a.ends_on >= date('now');
