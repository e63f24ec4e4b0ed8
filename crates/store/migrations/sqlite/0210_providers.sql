-- Providers of ICT services: what the institution adds to the register. Name, LEI and country follow from the
-- arrangements and are written only together with them. Providers of arrangements that are there already are made here.
CREATE TABLE providers (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    lei TEXT,
    country TEXT NOT NULL,
    owner TEXT,
    rating TEXT,
    review_months BIGINT,
    notice_days BIGINT,
    note TEXT,
    last_review_on TEXT NOT NULL,
    next_review_on TEXT NOT NULL,
    scores TEXT NOT NULL,
    words TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX providers_by_tenant ON providers (tenant_id, id);
CREATE INDEX providers_by_lei ON providers (tenant_id, lei);
CREATE INDEX providers_by_name ON providers (tenant_id, name, id);
CREATE INDEX providers_by_change ON providers (tenant_id, updated_at, id);
CREATE INDEX providers_by_review ON providers (tenant_id, next_review_on, id);
-- Deadlines of reviews are looked for over all tenants.
CREATE INDEX providers_due ON providers (next_review_on, tenant_id, id);

-- Which arrangements, incidents and findings belong to a provider.
CREATE TABLE provider_links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    provider_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, record_id, provider_id)
);
CREATE INDEX provider_links_by_provider ON provider_links (tenant_id, provider_id, kind, record_id);

-- Which clauses of DORA Art. 30(2) and (3) stand in the contract of an arrangement.
CREATE TABLE provider_clauses (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    arrangement_id TEXT NOT NULL,
    clause_id TEXT NOT NULL,
    state TEXT NOT NULL,
    note TEXT,
    actor TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, arrangement_id, clause_id)
);

INSERT INTO providers (id, tenant_id, name, lei, country, last_review_on, next_review_on, scores, words, version,
                       created_at, updated_at)
    SELECT 'prv_0' || substr(lower(hex(randomblob(13))), 1, 25), tenant_id, MIN(provider_name), provider_lei,
           MIN(provider_country), 'none', 'none', 'null', lower(MIN(provider_name) || ' ' || provider_lei), 1,
           CAST(strftime('%s', 'now') AS BIGINT) * 1000, CAST(strftime('%s', 'now') AS BIGINT) * 1000
    FROM arrangements WHERE provider_lei IS NOT NULL GROUP BY tenant_id, provider_lei;
INSERT INTO providers (id, tenant_id, name, lei, country, last_review_on, next_review_on, scores, words, version,
                       created_at, updated_at)
    SELECT 'prv_0' || substr(lower(hex(randomblob(13))), 1, 25), a.tenant_id, a.provider_name, NULL,
           MIN(a.provider_country), 'none', 'none', 'null', lower(a.provider_name), 1,
           CAST(strftime('%s', 'now') AS BIGINT) * 1000, CAST(strftime('%s', 'now') AS BIGINT) * 1000
    FROM arrangements a
    WHERE a.provider_lei IS NULL
      AND (SELECT COUNT(*) FROM providers p
           WHERE p.tenant_id = a.tenant_id AND p.name = a.provider_name AND p.lei IS NOT NULL) <> 1
    GROUP BY a.tenant_id, a.provider_name;
INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
    SELECT a.tenant_id, p.id, 'arrangement', a.id FROM arrangements a
    JOIN providers p ON p.tenant_id = a.tenant_id AND p.lei = a.provider_lei;
INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
    SELECT a.tenant_id, MIN(p.id), 'arrangement', a.id FROM arrangements a
    JOIN providers p ON p.tenant_id = a.tenant_id AND p.name = a.provider_name
    WHERE a.provider_lei IS NULL
      AND (p.lei IS NULL OR NOT EXISTS (SELECT 1 FROM providers o
           WHERE o.tenant_id = a.tenant_id AND o.name = a.provider_name AND o.lei IS NULL))
    GROUP BY a.tenant_id, a.id;
INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
    SELECT DISTINCT i.tenant_id, p.id, 'incident', i.id FROM incidents i, json_each(i.providers) j
    JOIN providers p ON p.tenant_id = i.tenant_id AND p.name = j.value;
