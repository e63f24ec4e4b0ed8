-- What a decision is carried out with, and whether it was made on the page of the record without a request.
ALTER TABLE approvals ADD COLUMN details TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE approvals ADD COLUMN direct BIGINT NOT NULL DEFAULT 0;
