//! Concentration thresholds: read them, change some of them.

use domain::{
    concentration::Cause,
    right::{Resource, Right},
    threshold::{Thresholds, ThresholdsPatch},
};
use serde_json::{Map, Value, json};
use store::{Revision, threshold as rows};

use crate::{Error, Result, ThirdParties, analysis, audit, authz::Caller, pages::Precondition};

pub use store::threshold::ThresholdsRow;

impl ThirdParties {
    pub async fn thresholds(&self, caller: &Caller) -> Result<(ThresholdsRow, Revision)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read_at(move |r| rows::get(r, &scope)).await.map_err(Error::from)
    }

    /// Changes the fields in the patch. An empty patch changes nothing and leaves no audit entry.
    pub async fn change_thresholds(
        &self,
        caller: &Caller,
        patch: ThresholdsPatch,
        precondition: Precondition,
    ) -> Result<(ThresholdsRow, Revision)> {
        caller.require_right(Resource::Thresholds, Right::Write)?;
        let (this, actor, now) = (self.clone(), caller.actor(), self.clock.now());
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?;
                this.check_match(&precondition, before.version)?;
                let wanted = before.thresholds.patched(patch);
                if wanted == before.thresholds {
                    return Ok::<_, Error>(None);
                }
                let after = rows::put(tx, &scope, wanted, before.version + 1, now)?;
                analysis::note_change(tx, &scope, Cause::Thresholds, now)?;
                let detail = difference(before.thresholds, after.thresholds);
                audit::record(tx, actor, now, "thresholds.changed", scope.tenant(), &detail)?;
                Ok(tx.revision().map(|revision| (after, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.thresholds(caller).await,
        }
    }
}

/// What changed, as `field: [before, after]`.
fn difference(before: Thresholds, after: Thresholds) -> Value {
    let list = |thresholds: Thresholds| {
        [
            ("provider_concentration_pct", json!(thresholds.provider.get())),
            ("sector_concentration_pct", json!(thresholds.sector.get())),
            ("regional_concentration_pct", json!(thresholds.regional.get())),
            ("technology_concentration_pct", json!(thresholds.technology.get())),
            ("review_frequency_days", json!(thresholds.review_frequency.get())),
            ("enabled", json!(thresholds.enabled)),
        ]
    };
    let pairs = list(before).into_iter().zip(list(after));
    let changed: Map<String, Value> = pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((field, old), (_, new))| (field.to_owned(), json!([old, new])))
        .collect();
    Value::Object(changed)
}
