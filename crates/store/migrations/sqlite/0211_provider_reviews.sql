-- Due-diligence reviews of providers. Questions, answers and findings are JSON; a link is kept as its digest alone.
CREATE TABLE provider_reviews (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    provider_id TEXT NOT NULL,
    status TEXT NOT NULL,
    open BIGINT NOT NULL,
    questions TEXT NOT NULL,
    answers TEXT NOT NULL,
    due_on TEXT NOT NULL,
    sent_at BIGINT,
    link_expires_at BIGINT,
    submitted_at BIGINT,
    submitted_by TEXT,
    completed_on TEXT NOT NULL,
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
    digest TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    review_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX review_links_by_review ON review_links (tenant_id, review_id);
CREATE INDEX review_links_by_end ON review_links (expires_at);
