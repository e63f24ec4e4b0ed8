//! Creates a record only once although the request is repeated.

use domain::{moment::Moment, violation::FieldComplaint};
use store::{Revision, Tx, idempotency as kept};

use crate::{Core, Error, Result, authz::Caller};

/// How long a response is stored.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// The version every record begins with.
const FIRST_VERSION: i64 = 1;

/// A caller's `Idempotency-Key` and a digest of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    key: String,
    /// Covers method, path and body.
    request_digest: String,
}

impl Idempotency {
    pub const MAX: usize = 255;

    pub fn new(key: &str, request_digest: String) -> Result<Self> {
        let printable = key.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        if key.is_empty() || key.len() > Self::MAX || !printable {
            return Err(Error::invalid("Idempotency-Key", FieldComplaint::IdempotencyKey));
        }
        Ok(Self { key: key.to_owned(), request_digest })
    }
}

/// The response to a creating request, new or stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// The rendered body.
    pub body: String,
    /// The id of the created record.
    pub subject: String,
    /// The validator of the record as it was created.
    pub validator: String,
    pub replayed: bool,
}

impl Core {
    /// Runs `create` unless this request was answered before; stores the rendered response in the same transaction.
    pub(crate) fn once<T>(
        &self,
        tx: &mut Tx<'_>,
        caller: &Caller,
        idempotency: Option<&Idempotency>,
        now: Moment,
        create: impl FnOnce(&mut Tx<'_>) -> Result<(String, T)>,
        render: impl FnOnce(&T) -> String,
    ) -> Result<Creation> {
        let scope = caller.scope();
        let validator =
            |tx: &Tx<'_>| self.record_validator(FIRST_VERSION, Revision(tx.revision().unwrap_or_default()));
        let Some(request) = idempotency else {
            let (subject, created) = create(tx)?;
            return Ok(Creation {
                body: render(&created),
                subject,
                validator: validator(tx),
                replayed: false,
            });
        };
        // A response may contain a secret, so it is repeated only to the user or key that received it first.
        let name = format!("{} {}", caller.actor(), request.key);
        let context = format!("idempotency:{}:{name}", scope.tenant());
        let before = kept::get(tx, scope, &name)?;
        if let Some(before) = before.filter(|before| now.millis() - before.created_at.millis() < KEPT_MS) {
            if before.request_digest != request.request_digest {
                return Err(Error::invalid("Idempotency-Key", FieldComplaint::IdempotencyReused));
            }
            let body = self.vault.open_for(scope.tenant(), &context, &before.answer)?;
            // The revision of the creation is not stored; the version is enough for a conditional change.
            let validator = self.record_validator(FIRST_VERSION, Revision(0));
            return Ok(Creation { body, subject: before.subject, validator, replayed: true });
        }
        let (subject, created) = create(tx)?;
        let body = render(&created);
        let answer = kept::AnswerRow {
            request_digest: request.request_digest.clone(),
            subject: subject.clone(),
            answer: self.vault.seal_for(scope.tenant(), &context, &body)?,
            created_at: now,
        };
        kept::put(tx, scope, &name, &answer)?;
        Ok(Creation { body, subject, validator: validator(tx), replayed: false })
    }

    /// Deletes expired responses. A job calls it.
    pub async fn prune_idempotency(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-KEPT_MS);
        self.db.platform().bookkeep(move |tx| kept::prune(tx, before)).await.map_err(Error::from)
    }
}
