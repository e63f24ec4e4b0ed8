//! Saved simulations: input and result under a name, for the record of the decision.
//!
//! As for analyses, the stored format is separate from the domain types, so that later versions do not change a
//! result.

use domain::{
    arrangement::Arrangement,
    id::{ArrangementId, SimulationId},
    page::{Page, PageRequest},
    right::{Resource, Right},
    text::Name,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Reader, TenantScope, Tx, simulation as rows};

use super::{Analysis, AnalysisRequest, RateContent, Simulated, WantedChange};
use crate::{
    Error, Result, ThirdParties, arrangement, audit,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    pages::{self, Rendered, Renderer},
};

pub use store::simulation::SimulationHead;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulationContent {
    pub basis: String,
    pub scope: String,
    pub as_of: String,
    pub rates: Vec<RateContent>,
    pub changes: Vec<ChangeContent>,
    /// `None` if there was nothing to analyse.
    pub before: Option<StandingContent>,
    pub after: Option<StandingContent>,
    /// Only the shares that change, the largest change of each dimension first.
    pub shares: Vec<ShareContent>,
    pub new_breaches: Vec<NamedContent>,
    pub gone_breaches: Vec<NamedContent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Sign,
    Change,
    End,
}

/// One simulated change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeContent {
    pub kind: ChangeKind,
    pub reference: String,
    pub provider: String,
    pub service: String,
    pub annual_cost: String,
    /// For a change, the fields that would differ.
    pub fields: Vec<FieldContent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldContent {
    pub field: String,
    pub before: String,
    pub after: String,
}

/// The figures before or after the changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingContent {
    pub level: String,
    pub breaches: u64,
    pub arrangements: u64,
    pub providers: u32,
    pub total: u64,
    pub currency: Option<String>,
}

/// A share that would change; percentages as hundredths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareContent {
    pub dimension: String,
    pub name: String,
    pub before: Option<i64>,
    pub after: Option<i64>,
    pub difference: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedContent {
    pub dimension: String,
    pub name: String,
}

/// A saved simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSimulation {
    pub head: SimulationHead,
    pub content: SimulationContent,
}

impl ChangeContent {
    pub(super) fn of(kind: ChangeKind, entry: &Arrangement) -> Self {
        let content = &entry.contract;
        Self {
            kind,
            reference: content.reference.to_string(),
            provider: content.provider.name.to_string(),
            service: content.service.to_string(),
            annual_cost: content.annual_cost.money().to_string(),
            fields: Vec::new(),
        }
    }

    pub(super) fn unknown(kind: ChangeKind, id: ArrangementId) -> Self {
        Self {
            kind,
            reference: id.to_string(),
            provider: String::new(),
            service: String::new(),
            annual_cost: String::new(),
            fields: Vec::new(),
        }
    }
}

impl FieldContent {
    pub(super) fn between(before: &Arrangement, after: &Arrangement) -> Vec<Self> {
        let changed = arrangement::difference(before, after);
        let written = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => String::new(),
            other => other.to_string(),
        };
        let fields = changed.as_object().into_iter().flatten();
        fields
            .map(|(field, pair)| Self {
                field: field.clone(),
                before: written(&pair[0]),
                after: written(&pair[1]),
            })
            .collect()
    }
}

impl StandingContent {
    fn of(analysis: &Analysis) -> Self {
        let Analysis { head, content, .. } = analysis;
        Self {
            level: head.level.clone(),
            breaches: head.breaches,
            arrangements: head.arrangements,
            providers: content.providers,
            total: content.total,
            currency: content.currency.clone(),
        }
    }
}

