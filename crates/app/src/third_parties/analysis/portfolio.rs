//! Loads the portfolio for the analysis from stored rows in one pass.

use std::{collections::HashMap, rc::Rc};

use domain::{
    arrangement::{Facts, Party, Place},
    concentration::{FunctionRef, Portfolio, ProviderRef, Row, Step},
    country::Country,
    lei::Lei,
};
use foldhash::fast::RandomState;
use store::{
    Reader, TenantScope,
    arrangement::{self, FactsText, FunctionsText},
};

use crate::{Error, Result};

/// The lists of one row as indices of the portfolio.
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
        let places = facts.places.iter().copied().chain(provision(region, &facts.places)).collect();
        Self { provider, functions, chain, places }
    }
}

/// Facts as indices of the portfolio.
struct KnownFacts {
    exit_plan: Option<bool>,
    parent: Option<ProviderRef>,
    places: Vec<(Place, Country)>,
    chain: Vec<Step>,
}

type KnownFunctions = Vec<(FunctionRef, bool)>;

/// Parsed texts with a fast hash: two are looked up for every row.
type Texts<T> = HashMap<Box<str>, Rc<T>, RandomState>;

/// Arrangements with one provider mostly share their functions and their chain, so each text is parsed only once.
#[derive(Default)]
struct ParsedTexts {
    functions: Texts<KnownFunctions>,
    facts: Texts<KnownFacts>,
}

/// The maximum number of cached texts.
const MOST_KNOWN: usize = 20_000;

impl ParsedTexts {
    fn functions(
        &mut self,
        portfolio: &mut Portfolio,
        text: FunctionsText<'_>,
    ) -> store::Result<Rc<KnownFunctions>> {
        if let Some(known) = self.functions.get(text.0) {
            return Ok(Rc::clone(known));
        }
        let functions = text.read()?;
        let functions = functions.iter().map(|(name, critical)| (portfolio.function(name), *critical));
        let functions = Rc::new(functions.collect::<Vec<_>>());
        remember(&mut self.functions, text.0, &functions);
        Ok(functions)
    }

    fn facts(&mut self, portfolio: &mut Portfolio, text: FactsText<'_>) -> store::Result<Rc<KnownFacts>> {
        if let Some(known) = self.facts.get(text.0) {
            return Ok(Rc::clone(known));
        }
        let facts = text.read()?;
        let mut party = |party: &Party| portfolio.provider(party.name.as_str(), party.lei);
        let parent = facts.ultimate_parent.as_ref().map(&mut party);
        let chain = facts
            .chain
            .iter()
            .map(|step| Step { supplier: party(&step.supplier), recipient: party(&step.recipient) });
        let chain = chain.collect();
        let facts = Rc::new(KnownFacts { exit_plan: facts.exit_plan, parent, places: facts.places, chain });
        remember(&mut self.facts, text.0, &facts);
        Ok(facts)
    }
}

fn remember<T>(known: &mut Texts<T>, text: &str, value: &Rc<T>) {
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
    known.insert(text.into(), Rc::clone(value));
}

/// Every arrangement of the tenant.
pub(super) fn load(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Portfolio> {
    let (mut portfolio, mut known) = (Portfolio::new(), ParsedTexts::default());
    arrangement::for_each_compact(reader, scope, |row| {
        let provider = portfolio.provider(row.provider.0, row.provider.1);
        let functions = known.functions(&mut portfolio, row.functions)?;
        let facts = known.facts(&mut portfolio, row.facts)?;
        if let Some(parent) = facts.parent {
            portfolio.set_ultimate_parent(provider, parent);
        }
        let provision = provision(row.region, &facts.places);
        let pushed = portfolio.push(&Row {
            id: row.id,
            reference: row.reference,
            provider,
            sector: row.sector,
            region: row.region,
            technology: row.technology,
            functions: &functions,
            substitutability: row.substitutability,
            exit_plan: facts.exit_plan,
            annual_cost: row.annual_cost,
            starts_on: row.starts_on,
            ends_on: row.ends_on,
            places: if facts.places.is_empty() { provision.as_slice() } else { &facts.places },
            chain: &facts.chain,
        });
        // Rows are validated when they are stored, so one that fails here was damaged.
        pushed.map_err(store::Error::corrupt)
    })
    .map_err(Error::from)?;
    Ok(portfolio)
}

/// Users often enter the country as the region; then it is the place of provision.
fn provision(region: &str, places: &[(Place, Country)]) -> Option<(Place, Country)> {
    if places.is_empty() { region.parse().ok().map(|country| (Place::Provision, country)) } else { None }
}
