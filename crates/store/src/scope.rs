//! The proof that a caller may touch one tenant's data.

use domain::id::TenantId;

/// Required by every function that reads or changes a tenant's rows.
///
/// Only the authorisation code of `app` creates one (a test checks that no other code does), so a caller with a scope
/// has been authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TenantScope(TenantId);

impl TenantScope {
    /// Asserts that the caller has been authorised for this tenant.
    #[must_use]
    pub fn authorised(tenant: TenantId) -> Self {
        Self(tenant)
    }

    pub fn tenant(self) -> TenantId {
        self.0
    }
}
