//! Due days from severity: how long an institution's findings may take.

use domain::{
    due_days::DueDays,
    right::{Resource, Right},
    vocabulary::Severity,
};
use serde_json::{Map, Value, json};
use store::due_days as rows;

use crate::{Error, Resilience, Result, audit, authz::Caller};

impl Resilience {
    pub async fn due_days(&self, caller: &Caller) -> Result<DueDays> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await.map_err(Error::from)
    }

    /// Sets how long findings may take. It applies to findings created from then on.
    pub async fn choose_due_days(&self, caller: &Caller, chosen: DueDays) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?;
                if before == chosen {
                    return Ok::<_, Error>(());
                }
                rows::put(tx, &scope, &chosen, now)?;
                let detail = difference(&before, &chosen);
                audit::record(tx, actor, now, "due_days.changed", scope.tenant(), &detail)
            })
            .await
    }
}

/// What changed, as `severity: [before, after]`.
fn difference(before: &DueDays, after: &DueDays) -> Value {
    let changed = Severity::ALL.iter().filter(|severity| before.of(**severity) != after.of(**severity));
    let pairs = changed
        .map(|severity| (severity.to_string(), json!([before.of(*severity), after.of(*severity)])))
        .collect::<Map<_, _>>();
    Value::Object(pairs)
}
