-- Whether the institution operates a trading venue, whatever its kind: then limits on days off are not moved.
ALTER TABLE tenants ADD COLUMN trading_venue_operator BIGINT;
