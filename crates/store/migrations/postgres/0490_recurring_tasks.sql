-- Tasks that recur: how often, and the task that followed when this one was done. A task that has one is not followed
-- by another when it is opened and done again.
ALTER TABLE tasks ADD COLUMN cadence TEXT COLLATE "C" NOT NULL DEFAULT 'none';
ALTER TABLE tasks ADD COLUMN next_task TEXT COLLATE "C";
