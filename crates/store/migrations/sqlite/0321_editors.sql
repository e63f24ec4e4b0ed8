-- Who changed an assessment or a risk since it was last approved or accepted, as a list of ids.
ALTER TABLE assessments ADD COLUMN editors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE risks ADD COLUMN editors TEXT NOT NULL DEFAULT '[]';
