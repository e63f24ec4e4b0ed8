//! The profile of the institution: read it, change parts of it.

use domain::{
    profile::{Facts, Profile, ProfileInput},
    right::{Resource, Right},
    text::{Name, Prose},
};
use serde_json::{Map, Value, json};
use store::{Revision, profile as rows};

use crate::{Compliance, Error, Result, audit, authz::Caller, pages::Precondition};

pub use store::profile::ProfileRow;

impl Compliance {
    pub async fn profile(&self, caller: &Caller) -> Result<(ProfileRow, Revision)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read_at(move |r| rows::get(r, &scope)).await.map_err(Error::from)
    }

    /// The facts that decide what applies to the institution.
    pub async fn facts(&self, caller: &Caller) -> Result<Facts> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::facts(r, &scope)).await.map_err(Error::from)
    }

    /// Changes the given fields. A change without effect leaves no audit entry.
    pub async fn change_tenant_profile(
        &self,
        caller: &Caller,
        input: ProfileInput,
        precondition: Precondition,
    ) -> Result<(ProfileRow, Revision)> {
        caller.require_right(Resource::Profile, Right::Write)?;
        let (this, actor, now) = (self.clone(), caller.actor(), self.clock.now());
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?;
                this.check_match(&precondition, before.version)?;
                let wanted = input.change(&before.profile)?;
                if wanted == before.profile {
                    return Ok::<_, Error>(None);
                }
                rows::put(tx, &scope, &wanted, now)?;
                let detail = difference(&before.profile, &wanted);
                audit::record(tx, actor, now, "profile.changed", scope.tenant(), &detail)?;
                let after = rows::get(tx, &scope)?;
                Ok(tx.revision().map(|revision| (after, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.profile(caller).await,
        }
    }
}

/// What changed, as `field: [before, after]`.
fn difference(before: &Profile, after: &Profile) -> Value {
    let pairs = fields(before).into_iter().zip(fields(after));
    let changed: Map<String, Value> = pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((field, old), (_, new))| (field.to_owned(), json!([old, new])))
        .collect();
    Value::Object(changed)
}

fn fields(profile: &Profile) -> [(&'static str, Value); 20] {
    [
        ("legal_name", json!(profile.legal_name.as_str())),
        ("lei", json!(profile.lei.map(|lei| lei.to_string()))),
        ("country", json!(profile.country.map(|country| country.to_string()))),
        ("entity_kind", json!(profile.kind)),
        ("roles", json!(profile.roles)),
        ("size", json!(profile.size)),
        ("significant", json!(profile.significant)),
        ("time_zone", json!(profile.time_zone.as_str())),
        ("holidays", json!(profile.calendar.map(|country| country.to_string()))),
        ("currency", json!(profile.currency.as_str())),
        ("authority", json!(profile.authority.as_ref().map(Name::as_str))),
        ("nis2_entity", json!(profile.nis2_entity)),
        ("trading_venue_operator", json!(profile.trading_venue_operator)),
        ("relief_excluded_since", json!(profile.relief_excluded_since)),
        (
            "regime",
            json!(
                profile
                    .set_regime
                    .as_ref()
                    .map(|(regime, reason)| { json!({ "value": regime, "reason": Prose::as_str(reason) }) })
            ),
        ),
        ("tlpt_identified", json!(profile.scope.tlpt_identified)),
        ("large_investment_firm", json!(profile.scope.large_investment_firm)),
        ("npl_from_5_percent", json!(profile.scope.npl_from_5_percent)),
        ("real_estate_thresholds", json!(profile.scope.real_estate_thresholds)),
        ("small_non_complex", json!(profile.scope.small_non_complex)),
    ]
}
