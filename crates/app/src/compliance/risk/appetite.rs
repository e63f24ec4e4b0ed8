//! The risk appetite of the institution.

use domain::{
    right::{Resource, Right},
    risk::Appetite,
};
use serde_json::{Map, Value, json};
use store::risk_appetite;

use crate::{Compliance, Error, Result, author::Author, authz::Caller};

impl Compliance {
    pub async fn risk_appetite(&self, caller: &Caller) -> Result<Appetite> {
        let scope = *caller.scope();
        Ok(self.db.tenant(&scope).read(move |r| risk_appetite::get(r, &scope)).await?)
    }

    /// Sets the risk appetite of the institution.
    pub async fn choose_risk_appetite(&self, caller: &Caller, chosen: Appetite) -> Result<()> {
        caller.require_right(Resource::Appetite, Right::Write)?;
        let author = Author::new(self, caller);
        self.db
            .tenant(caller.scope())
            .write(move |tx| {
                let before = risk_appetite::get(tx, author.scope())?;
                if before == chosen {
                    return Ok::<_, Error>(());
                }
                risk_appetite::put(tx, author.scope(), &chosen, author.now)?;
                let detail = difference(&before, &chosen);
                author.audit(tx, "risk_appetite.changed", author.caller.tenant(), &detail)
            })
            .await
    }
}

/// What changed, as `category: [before, after]`.
fn difference(before: &Appetite, after: &Appetite) -> Value {
    let mut pairs = Map::new();
    for category in domain::risk::RiskCategory::ALL {
        let levels = (before.levels.get(category), after.levels.get(category));
        if levels.0 != levels.1 {
            pairs.insert(category.to_string(), json!([levels.0, levels.1]));
        }
    }
    if before.second_person_from != after.second_person_from {
        let levels = json!([before.second_person_from, after.second_person_from]);
        pairs.insert("second_person_from".to_owned(), levels);
    }
    Value::Object(pairs)
}
