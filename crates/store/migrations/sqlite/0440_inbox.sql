-- Notices to people: one for each reason, record and version. `mail_at` is when its mail is due; empty if it needs none
-- any more. `letter` is the mail that told of it.
CREATE TABLE inbox (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    reason TEXT NOT NULL,
    subject TEXT NOT NULL,
    version BIGINT NOT NULL,
    kind TEXT NOT NULL,
    reference TEXT,
    title TEXT NOT NULL,
    actor TEXT,
    due TEXT,
    created_at BIGINT NOT NULL,
    read_at BIGINT,
    mail_at BIGINT,
    letter TEXT
);
CREATE UNIQUE INDEX inbox_once ON inbox (tenant_id, user_id, reason, subject, version);
CREATE INDEX inbox_of_user ON inbox (tenant_id, user_id, id);
CREATE INDEX inbox_unread ON inbox (tenant_id, user_id) WHERE read_at IS NULL;
CREATE INDEX inbox_to_mail ON inbox (mail_at, tenant_id, user_id) WHERE mail_at IS NOT NULL;
CREATE INDEX inbox_by_age ON inbox (created_at);

-- How each person wants to be notified: the hour of the daily mail, and the way for each reason that differs from its
-- default.
CREATE TABLE inbox_choices (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    hour BIGINT NOT NULL,
    ways TEXT NOT NULL
);
