//! Links that open one questionnaire for a provider: the digest of each, never the link.

use domain::{
    id::{ReviewId, TenantId},
    moment::Moment,
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    INSERT = "INSERT INTO review_links (digest, tenant_id, review_id, created_at, expires_at, mailed_at)
              VALUES ($1, $2, $3, $4, $5, $6)";
    MAILED = "SELECT MAX(mailed_at) FROM review_links WHERE tenant_id = $1 AND review_id = $2";
    GET = "SELECT tenant_id, review_id, expires_at FROM review_links WHERE digest = $1";
    DELETE_OF = "DELETE FROM review_links WHERE tenant_id = $1 AND review_id = $2";
    PRUNE = "DELETE FROM review_links WHERE expires_at <= $1";
}

/// What a link opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewLink {
    pub tenant: TenantId,
    pub review: ReviewId,
    pub expires_at: Moment,
}

/// When the questionnaire was last sent by mail, as far as its present link shows.
pub fn mailed_at(reader: &mut Reader<'_>, scope: &TenantScope, review: ReviewId) -> Result<Option<Moment>> {
    reader.query_one(&MAILED, params![scope.tenant(), review], |row| row.get(0))
}

/// Stores a new link, with the time of the last mail. Earlier links of the review stop working.
pub fn replace(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    review: ReviewId,
    digest: &str,
    (now, expires_at): (Moment, Moment),
    mailed_at: Option<Moment>,
) -> Result<()> {
    tx.execute(&DELETE_OF, params![scope.tenant(), review])?;
    tx.execute(&INSERT, params![digest, scope.tenant(), review, now, expires_at, mailed_at])?;
    Ok(())
}

/// The link with this digest, of any institution.
pub fn get(reader: &mut Reader<'_>, digest: &str) -> Result<Option<ReviewLink>> {
    reader.query_opt(&GET, params![digest], |row| {
        Ok(ReviewLink { tenant: row.parse(0)?, review: row.parse(1)?, expires_at: row.get(2)? })
    })
}

/// Makes every link to a review void.
pub fn delete_of(tx: &mut Tx<'_>, scope: &TenantScope, review: ReviewId) -> Result<()> {
    tx.execute(&DELETE_OF, params![scope.tenant(), review])?;
    Ok(())
}

/// Deletes expired links and returns their number.
pub fn prune(tx: &mut Tx<'_>, now: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![now])
}
