-- Whether mails to people of the institution name the titles of records beside their references.
ALTER TABLE tenants ADD COLUMN titles_in_mail BIGINT NOT NULL DEFAULT 0;
