-- The archetype of the catalogue a provider is held against, and who is asked there in a due-diligence review.
ALTER TABLE providers ADD COLUMN archetype TEXT COLLATE "C";
ALTER TABLE providers ADD COLUMN contact TEXT COLLATE "C";
