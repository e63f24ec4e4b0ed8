-- Row-level security for the rest of the tables with tenant data.

-- The words of records. Rows of nodes of the version before get their tenant from the transaction.
ALTER TABLE document_texts ADD COLUMN tenant_id TEXT COLLATE "C"
    DEFAULT NULLIF(current_setting('tidewall.tenant', true), '*');
SELECT set_config('tidewall.tenant', '*', true);
UPDATE document_texts SET tenant_id = documents.tenant_id FROM documents WHERE documents.doc = document_texts.rowid;

-- PostgreSQL evaluates a condition of a statement only after the policy, and so without an index, unless the operator is
-- marked as leakproof, and @@ is not. A condition of the policy itself may use the index. So the policy contains the words
-- that are searched, which a transaction sets before it reads; without them every row of the tenant is seen. The
-- subqueries are evaluated once for a statement, not once for a row.
ALTER TABLE document_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_texts
    USING ((SELECT current_setting('tidewall.tenant', true)) IN (tenant_id, '*')
           AND tokens @@ CAST((SELECT COALESCE(NULLIF(current_setting('tidewall.words', true), ''), '!none')) AS TSQUERY))
    WITH CHECK (current_setting('tidewall.tenant', true) IN (tenant_id, '*'));

-- Two tenants may send to the same address, and then share its row: each sees the rows that it began and those of its
-- webhooks. The policy of webhooks limits the subquery to the tenant's own.
ALTER TABLE destinations ENABLE ROW LEVEL SECURITY;
ALTER TABLE destinations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON destinations
    USING (current_setting('tidewall.tenant', true) IN (owner, '*')
           OR EXISTS (SELECT 1 FROM webhooks w WHERE w.url_hash = destinations.url_hash));

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tenants
    USING (current_setting('tidewall.tenant', true) IN (id, '*'));
