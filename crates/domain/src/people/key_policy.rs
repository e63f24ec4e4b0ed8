//! What an institution lets its API keys do, besides their permissions and limits.

/// The institution's rules for its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPolicy {
    /// Whether a key may be the second person of a decision, such as an approval.
    pub may_decide: bool,
    /// Whether keys are revoked when the account of the person who made them is closed by a directory.
    pub end_with_maker: bool,
}

impl KeyPolicy {
    /// Of a new institution.
    pub const NEW: Self = Self { may_decide: false, end_with_maker: true };
}
