//! The interned arrangements of an analysis: four-byte numbers instead of texts, one compact row each, and all lists
//! in one allocation.
//!
//! Rows are validated when they are added, so that an analysis only sees valid ones.

use crate::{
    arrangement::{AnnualCost, ArrangementId, Contract, Facts, Party, Place, Substitutability},
    country::Country,
    currency::Currency,
    lei::Lei,
    moment::Day,
    supply_chain::{ChainDefect, inspect},
};

use super::{
    error::{Path, RowError, RowFault},
    names::{Names, small},
    providers::Providers,
};

/// A provider of this portfolio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProviderRef(pub(super) u32);

/// A function of the bank in this portfolio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionRef(pub(super) u32);

/// One step of a supply chain: `supplier` delivers to `recipient`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub supplier: ProviderRef,
    pub recipient: ProviderRef,
}

/// One arrangement as the analysis reads it, borrowed from its source.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub id: ArrangementId,
    pub reference: &'a str,
    pub provider: ProviderRef,
    pub sector: &'a str,
    pub region: &'a str,
    pub technology: &'a str,
    /// Each function and whether this arrangement marks it critical.
    pub functions: &'a [(FunctionRef, bool)],
    pub substitutability: Substitutability,
    /// `None` if unknown.
    pub exit_plan: Option<bool>,
    pub annual_cost: AnnualCost,
    pub starts_on: Day,
    pub ends_on: Option<Day>,
    pub places: &'a [(Place, Country)],
    /// The steps behind the direct provider, in any order.
    pub chain: &'a [Step],
}

/// A stored row. Lists end where the next row's begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub(super) id: ArrangementId,
    pub(super) cost: i64,
    pub(super) provider: u32,
    pub(super) sector: u32,
    pub(super) region: u32,
    pub(super) technology: u32,
    first_day: i32,
    last_day: i32,
    functions_end: u32,
    chain_end: u32,
    places_end: u32,
    reference_end: u32,
    currency: u16,
    pub(super) substitutability: Substitutability,
    pub(super) exit_plan: Option<bool>,
}

impl Stored {
    pub(super) fn is_active(&self, day: i32) -> bool {
        (self.first_day..=self.last_day).contains(&day)
    }
}

/// The input of an analysis.
#[derive(Debug, Clone, Default)]
pub struct Portfolio {
    pub(super) rows: Vec<Stored>,
    pub(super) providers: Providers,
    pub(super) functions: Names,
    pub(super) sectors: Names,
    pub(super) regions: Names,
    pub(super) technologies: Names,
    currencies: Vec<Currency>,
    function_links: Vec<(u32, bool)>,
    steps: Vec<Step>,
    place_links: Vec<(Place, Country)>,
    references: String,
}

impl Portfolio {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Interns the provider with this name and LEI.
    pub fn provider(&mut self, name: &str, lei: Option<Lei>) -> ProviderRef {
        ProviderRef(self.providers.intern(name, lei))
    }

    pub fn function(&mut self, name: &str) -> FunctionRef {
        FunctionRef(self.functions.intern(name))
    }

    /// Sets the ultimate parent of the provider's group. The analysis detects conflicting ones.
    pub fn set_ultimate_parent(&mut self, provider: ProviderRef, parent: ProviderRef) {
        self.providers.add_parent(provider.0, parent.0);
    }

    /// Adds a stored arrangement with its facts.
    pub fn add(&mut self, id: ArrangementId, contract: &Contract, facts: &Facts) -> Result<(), RowError> {
        let provider = self.provider(contract.provider.name.as_str(), contract.provider.lei);
        if let Some(parent) = &facts.ultimate_parent {
            let parent = self.party(parent);
            self.set_ultimate_parent(provider, parent);
        }
        let functions = contract.functions.iter();
        let functions: Vec<_> =
            functions.map(|function| (self.function(function.name.as_str()), function.critical)).collect();
        let chain: Vec<_> = facts
            .chain
            .iter()
            .map(|step| Step { supplier: self.party(&step.supplier), recipient: self.party(&step.recipient) })
            .collect();
        // Users often enter the country as the region; then it is the place of provision.
        let provision = contract.region.as_str().parse().ok().map(|country| (Place::Provision, country));
        let places = if facts.places.is_empty() { provision.as_slice() } else { &facts.places };
        self.push(&Row {
            id,
            reference: contract.reference.as_str(),
            provider,
            sector: contract.provider.sector.as_str(),
            region: contract.region.as_str(),
            technology: contract.technology.as_str(),
            functions: &functions,
            substitutability: contract.substitutability,
            exit_plan: facts.exit_plan,
            annual_cost: contract.annual_cost,
            starts_on: contract.starts_on,
            ends_on: contract.ends_on,
            places,
            chain: &chain,
        })
    }

