//! From stored rows to the portfolio the analysis reads: one pass, nothing gathered.

use domain::{
    arrangement::{Facts, Place},
    concentration::{FunctionRef, Portfolio, ProviderRef, Row, Step},
    country::Country,
    lei::Lei,
};
use store::{Reader, TenantScope, arrangement};

use crate::{Error, Result};

/// The lists of one row, in the portfolio's own numbers.
pub(super) struct Parts {
    pub(super) provider: ProviderRef,
    pub(super) functions: Vec<(FunctionRef, bool)>,
    pub(super) chain: Vec<Step>,
    pub(super) places: Vec<(Place, Country)>,
}

impl Parts {
    pub(super) fn intern<'f>(
        portfolio: &mut Portfolio,
        provider: (&str, Option<Lei>),
        region: &str,
        functions: impl Iterator<Item = (&'f str, bool)>,
        facts: &Facts,
    ) -> Self {
        let provider = portfolio.provider(provider.0, provider.1);
        if let Some(parent) = &facts.ultimate_parent {
            let parent = portfolio.provider(parent.name.as_str(), parent.lei);
            portfolio.set_ultimate_parent(provider, parent);
        }
        let functions = functions.map(|(name, critical)| (portfolio.function(name), critical)).collect();
        let chain = facts.chain.iter().map(|step| Step {
            supplier: portfolio.provider(step.supplier.name.as_str(), step.supplier.lei),
            recipient: portfolio.provider(step.recipient.name.as_str(), step.recipient.lei),
        });
        let chain = chain.collect();
        // People often write the country into the region; then it is the place of provision.
        let provision = || region.parse().ok().map(|country| (Place::Provision, country));
        let places =
            if facts.places.is_empty() { provision().into_iter().collect() } else { facts.places.clone() };
        Self { provider, functions, chain, places }
    }
}

/// Every arrangement of the tenant.
pub(super) fn load(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Portfolio> {
    let mut portfolio = Portfolio::new();
    arrangement::for_each_compact(reader, scope, |row| {
        let functions = row.functions.iter().map(|(name, critical)| (name.as_ref(), *critical));
        let parts = Parts::intern(&mut portfolio, row.provider, row.region, functions, &row.facts);
        let pushed = portfolio.push(&Row {
            id: row.id,
            reference: row.reference,
            provider: parts.provider,
            sector: row.sector,
            region: row.region,
            technology: row.technology,
            functions: &parts.functions,
            substitutability: row.substitutability,
            exit_plan: row.facts.exit_plan,
            annual_cost: row.annual_cost,
            starts_on: row.starts_on,
            ends_on: row.ends_on,
            places: &parts.places,
            chain: &parts.chain,
        });
        // Rows are checked on their way in, so one that fails here was damaged.
        pushed.map_err(store::Error::corrupt)
    })
    .map_err(Error::from)?;
    Ok(portfolio)
}
