-- What the last file said of an imported finding, and results of vulnerability scans.

ALTER TABLE finding_origins ADD COLUMN content TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000';
ALTER TABLE finding_origins ADD COLUMN file TEXT NOT NULL
    DEFAULT '0000000000000000000000000000000000000000000000000000000000000000';

CREATE TABLE scans (
    id TEXT PRIMARY KEY,
    scanner TEXT NOT NULL,
    target TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    status TEXT NOT NULL,
    vulnerabilities TEXT NOT NULL
);
CREATE INDEX scans_by_end ON scans (finished_at, id);
CREATE INDEX scans_by_scanner ON scans (scanner, finished_at);
