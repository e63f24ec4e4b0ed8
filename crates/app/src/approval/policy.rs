//! The policy of the institution: which decisions need a second person.

use domain::{
    actor::Actor,
    approval_policy::{ApprovalPolicy, ApprovalPolicyComplaint, StoredPolicy},
    id::UserId,
    right::{Resource, Right},
    user::Role,
};
use serde_json::{Map, Value, json};
use store::{Reader, Tx, approval as rows, user};

use crate::{Approvals, Error, Result, author::Author, authz::Caller};

impl Approvals {
    pub async fn approval_policy(&self, caller: &Caller) -> Result<ApprovalPolicy> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::policy(reader, &scope);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// Sets the policy. It decides who can let the institution live with a danger, so a person needs a fresh proof of
    /// identity. A key needs `manage_keys`, which takes such a proof to give, and the person at the start of its chain
    /// must still be an administrator.
    pub async fn choose_approval_policy(
        &self,
        caller: &Caller,
        chosen: &StoredPolicy,
    ) -> Result<ApprovalPolicy> {
        caller.require_right(Resource::ApprovalPolicy, Right::Decide)?;
        caller.require_proof(self.clock.now())?;
        let policy = chosen.read()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            author.require_administering(tx)?;
            author.check_people(tx, &policy)?;
            let before = rows::policy(tx, author.scope())?;
            let detail = difference(&before.stored(), &policy.stored());
            if !detail.is_empty() {
                rows::put_policy(tx, author.scope(), &policy, author.now)?;
                let detail = Value::Object(detail);
                author.audit(tx, "approval_policy.changed", author.caller.tenant(), &detail)?;
            }
            Ok::<_, Error>(policy.clone())
        };
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    /// Refuses a key of a person who is no administrator any more. Keys of the operator stand for no person.
    fn require_administering(&self, tx: &mut Tx<'_>) -> Result<()> {
        let Actor::Key(_) = self.caller.actor() else { return Ok(()) };
        let Ok(person) = self.person(tx, self.caller.actor())?.parse::<UserId>() else { return Ok(()) };
        let stands = user::get(tx, self.scope(), person)?;
        let able = stands
            .is_some_and(|(person, _)| person.role == Role::Administrator && person.disabled_at.is_none());
        if able { Ok(()) } else { Err(Error::NotAdministrator) }
    }

    fn check_people(&self, tx: &mut Tx<'_>, policy: &ApprovalPolicy) -> Result<()> {
        for rule in policy.stored().rules {
            for id in rule.people {
                let person = id.parse::<UserId>().map_err(|error| Error::invalid("rules", error))?;
                if user::get(tx, self.scope(), person)?.is_none() {
                    return Err(Error::invalid("rules", ApprovalPolicyComplaint::Unknown { id }));
                }
            }
        }
        Ok(())
    }
}

/// What changed, as `decision: [before, after]`.
fn difference(before: &StoredPolicy, after: &StoredPolicy) -> Map<String, Value> {
    let mut changes = Map::new();
    let said = |rule: &domain::approval_policy::StoredRule| match rule.people.as_slice() {
        [] => rule.needs.clone(),
        people => people.join(", "),
    };
    for (old, new) in before.rules.iter().zip(&after.rules) {
        if old != new {
            let of = new.severity.as_deref().or(new.kind.as_deref());
            let of = of.map(|of| format!(".{of}")).unwrap_or_default();
            changes.insert(format!("{}{of}", new.action), json!([said(old), said(new)]));
        }
    }
    for (severity, days) in &after.longest_acceptance_days {
        let old = before.longest_acceptance_days.get(severity);
        if old != Some(days) {
            changes.insert(format!("longest_acceptance_days.{severity}"), json!([old, days]));
        }
    }
    if before.binds_keys != after.binds_keys {
        changes.insert("binds_keys".to_owned(), json!([before.binds_keys, after.binds_keys]));
    }
    if before.retest_before_closing != after.retest_before_closing {
        let said =
            |policy: &StoredPolicy| policy.retest_before_closing.clone().unwrap_or_default().join(", ");
        changes.insert("retest_before_closing".to_owned(), json!([said(before), said(after)]));
    }
    changes
}
