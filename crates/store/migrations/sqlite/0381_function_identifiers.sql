-- Functions and the rows of template B_06.01 become the same data. The identifier of the register is that of the function.
ALTER TABLE functions ADD COLUMN identifier TEXT;
CREATE INDEX functions_by_identifier ON functions (tenant_id, identifier);
