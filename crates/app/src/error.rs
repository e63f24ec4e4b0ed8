//! Errors of use cases: one message for the caller, one for the log.

use domain::{
    id::{ApiKeyId, TenantId},
    permission::Permission,
    user::Role,
    violation::{Complaint, FieldComplaint, Violations},
};

use crate::approval::ApprovalWanted;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No key, or an unknown, expired or revoked one: the response does not say which.
    #[error("a valid API key is required: send it as `Authorization: Bearer <key>`")]
    Unauthenticated,
    #[error("this needs the permission {0}")]
    Forbidden(Permission),
    /// The role of the user does not have this right.
    #[error("this needs the role {0}")]
    RoleNeeded(Role),
    /// The key is limited to other resources.
    #[error("the scopes of this key do not include {0}")]
    OutOfScope(String),
    /// The key is limited to networks this address is not in.
    #[error("this key may not be used from this address: see the networks it was created with")]
    WrongNetwork(TenantId, ApiKeyId),
    /// The institution leaves decisions to people.
    #[error(
        "keys may not decide in this institution: a person decides in the workspace, or an administrator allows it in the \
         settings"
    )]
    KeysDoNotDecide,
    /// A decision about a request of another person.
    #[error("only a person decides about a request, in the workspace: keys can ask and withdraw")]
    PeopleDecide,
    /// The policy of the institution leaves the decision to a second person.
    #[error(
        "this needs the approval of a second person: ask for it with `POST /api/v1/approvals`, or in the workspace"
    )]
    ApprovalRequired(Box<ApprovalWanted>),
    /// A comment belongs to its author.
    #[error("only the author of a comment may change or withdraw it")]
    NotAuthor,
    /// Only administrators manage users and settings.
    #[error("only an administrator may do this")]
    NotAdministrator,
    /// The user must confirm their identity again.
    #[error("this needs your password again, and a code if you have a second factor")]
    ProofNeeded,
    /// Absent, deleted, or another tenant's: the response does not say which.
    #[error("there is no such record")]
    NotFound,
    #[error("{0}")]
    Invalid(#[from] Violations),
    /// The record is no longer in a state in which this can be done.
    #[error("{0}")]
    Conflict(Complaint),
    /// The record changed since the caller read it.
    #[error("the record has changed since you read it: read it again and repeat your change")]
    Stale,
    /// The events behind the cursor are no longer all there.
    #[error(
        "the cursor is older than 30 days, or from before the store was restored: read the records again, and go on with \
         the cursor that after=latest answers"
    )]
    CursorExpired,
    #[error("too many requests: wait {retry_after} seconds")]
    Limited { limit: u32, window_seconds: u64, retry_after: u64 },
    /// The maximum number of uploads or imports is in progress.
    #[error("other imports are under way: send the file again in a few seconds")]
    Busy,
    /// The maximum number of reports and exports is in progress.
    #[error("other reports and exports are being made: try again in a few seconds")]
    BusyExports,
    /// The store or a dependency cannot do it now, but may soon.
    #[error("the service cannot do this right now: try again in a few seconds")]
    Unavailable(String),
    /// The bucket with the files of evidence does not answer or refuses.
    #[error(
        "the storage of files does not work right now: try again in a few minutes; if it stays so, an operator finds the \
         reason with `tidewall doctor`"
    )]
    StorageAway(String),
    /// A defect. The response reveals nothing; the log contains the details.
    #[error("internal server error")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// A complaint about one field.
    pub fn invalid(field: &str, complaint: impl Into<Complaint>) -> Self {
        Self::Invalid(Violations::one(field, complaint))
    }

    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(error.into())
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(why) => Self::Unavailable(why),
            store::Error::Cursor => Self::invalid("cursor", FieldComplaint::OtherCursor),
            other => Self::internal(other),
        }
    }
}

impl From<::bundle::WriteError> for Error {
    fn from(error: ::bundle::WriteError) -> Self {
        match error {
            ::bundle::WriteError::Io(error) => {
                Self::Unavailable(format!("a bundle cannot be written to disk: {error}"))
            }
            other => Self::internal(other),
        }
    }
}

impl From<outbound::bucket::BucketError> for Error {
    fn from(error: outbound::bucket::BucketError) -> Self {
        use outbound::bucket::BucketError::{Altered, Away, Missing, Refused};
        match error {
            Away(_) | Refused { .. } => Self::StorageAway(error.to_string()),
            Missing | Altered(_) => Self::internal(error),
        }
    }
}

impl From<crate::vault::VaultError> for Error {
    fn from(error: crate::vault::VaultError) -> Self {
        Self::internal(error)
    }
}