impl Simulated {
    /// The content that is shown and stored.
    pub fn content(&self) -> SimulationContent {
        let either = self.after.as_ref().or(self.before.as_ref());
        let named = |(dimension, name): &(domain::concentration::Dimension, std::sync::Arc<str>)| {
            NamedContent { dimension: dimension.as_str().to_owned(), name: name.to_string() }
        };
        let shares = self.difference.dimensions.iter().flat_map(|dimension| {
            dimension.entries.iter().map(|entry| ShareContent {
                dimension: dimension.dimension.as_str().to_owned(),
                name: entry.name.to_string(),
                before: entry.before.map(domain::rounding::Hundredths::get),
                after: entry.after.map(domain::rounding::Hundredths::get),
                difference: entry.difference.get(),
            })
        });
        SimulationContent {
            basis: either.map(|analysis| analysis.head.basis.as_str().to_owned()).unwrap_or_default(),
            scope: either.map(|analysis| analysis.head.scope.as_str().to_owned()).unwrap_or_default(),
            as_of: either.map(|analysis| analysis.head.as_of.to_string()).unwrap_or_default(),
            rates: either.map(|analysis| analysis.content.rates.clone()).unwrap_or_default(),
            changes: self.changes.clone(),
            before: self.before.as_ref().map(StandingContent::of),
            after: self.after.as_ref().map(StandingContent::of),
            shares: shares.collect(),
            new_breaches: self.difference.new_breaches.iter().map(named).collect(),
            gone_breaches: self.difference.gone_breaches.iter().map(named).collect(),
        }
    }
}

impl ThirdParties {
    /// Simulates, and stores input and result.
    pub async fn keep_simulation(
        &self,
        caller: &Caller,
        name: Name,
        request: AnalysisRequest,
        changes: Vec<WantedChange>,
        idempotency: Option<Idempotency>,
        render: Renderer<KeptSimulation, String>,
    ) -> Result<Creation> {
        caller.require_right(Resource::Analyses, Right::Write)?;
        let content = self.simulate(caller, request, changes).await?.content();
        let (this, caller, now) = (self.clone(), caller.clone(), self.clock.now());
        let scope = *caller.scope();
        let level = |standing: &Option<StandingContent>| {
            standing.as_ref().map(|standing| standing.level.clone()).unwrap_or_default()
        };
        let head = SimulationHead {
            id: self.ids.next(now),
            name: name.to_string(),
            made_at: now,
            made_by: caller.actor().to_string(),
            level_before: level(&content.before),
            level_after: level(&content.after),
        };
        let text = serde_json::to_string(&content).map_err(Error::internal)?;
        let kept = KeptSimulation { head, content };
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let head = &kept.head;
                    rows::insert(tx, &scope, head, &text)?;
                    let detail =
                        json!({ "name": &head.name, "before": &head.level_before, "after": &head.level_after });
                    audit::record(tx, caller.actor(), now, "simulation.kept", head.id, &detail)?;
                    Ok((head.id.to_string(), kept.clone()))
                };
                this.once(tx, &caller, idempotency.as_ref(), now, create, &render)
            })
            .await
    }

    pub async fn simulation_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<SimulationHead>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let question = pages::part(request);
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, request)?);
        self.page(caller, "simulations", &question, load, render).await
    }

    /// One saved simulation, rendered.
    pub async fn rendered_simulation(
        &self,
        caller: &Caller,
        id: SimulationId,
        render: fn(&KeptSimulation) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| read(r, &scope, id);
        self.page(caller, "simulation", &id.to_string(), load, render).await
    }

    /// Saved simulations without their contents, newest first.
    pub async fn kept_simulations(
        &self,
        caller: &Caller,
        request: PageRequest,
    ) -> Result<Page<SimulationHead>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    pub async fn kept_simulation(&self, caller: &Caller, id: SimulationId) -> Result<KeptSimulation> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| read(r, &scope, id)).await
    }

    pub async fn delete_simulation(&self, caller: &Caller, id: SimulationId) -> Result<()> {
        caller.require_right(Resource::Analyses, Right::Write)?;
        let (actor, scope, now) = (caller.actor(), *caller.scope(), self.clock.now());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let (head, _) = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                rows::delete(tx, &scope, id)?;
                let detail = json!({ "name": head.name });
                audit::record(tx, actor, now, "simulation.deleted", id, &detail)
            })
            .await
    }
}

fn read(reader: &mut Reader<'_>, scope: &TenantScope, id: SimulationId) -> Result<KeptSimulation> {
    let (head, content) = rows::get(reader, scope, id)?.ok_or(Error::NotFound)?;
    Ok(KeptSimulation { head, content: serde_json::from_str(&content).map_err(Error::internal)? })
}
