-- What the golden copy of GLEIF says of the LEIs that stand in a register. It is public data, the same for every tenant.
CREATE TABLE issued_leis (
    lei TEXT COLLATE "C" PRIMARY KEY,
    name TEXT NOT NULL,
    entity_status TEXT NOT NULL,
    registration_status TEXT NOT NULL,
    country TEXT NOT NULL,
    renews_on TEXT,
    parent TEXT,
    loaded_on TEXT NOT NULL
);