    fn party(&mut self, party: &Party) -> ProviderRef {
        self.provider(party.name.as_str(), party.lei)
    }

    pub fn push(&mut self, row: &Row<'_>) -> Result<(), RowError> {
        self.check(row).map_err(|fault| RowError { reference: row.reference.to_owned(), fault })?;
        self.function_links.extend(row.functions.iter().map(|(function, critical)| (function.0, *critical)));
        self.steps.extend_from_slice(row.chain);
        self.place_links.extend_from_slice(row.places);
        self.references.push_str(row.reference);
        let money = row.annual_cost.money();
        let stored = Stored {
            id: row.id,
            cost: money.amount,
            provider: row.provider.0,
            sector: self.sectors.intern(row.sector),
            region: self.regions.intern(row.region),
            technology: self.technologies.intern(row.technology),
            first_day: row.starts_on.number(),
            last_day: row.ends_on.map_or(i32::MAX, Day::number),
            functions_end: small(self.function_links.len()),
            chain_end: small(self.steps.len()),
            places_end: small(self.place_links.len()),
            reference_end: small(self.references.len()),
            currency: self.currency(money.currency),
            substitutability: row.substitutability,
            exit_plan: row.exit_plan,
        };
        self.rows.push(stored);
        Ok(())
    }

    fn check(&self, row: &Row<'_>) -> Result<(), RowFault> {
        match row.annual_cost {
            AnnualCost::Own(money) if money.amount < 0 => return Err(RowFault::NegativeCost),
            AnnualCost::Own(money) if money.amount == 0 => return Err(RowFault::ZeroCost),
            _ => {}
        }
        if row.ends_on.is_some_and(|last| last < row.starts_on) {
            return Err(RowFault::BACKWARDS);
        }
        let name = |provider: ProviderRef| self.providers.name(provider.0).to_string();
        match inspect(row.provider, row.chain, |step| (step.recipient, step.supplier)) {
            None => Ok(()),
            Some(ChainDefect::Circle(path)) => {
                Err(RowFault::Cycle(Path(path.into_iter().map(name).collect())))
            }
            Some(ChainDefect::Loose(position)) => Err(RowFault::LooseStep {
                supplier: name(row.chain[position].supplier),
                recipient: name(row.chain[position].recipient),
            }),
        }
    }

    /// Removes the row from every analysis from now on.
    pub(super) fn retire(&mut self, row: usize) {
        // A period that ends before it starts contains no day.
        self.rows[row].last_day = i32::MIN;
    }

    fn currency(&mut self, currency: Currency) -> u16 {
        let known = self.currencies.iter().position(|known| *known == currency);
        let index = known.unwrap_or_else(|| {
            self.currencies.push(currency);
            self.currencies.len() - 1
        });
        // There are fewer than two hundred currencies.
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// The currencies costs are in, each once.
    pub fn currencies(&self) -> &[Currency] {
        &self.currencies
    }

    pub(super) fn currency_of(&self, row: usize) -> usize {
        usize::from(self.rows[row].currency)
    }

    pub(super) fn functions_of(&self, row: usize) -> &[(u32, bool)] {
        &self.function_links[self.range(row, |stored| stored.functions_end)]
    }

    pub(super) fn chain_of(&self, row: usize) -> &[Step] {
        &self.steps[self.range(row, |stored| stored.chain_end)]
    }

    pub(super) fn places_of(&self, row: usize) -> &[(Place, Country)] {
        &self.place_links[self.range(row, |stored| stored.places_end)]
    }

    pub(super) fn reference_of(&self, row: usize) -> &str {
        &self.references[self.range(row, |stored| stored.reference_end)]
    }

    fn range(&self, row: usize, end: impl Fn(&Stored) -> u32) -> std::ops::Range<usize> {
        let start = row.checked_sub(1).map_or(0, |before| end(&self.rows[before]));
        start as usize..end(&self.rows[row]) as usize
    }
}
