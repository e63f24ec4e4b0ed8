//! The proof that a caller may touch one tenant's data.

use domain::id::TenantId;

/// Held by every call that reads or changes a tenant's rows.
///
/// Only the authorisation code of `app` makes one (a test looks for anybody else who does), so whoever holds
/// a scope has been authorised.
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
