//! Concentration analyses: computed from the register on demand, stored with the thresholds they used.
//!
//! The domain computes the numbers. This module reads the inputs, stores the results and finds out since when a
//! breach exists.

mod blast;
mod compare;
mod content;
mod kept_simulation;
mod look;
mod portfolio;
mod simulation;

use std::collections::{BTreeMap, HashMap};

use catalogue::language::sector;
use domain::{
    concentration::{
        Analysis as Outcome, AnalysisInput, Basis, Breach, Cause, Designated, Dimension, Portfolio, Scope,
        analyse,
    },
    currency::Currency,
    id::{AnalysisId, BreachId},
    lei::Lei,
    moment::{Day, Moment},
    money::Rates,
    page::{Page, PageRequest},
    record_event::{ANALYSIS, Occurrence},
    right::{Resource, Right},
    rounding::Hundredths,
    threshold::Thresholds,
    wording::Language,
};
use serde_json::json;
use store::{
    Reader, Revision, TenantScope, Tx, analysis as rows,
    analysis::Whose,
    exchange_rate,
    record_event::{Subject, publish},
    register_change, tenant, threshold,
};

use crate::{
    Error, Result, ThirdParties, audit,
    authz::Caller,
    catalogue::Edition,
    idempotency::{Creation, Idempotency},
    pages::{self, Rendered, Renderer},
};

pub(crate) use self::look::read as read_analysis;
pub use self::{
    compare::{AnalysisComparison, HhiDifference},
    content::{
        CommonNodeContent, Content, CountryContent, CriticalFunctionsContent, DesignatedContent,
        DimensionContent, EntryContent, FunctionContent, PlaceContent, RateContent, ThresholdsContent,
    },
    kept_simulation::{
        ChangeContent, ChangeKind, FieldContent, KeptSimulation, NamedContent, ShareContent,
        SimulationContent, SimulationHead, StandingContent,
    },
    simulation::{Simulated, WantedChange},
};
pub use store::analysis::{AnalysisHead, BreachRow};

/// The options of an analysis.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnalysisRequest {
    pub basis: Basis,
    pub scope: Scope,
    /// Today by default.
    pub as_of: Option<Day>,
    /// The tenant's currency by default.
    pub currency: Option<Currency>,
    /// Each currency with its rate, as entered. They take precedence over the tenant's stored rates.
    pub rates: Vec<(String, String)>,
}

/// A stored analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    pub head: AnalysisHead,
    pub content: Content,
    /// The inputs that changed since the analysis.
    pub stale: Vec<Cause>,
}

/// What a share is of, as the reader calls it: a usual sector is named in the reader's language.
pub fn shown_name(dimension: Dimension, name: &str, language: Language) -> &str {
    if dimension == Dimension::Sector { sector(name, language) } else { name }
}

impl Analysis {
    /// The same with the names of sectors in the reader's language, to be shown.
    #[must_use]
    pub fn spoken(mut self, language: Language) -> Self {
        let of_sectors = |of: &&mut DimensionContent| of.dimension == Dimension::Sector.as_str();
        if let Some(sectors) = self.content.dimensions.iter_mut().find(of_sectors) {
            for entry in &mut sectors.entries {
                entry.name = sector(&entry.name, language).to_owned();
            }
        }
        self
    }
}

/// Records that this transaction changes an input of analyses.
pub(crate) fn note_change(tx: &mut Tx<'_>, scope: &TenantScope, cause: Cause, now: Moment) -> Result<()> {
    Ok(register_change::put(tx, scope, cause, now)?)
}

