-- Due-diligence reviews of providers. Questions, answers and findings are JSON; a link is kept as its digest alone.
CREATE TABLE provider_reviews (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    provider_id TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    open BIGINT NOT NULL,
    questions TEXT NOT NULL,
    answers TEXT NOT NULL,
    due_on TEXT COLLATE "C" NOT NULL,
    sent_at BIGINT,
    link_expires_at BIGINT,
    submitted_at BIGINT,
    submitted_by TEXT COLLATE "C",
    completed_on TEXT COLLATE "C" NOT NULL,
    scores TEXT NOT NULL,
    findings TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX provider_reviews_by_tenant ON provider_reviews (tenant_id, id);
CREATE INDEX provider_reviews_by_provider ON provider_reviews (tenant_id, provider_id, id);
CREATE INDEX provider_reviews_by_change ON provider_reviews (tenant_id, updated_at, id);

CREATE TABLE review_links (
    digest TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    review_id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX review_links_by_review ON review_links (tenant_id, review_id);
CREATE INDEX review_links_by_end ON review_links (expires_at);

ALTER TABLE provider_reviews ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_reviews FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON provider_reviews
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE review_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE review_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON review_links
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
