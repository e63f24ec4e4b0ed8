//! The types of files an institution accepts as evidence.

use domain::evidence::FileTypes;
use serde_json::json;
use store::tenant;

use crate::{Compliance, Error, Result, audit, authz::Caller, security::What};

impl Compliance {
    /// The types that are accepted: those the institution has chosen, or the usual ones.
    pub async fn evidence_types(&self, caller: &Caller) -> Result<FileTypes> {
        let scope = *caller.scope();
        let chosen =
            self.db.tenant(&scope).read(move |reader| tenant::evidence_types(reader, &scope)).await?;
        chosen
            .map_or_else(|| Ok(FileTypes::default()), |text| FileTypes::parse(&text).map_err(Error::internal))
    }

    /// Chooses the types; `None` for the usual ones. Files that are stored already stay.
    pub async fn set_evidence_types(&self, caller: &Caller, types: Option<FileTypes>) -> Result<()> {
        caller.require_administrator()?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let text = types.as_ref().map(ToString::to_string);
                tenant::set_evidence_types(tx, &scope, text.as_deref())?;
                audit::record(
                    tx,
                    actor,
                    now,
                    "tenant.changed",
                    scope.tenant(),
                    &json!({ "evidence_types": text }),
                )
            })
            .await?;
        self.note_by(caller, What::Settings, "evidence_types");
        Ok(())
    }
}
