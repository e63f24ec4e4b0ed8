-- What an institution decides: the types of files it accepts as evidence, and the domains of mail addresses that are its
-- own. Without a choice the usual types, and the domains of its administrators.
ALTER TABLE tenants ADD COLUMN evidence_types TEXT;
ALTER TABLE tenants ADD COLUMN mail_domains TEXT;

-- Addresses outside these domains whose owners were asked whether they want mail of the institution. The digest is that of
-- the link in the last such mail.
CREATE TABLE mail_addresses (
    tenant_id TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    address TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL UNIQUE,
    asked_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    PRIMARY KEY (tenant_id, address)
);

-- Whether nothing is sent to the webhook because its address is not confirmed yet; those of earlier versions are.
ALTER TABLE webhooks ADD COLUMN pending BIGINT NOT NULL DEFAULT 0;

-- A mail that waits until this address is confirmed, and what it is about: a later one about the same replaces it.
ALTER TABLE letters ADD COLUMN waits_for TEXT COLLATE "C";
ALTER TABLE letters ADD COLUMN about TEXT COLLATE "C";
CREATE INDEX letters_by_wait ON letters (tenant_id, waits_for) WHERE waits_for IS NOT NULL;
CREATE INDEX letters_by_subject ON letters (tenant_id, about) WHERE about IS NOT NULL;

-- When a questionnaire was last sent by mail, and when a directory last had a person invited.
ALTER TABLE review_links ADD COLUMN mailed_at BIGINT;
ALTER TABLE users ADD COLUMN invited_at BIGINT;

ALTER TABLE mail_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_addresses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON mail_addresses
    USING (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));
