-- Facts of the institution that decide single duties; NULL while they are unknown.
ALTER TABLE tenants ADD COLUMN tlpt_identified BIGINT;
ALTER TABLE tenants ADD COLUMN large_investment_firm BIGINT;
ALTER TABLE tenants ADD COLUMN npl_from_5_percent BIGINT;
ALTER TABLE tenants ADD COLUMN real_estate_thresholds BIGINT;
ALTER TABLE tenants ADD COLUMN small_non_complex BIGINT;
