//! The effect of signing, changing or ending arrangements. The register is not changed.

use domain::{
    arrangement::Arrangement,
    concentration::{Analysis as Outcome, Change, Difference, Portfolio, Row, SimulationError, simulate},
    id::ArrangementId,
    moment::Day,
    violation::{RecordComplaint, Violations},
};
use store::{Reader, TenantScope, record};

use super::{
    Analysis, AnalysisRequest, ChangeContent, ChangeKind, Content, FieldContent, RateContent, Terms,
    designated, head, portfolio,
};
use crate::{Core, Error, Result, ThirdParties, authz::Caller, catalogue::Edition};

/// Computes the changed content of a stored arrangement.
pub(super) type Changed = Box<dyn Fn(&Arrangement) -> Result<Arrangement, Violations> + Send + Sync>;

/// A requested change: the new content of a stored arrangement is only known once the arrangement has been read.
pub enum WantedChange {
    Sign(Box<Arrangement>),
    Change(ArrangementId, Changed),
    End(ArrangementId),
}

impl std::fmt::Debug for WantedChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sign(entry) => f.debug_tuple("Sign").field(&entry.contract.reference).finish(),
            Self::Change(id, _) => f.debug_tuple("Change").field(id).finish(),
            Self::End(id) => f.debug_tuple("End").field(id).finish(),
        }
    }
}

/// Before, after and the difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulated {
    pub changes: Vec<ChangeContent>,
    pub before: Option<Analysis>,
    pub after: Option<Analysis>,
    pub difference: Difference,
}

impl ThirdParties {
    pub async fn simulate(
        &self,
        caller: &Caller,
        request: AnalysisRequest,
        changes: Vec<WantedChange>,
    ) -> Result<Simulated> {
        let (scope, this, now) = (*caller.scope(), self.clone(), self.clock.now());
        let edition = self.catalogue()?;
        self.db
            .tenant(&scope)
            .read(move |r| {
                let settled = settle(r, &scope, &this, &changes)?;
                let (outcome_before, outcome_after, difference, rates) =
                    compare(r, &scope, &request, now.day(), &settled, &edition)?;
                let record = |outcome: Outcome| Analysis {
                    head: head(&outcome, now),
                    content: Content::of(&outcome, rates.clone()),
                    stale: Vec::new(),
                };
                Ok::<_, Error>(Simulated {
                    changes: settled.iter().map(Settled::described).collect(),
                    before: outcome_before.map(record),
                    after: outcome_after.map(record),
                    difference,
                })
            })
            .await
    }
}

/// A change with its content, and the arrangement it changes.
enum Settled {
    Sign(ArrangementId, Arrangement),
    Change {
        id: ArrangementId,
        before: Box<Arrangement>,
        after: Box<Arrangement>,
    },
    /// The arrangement is `None` if none has the id, which the simulation reports.
    End(ArrangementId, Option<Arrangement>),
}

impl Settled {
    fn described(&self) -> ChangeContent {
        match self {
            Self::Sign(_, entry) => ChangeContent::of(ChangeKind::Sign, entry),
            Self::Change { before, after, .. } => ChangeContent {
                fields: FieldContent::between(before, after),
                ..ChangeContent::of(ChangeKind::Change, before)
            },
            Self::End(id, entry) => match entry {
                Some(entry) => ChangeContent::of(ChangeKind::End, entry),
                None => ChangeContent::unknown(ChangeKind::End, *id),
            },
        }
    }
}

fn settle(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    core: &Core,
    changes: &[WantedChange],
) -> Result<Vec<Settled>> {
    let mut settled = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        settled.push(match change {
            WantedChange::Sign(entry) => Settled::Sign(core.ids.next(core.clock.now()), (**entry).clone()),
            WantedChange::Change(id, patch) => {
                let kept = record::get::<Arrangement>(reader, scope, *id)?.ok_or_else(|| {
                    Error::invalid(&format!("change.{index}.id"), RecordComplaint::NotAnArrangement)
                })?;
                let before = kept.record;
                Settled::Change { id: *id, after: Box::new(patch(&before)?), before: Box::new(before) }
            }
            WantedChange::End(id) => {
                Settled::End(*id, record::get::<Arrangement>(reader, scope, *id)?.map(|kept| kept.record))
            }
        });
    }
    Ok(settled)
}

type Compared = (Option<Outcome>, Option<Outcome>, Difference, Vec<RateContent>);

fn compare(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: &AnalysisRequest,
    today: Day,
    settled: &[Settled],
    edition: &Edition,
) -> Result<Compared> {
    let terms = Terms::read(reader, scope, request)?;
    let mut portfolio = portfolio::load(reader, scope)?;
    let parts: Vec<_> = settled.iter().map(|change| interned(&mut portfolio, change)).collect();
    let changes: Vec<_> =
        settled.iter().zip(&parts).map(|(change, parts)| change_of(change, parts.as_ref())).collect();
    let designated = designated(edition);
    let question = terms.question(request, today, &designated);
    let simulation = simulate(&portfolio, &changes, &question).map_err(|error| match error {
        SimulationError::Analysis(error) => Error::Invalid(error.into()),
        other => Error::invalid("changes", other),
    })?;
    let rates = terms.used(request, &portfolio);
    Ok((simulation.before, simulation.after, simulation.difference, rates))
}

fn interned(portfolio: &mut Portfolio, change: &Settled) -> Option<portfolio::Parts> {
    let entry = match change {
        Settled::Sign(_, entry) => entry,
        Settled::Change { after, .. } => &**after,
        Settled::End(..) => return None,
    };
    let Arrangement { contract: draft, facts } = entry;
    let functions = draft.functions.iter().map(|function| (function.name.as_str(), function.critical));
    let provider = (draft.provider.name.as_str(), draft.provider.lei);
    Some(portfolio::Parts::intern(portfolio, provider, draft.region.as_str(), functions, facts))
}

fn change_of<'a>(change: &'a Settled, parts: Option<&'a portfolio::Parts>) -> Change<'a> {
    match (change, parts) {
        (Settled::Sign(id, entry), Some(parts)) => Change::Add(row(*id, entry, parts)),
        (Settled::Change { id, after, .. }, Some(parts)) => Change::Change(row(*id, after, parts)),
        (Settled::Sign(id, _) | Settled::Change { id, .. } | Settled::End(id, _), _) => Change::End(*id),
    }
}

fn row<'a>(id: ArrangementId, entry: &'a Arrangement, parts: &'a portfolio::Parts) -> Row<'a> {
    let Arrangement { contract: draft, facts } = entry;
    Row {
        id,
        reference: draft.reference.as_str(),
        provider: parts.provider,
        sector: draft.provider.sector.as_str(),
        region: draft.region.as_str(),
        technology: draft.technology.as_str(),
        functions: &parts.functions,
        substitutability: draft.substitutability,
        exit_plan: facts.exit_plan,
        annual_cost: draft.annual_cost,
        starts_on: draft.starts_on,
        ends_on: draft.ends_on,
        places: &parts.places,
        chain: &parts.chain,
    }
}
