-- Whoever writes joins only small pieces of the full-text index; a job joins the large ones. Otherwise a change takes
-- the longer the more there is to search.
INSERT INTO document_texts (document_texts, rank) VALUES ('automerge', 0);