impl ThirdParties {
    /// Analyses the register and stores the result.
    pub async fn analyse(
        &self,
        caller: &Caller,
        request: AnalysisRequest,
        idempotency: Option<Idempotency>,
        render: Renderer<Analysis, String>,
    ) -> Result<Creation> {
        caller.require_right(Resource::Analyses, Right::Write)?;
        let (this, caller, now) = (self.clone(), caller.clone(), self.clock.now());
        let scope = *caller.scope();
        let (today, edition) = (now.day(), self.catalogue()?);
        // The long computation reads from a snapshot outside the transaction, so that writers do not wait for it.
        let measured = move |r: &mut Reader<'_>| measure(r, &scope, &request, today, &edition);
        let ((outcome, rates), revision) = self.db.tenant(&scope).read_at(measured).await?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let content = Content::of(&outcome, rates.clone());
                    let analysis = this.keep(tx, &scope, &outcome, content, revision, now)?;
                    let detail = json!({
                        "basis": outcome.basis.as_str(),
                        "scope": outcome.scope.as_str(),
                        "as_of": outcome.as_of,
                        "arrangements": outcome.arrangements,
                        "breaches": outcome.breaches.len(),
                        "level": outcome.level.as_str(),
                    });
                    let id = analysis.head.id;
                    let subject = Subject { table: ANALYSIS, id: id.to_string(), version: 1 };
                    publish(tx, &scope, Occurrence::AnalysisFinished, subject, &detail, now)?;
                    audit::record(tx, caller.actor(), now, "concentration.analysed", id, &detail)?;
                    Ok((id.to_string(), analysis))
                };
                this.once(tx, &caller, idempotency.as_ref(), now, create, &render)
            })
            .await
    }

    /// The latest analysis, rendered; `question` is the cache key of its form.
    pub async fn latest_analysis(
        &self,
        caller: &Caller,
        question: &str,
        render: Renderer<Analysis, Vec<u8>>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| {
            let kept = rows::latest(r, &scope)?.ok_or(Error::NotFound)?;
            read_analysis(r, &scope, kept)
        };
        self.page(caller, "analysis", question, load, render).await
    }

    pub async fn analysis_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<AnalysisHead>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let question = pages::part(request);
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, request)?);
        self.page(caller, "analyses", &question, load, render).await
    }

    /// The breaches of the latest analysis; empty before the first.
    pub async fn breach_page(
        &self,
        caller: &Caller,
        dimension: Option<Dimension>,
        by_group: bool,
        request: PageRequest,
        render: fn(&Page<BreachRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let question = format!("{dimension:?} {by_group} {}", pages::part(request));
        let load = move |r: &mut Reader<'_>| {
            let Some((head, _)) = rows::latest(r, &scope)? else {
                return Ok(Page::new(Vec::new(), 0, request));
            };
            Ok(rows::breaches(r, &scope, head.id, dimension, by_group, request)?)
        };
        self.page(caller, "breaches", &question, load, render).await
    }

    fn keep(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        outcome: &Outcome,
        content: Content,
        revision: Revision,
        now: Moment,
    ) -> Result<Analysis> {
        let before = match rows::latest(tx, scope)? {
            Some((head, _)) => rows::first_detected(tx, scope, head.id)?.into_iter().collect(),
            None => HashMap::new(),
        };
        let head = AnalysisHead { id: self.ids.next(now), ..head(outcome, now) };
        let text = serde_json::to_string(&content).map_err(Error::internal)?;
        rows::insert(tx, scope, &head, &text, revision)?;
        let own = outcome.breaches.iter().map(|breach| match breach.dimension {
            Dimension::Provider => (breach, Whose::LegalEntity),
            _ => (breach, Whose::Anybody),
        });
        let groups = outcome.group_breaches.iter().map(|breach| (breach, Whose::Group));
        for (breach, whose) in own.chain(groups) {
            let mut row = breach_row(breach, whose, self.ids.next(now), head.id, now);
            let key = (row.dimension, whose, row.name.clone());
            row.first_detected_at = before.get(&key).copied().unwrap_or(now);
            rows::insert_breach(tx, scope, &row)?;
        }
        Ok(Analysis { head, content, stale: Vec::new() })
    }
}

/// The list entry of an analysis that has no id yet.
fn head(outcome: &Outcome, now: Moment) -> AnalysisHead {
    AnalysisHead {
        id: AnalysisId::from(domain::id::Uuid7::from_parts(0, 0)),
        analysed_at: now,
        as_of: outcome.as_of,
        basis: outcome.basis,
        scope: outcome.scope,
        level: outcome.level.as_str().to_owned(),
        arrangements: outcome.arrangements.into(),
        breaches: outcome.breaches.len() as u64,
    }
}

