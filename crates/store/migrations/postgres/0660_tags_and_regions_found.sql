-- The palette finds tags by their first letters over all kinds, and the regions of arrangements.
CREATE INDEX record_tags_by_letters ON record_tags (tenant_id, folded, kind, tag);
CREATE INDEX arrangements_by_region ON arrangements (tenant_id, region, id, archived);
