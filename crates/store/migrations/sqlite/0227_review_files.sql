-- The files a provider sent with its answers: evidence, each with its name and the question it is about, as JSON.
ALTER TABLE provider_reviews ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
