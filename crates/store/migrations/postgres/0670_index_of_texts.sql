-- A record has a hundred words and beginnings of words. Entered one by one into the index they took longer than the rest
-- of its creation; collected for some fifty records they share most of the work. A search also reads what is collected,
-- so that stays small.
ALTER INDEX document_texts_by_token SET (fastupdate = on, gin_pending_list_limit = 512);