fn breach_row(
    breach: &Breach,
    whose: Whose,
    id: BreachId,
    analysis_id: AnalysisId,
    now: Moment,
) -> BreachRow {
    BreachRow {
        id,
        analysis_id,
        dimension: breach.dimension,
        whose,
        name: breach.name.to_string(),
        share: breach.share.percent().get(),
        threshold: breach.threshold.get().into(),
        excess: breach.share.excess(breach.threshold).get(),
        severity: breach.severity.as_str().to_owned(),
        arrangements: breach.arrangements.clone(),
        detected_at: now,
        first_detected_at: now,
    }
}

/// The inputs besides the arrangements, read from the same snapshot.
struct Terms {
    rates: Rates,
    /// The rates as they are reported: those of the request, then the tenant's for all other currencies.
    given: Vec<RateContent>,
    thresholds: Thresholds,
}

impl Terms {
    fn read(reader: &mut Reader<'_>, scope: &TenantScope, request: &AnalysisRequest) -> Result<Self> {
        let base = match request.currency {
            Some(currency) => currency,
            None => tenant::currency(reader, scope)?,
        };
        let mut given: BTreeMap<String, RateContent> = BTreeMap::new();
        let kept = exchange_rate::get(reader, scope)?.filter(|kept| kept.base == base);
        let kept = kept.iter().flat_map(|kept| {
            kept.rates.iter().map(move |(code, rate)| (code, rate, Some(kept.valid_on.to_string())))
        });
        for (code, rate, valid_on) in kept.chain(request.rates.iter().map(|(code, rate)| (code, rate, None)))
        {
            let content = RateContent { currency: code.clone(), rate: rate.clone(), valid_on };
            given.insert(code.clone(), content);
        }
        let given: Vec<_> = given.into_values().collect();
        let rates = given.iter().map(|each| (each.currency.as_str(), each.rate.as_str()));
        Ok(Self {
            rates: Rates::parse(base, rates)?,
            given,
            thresholds: threshold::get(reader, scope)?.thresholds,
        })
    }

    /// The rates this portfolio is converted with.
    fn used(&self, request: &AnalysisRequest, portfolio: &Portfolio) -> Vec<RateContent> {
        let converted = |rate: &&RateContent| {
            let mut currencies = portfolio.currencies().iter();
            request.basis == Basis::AnnualCost
                && rate.currency != self.rates.base().as_str()
                && currencies.any(|currency| currency.as_str() == rate.currency)
        };
        self.given.iter().filter(converted).cloned().collect()
    }

    fn question<'a>(
        &'a self,
        request: &AnalysisRequest,
        today: Day,
        designated: &'a [Designated<'a>],
    ) -> AnalysisInput<'a> {
        AnalysisInput {
            basis: request.basis,
            scope: request.scope,
            as_of: request.as_of.unwrap_or(today),
            thresholds: self.thresholds,
            rates: &self.rates,
            designated,
        }
    }
}

fn measure(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: &AnalysisRequest,
    today: Day,
    edition: &Edition,
) -> Result<(Outcome, Vec<RateContent>)> {
    let terms = Terms::read(reader, scope, request)?;
    let portfolio = portfolio::load(reader, scope)?;
    let designated = designated(edition);
    let outcome = analyse(&portfolio, &terms.question(request, today, &designated))
        .map_err(|error| Error::Invalid(error.into()))?;
    Ok((outcome, terms.used(request, &portfolio)))
}

/// The share of each provider in the annual cost of all arrangements that run today: name, LEI and per cent.
pub(crate) fn provider_shares(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    today: Day,
    edition: &Edition,
) -> Result<Vec<(String, Option<Lei>, Hundredths)>> {
    let (outcome, _) = measure(reader, scope, &AnalysisRequest::default(), today, edition)?;
    let providers = outcome.dimensions.iter().find(|result| result.dimension == Dimension::Provider);
    let entries = providers.into_iter().flat_map(|result| &result.entries);
    Ok(entries.map(|entry| (entry.name.to_string(), entry.lei, entry.share.percent())).collect())
}

/// The critical providers the supervisors have designated, by the names of the official list.
fn designated(edition: &Edition) -> Vec<Designated<'_>> {
    edition.providers.iter().map(|provider| Designated { name: &provider.name, lei: None }).collect()
}
