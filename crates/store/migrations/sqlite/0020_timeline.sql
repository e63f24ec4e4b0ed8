-- What the last synchronisation of the compliance timeline saw: the catalogue's milestones by their digest, and
-- the items of feeds in full, because nothing else holds them.
CREATE TABLE timeline_items (
    id TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    digest TEXT NOT NULL,
    item TEXT,
    synced_at BIGINT NOT NULL
);
INSERT INTO signals (name, revision) VALUES ('timeline', 0);

-- How far each framework was covered in each version of the catalogue, in hundredths of a per cent.
CREATE TABLE compliance_scores (
    version TEXT NOT NULL,
    framework TEXT NOT NULL,
    score BIGINT NOT NULL,
    PRIMARY KEY (version, framework)
);
