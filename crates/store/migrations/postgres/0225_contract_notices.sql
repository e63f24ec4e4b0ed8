-- Until when a contract has to be terminated to its end: its last day minus the notice period of its provider. A row goes
-- with the contract's last day.
CREATE TABLE contract_notices (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    provider_id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    owner TEXT COLLATE "C",
    notice_on TEXT COLLATE "C" NOT NULL,
    ends_on TEXT COLLATE "C" NOT NULL
);
CREATE INDEX contract_notices_by_day ON contract_notices (tenant_id, notice_on, id);
CREATE INDEX contract_notices_by_owner ON contract_notices (tenant_id, LOWER(owner), notice_on, id);
CREATE INDEX contract_notices_by_provider ON contract_notices (tenant_id, provider_id);
-- Deadlines are looked for over all tenants, and so are contracts that have ended.
CREATE INDEX contract_notices_due ON contract_notices (notice_on, tenant_id, id);
CREATE INDEX contract_notices_by_end ON contract_notices (ends_on);

-- Inserts nothing: the rows of every tenant are seen from here on.
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '*', true) AS seen) s WHERE s.seen = '';
INSERT INTO contract_notices (id, tenant_id, provider_id, title, owner, notice_on, ends_on)
    SELECT a.id, a.tenant_id, p.id, p.name || ': ' || a.service, p.owner,
           CASE WHEN a.ends_on < 'n'
                THEN to_char(CAST(a.ends_on AS DATE) - CAST(p.notice_days AS INTEGER), 'YYYY-MM-DD') END,
           a.ends_on
    FROM arrangements a
    JOIN provider_links l ON l.tenant_id = a.tenant_id AND l.record_id = a.id AND l.kind = 'arrangement'
    JOIN providers p ON p.tenant_id = l.tenant_id AND p.id = l.provider_id
    WHERE p.notice_days IS NOT NULL AND a.ends_on < 'n' AND a.ends_on >= to_char(now(), 'YYYY-MM-DD');
INSERT INTO signals (name, revision)
    SELECT 'none', 0 FROM (SELECT set_config('tidewall.tenant', '', true) AS seen) s WHERE s.seen = '*';

ALTER TABLE contract_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE contract_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON contract_notices
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
