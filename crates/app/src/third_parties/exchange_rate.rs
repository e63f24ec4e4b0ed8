//! The tenant's exchange rates: analyses and simulations use them unless the request brings its own.

use std::collections::BTreeMap;

use domain::{
    concentration::Cause,
    moment::Day,
    money::Rates,
    right::{Resource, Right},
    violation::FieldComplaint,
};
use serde_json::json;
use store::{exchange_rate as rows, tenant};

use crate::{Error, Result, ThirdParties, analysis, audit, authz::Caller};

pub use store::exchange_rate::RatesRow;

impl ThirdParties {
    /// The current rates; `None` if there are none.
    pub async fn exchange_rates(&self, caller: &Caller) -> Result<Option<RatesRow>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await.map_err(Error::from)
    }

    /// Replaces the rates by these of one day; an empty list removes them. Unchanged rates leave no audit entry.
    pub async fn set_exchange_rates(
        &self,
        caller: &Caller,
        valid_on: Option<Day>,
        rates: Vec<(String, String)>,
    ) -> Result<Option<RatesRow>> {
        caller.require_right(Resource::Register, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        let valid_on = valid_on.unwrap_or_else(|| now.day());
        if valid_on > now.day() {
            return Err(Error::invalid("valid_on", FieldComplaint::NotInTheFuture));
        }
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?;
                let base = tenant::currency(tx, &scope)?;
                let given = rates.iter().map(|(code, rate)| (code.as_str(), rate.as_str()));
                Rates::parse(base, given)?;
                let rates: BTreeMap<_, _> = rates.iter().cloned().collect();
                let after =
                    (!rates.is_empty()).then_some(RatesRow { base, valid_on, rates, updated_at: now });
                let same = |one: &RatesRow, other: &RatesRow| {
                    (one.base, one.valid_on, &one.rates) == (other.base, other.valid_on, &other.rates)
                };
                match (&before, &after) {
                    (None, None) => return Ok::<_, Error>(before),
                    (Some(one), Some(other)) if same(one, other) => return Ok(before),
                    (_, Some(after)) => rows::put(tx, &scope, after)?,
                    (_, None) => rows::delete(tx, &scope)?,
                }
                analysis::note_change(tx, &scope, Cause::Rates, now)?;
                let kept = |row: &Option<RatesRow>| {
                    row.as_ref().map(|row| json!({ "valid_on": row.valid_on, "rates": row.rates }))
                };
                let detail = json!({ "rates": [kept(&before), kept(&after)] });
                audit::record(tx, actor, now, "rates.changed", scope.tenant(), &detail)?;
                Ok(after)
            })
            .await
    }
}
