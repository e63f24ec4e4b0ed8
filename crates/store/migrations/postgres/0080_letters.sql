-- How long before its deadlines a tenant is told of them; no row means the usual lead times.
CREATE TABLE lead_times (
    tenant_id TEXT COLLATE "C" PRIMARY KEY REFERENCES tenants (id),
    days TEXT NOT NULL,
    hours TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- Mail to people, until it is sent or of no use any more. What it says is sealed: it may hold a link that opens an
-- account. A letter goes with its link. It has no tenant while nobody has looked up whose address was given.
CREATE TABLE letters (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" REFERENCES tenants (id),
    link TEXT COLLATE "C" REFERENCES one_time_links (digest) ON DELETE CASCADE,
    sealed TEXT NOT NULL,
    tries BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
);
CREATE INDEX letters_by_due ON letters (due_at, id);
CREATE INDEX letters_by_end ON letters (ends_at);
CREATE INDEX letters_by_link ON letters (link);

ALTER TABLE lead_times ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_times FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_times
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
ALTER TABLE letters ENABLE ROW LEVEL SECURITY;
ALTER TABLE letters FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON letters
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
