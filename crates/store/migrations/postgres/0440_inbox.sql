-- Notices to people: one for each reason, record and version. `mail_at` is when its mail is due; empty if it needs none
-- any more. `letter` is the mail that told of it.
CREATE TABLE inbox (
    id TEXT COLLATE "C" PRIMARY KEY,
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    reason TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    reference TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    actor TEXT COLLATE "C",
    due TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    read_at BIGINT,
    mail_at BIGINT,
    letter TEXT COLLATE "C"
);
CREATE UNIQUE INDEX inbox_once ON inbox (tenant_id, user_id, reason, subject, version);
CREATE INDEX inbox_of_user ON inbox (tenant_id, user_id, id);
CREATE INDEX inbox_unread ON inbox (tenant_id, user_id) WHERE read_at IS NULL;
CREATE INDEX inbox_to_mail ON inbox (mail_at, tenant_id, user_id) WHERE mail_at IS NOT NULL;
CREATE INDEX inbox_by_age ON inbox (created_at);

-- How each person wants to be notified: the hour of the daily mail, and the way for each reason that differs from its
-- default.
CREATE TABLE inbox_choices (
    user_id TEXT COLLATE "C" PRIMARY KEY REFERENCES users (id),
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    hour BIGINT NOT NULL,
    ways TEXT COLLATE "C" NOT NULL
);

ALTER TABLE inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON inbox
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

ALTER TABLE inbox_choices ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox_choices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON inbox_choices
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
