//! Converts the official register to the flat arrangements that users maintain and the analysis reads.
//!
//! One arrangement for each contract, provider, type of service and country of provision. The register contains the
//! expense by contract, so a contract with several of these divides it evenly, the remaining minor units going to the
//! first. What the rows say of each field is in the table of fields.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    arrangement::{AnnualCost, Arrangement, ServiceType},
    country::Country,
    money::Money,
    term::Term,
    text::TextError,
};

use super::{
    arrangement_rows::ArrangementRows,
    index::{Index, records},
    records::{Assessment, ChainLink, ContractLine, Function, Register},
};

/// What distinguishes the arrangements of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArrangementKey<'r> {
    /// The code of the provider.
    pub(super) provider: &'r str,
    pub(super) service_type: ServiceType,
    provision: Option<Country>,
}

impl<'r> ArrangementKey<'r> {
    pub(super) fn of(line: &'r ContractLine) -> Self {
        Self {
            provider: line.provider.code.as_str(),
            service_type: line.service_type,
            provision: line.provision,
        }
    }
}

type ArrangementGroups<'r> = BTreeMap<ArrangementKey<'r>, Vec<&'r ContractLine>>;

/// A register as arrangements. They are created one at a time, because a large register would not fit in memory
/// twice.
#[derive(Debug)]
pub struct Conversion<'r> {
    register: &'r Register,
    source: Source<'r>,
}

impl<'r> Conversion<'r> {
    /// For a valid register; a line whose provider or function is unknown is left out.
    #[must_use]
    pub fn of(register: &'r Register) -> Self {
        Self { register, source: Source::of(register) }
    }

    /// In the order of the contracts' references.
    pub fn arrangements(&self) -> impl Iterator<Item = Arrangement> {
        let source = &self.source;
        source.contracts.iter().flat_map(|(contract, parts)| {
            let costs = split(source.cost(contract), parts.len());
            parts.iter().zip(costs).filter_map(|((part, lines), cost)| {
                source.rows(reference(contract, *part, parts), *part, lines, cost)?.entry()
            })
        })
    }

    /// What an arrangement is made from, by its reference.
    pub(super) fn part(&self, wanted: &str) -> Option<PartOf<'r>> {
        self.source.contracts.iter().find_map(|(contract, parts)| {
            let is_wanted = |part: &&ArrangementKey<'r>| {
                reference(contract, **part, parts).is_ok_and(|reference| reference.as_str() == wanted)
            };
            let key = *parts.keys().find(is_wanted)?;
            Some(PartOf { contract, key, is_whole: parts.len() == 1 })
        })
    }

    /// The name of a function in arrangements.
    pub(super) fn function_name(&self, function: &Function) -> Term {
        self.source.function_name(function)
    }

    /// Contracts that no line uses, directly or through an arrangement under them: their expense is not counted.
    pub fn unused(&self) -> impl Iterator<Item = &'r Term> {
        let contracts = records(&self.register.contracts).map(|contract| &contract.reference);
        contracts.filter(|reference| !self.source.counts(reference.as_str()))
    }
}

/// What an arrangement is made from.
#[derive(Debug)]
pub(super) struct PartOf<'r> {
    pub(super) contract: &'r str,
    pub(super) key: ArrangementKey<'r>,
    /// Whether its contract has no other arrangement.
    pub(super) is_whole: bool,
}

#[derive(Debug)]
pub(super) struct Source<'r> {
    pub(super) index: Index<'r>,
    contracts: BTreeMap<&'r str, ArrangementGroups<'r>>,
    /// The contracts in use under each framework that is not used itself.
    under: HashMap<&'r str, Vec<&'r str>>,
    pub(super) chains: HashMap<(&'r str, ServiceType), Vec<&'r ChainLink>>,
    assessments: HashMap<(&'r str, &'r str, ServiceType), &'r Assessment>,
    /// Names that several functions share.
    ambiguous: BTreeSet<&'r str>,
    pub(super) words: Words,
}

/// Terms every arrangement shares.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) services: HashMap<ServiceType, (Term, Term)>,
    pub(super) countries: HashMap<Country, Term>,
}

impl Words {
    fn new() -> Self {
        let service = |service: ServiceType| {
            let terms =
                (Term::parse(service.family().label().en).ok()?, Term::parse(service.label().en).ok()?);
            Some((service, terms))
        };
        let country = |country: Country| Some((country, Term::parse(country.as_str()).ok()?));
        Self {
            services: ServiceType::ALL.iter().copied().filter_map(service).collect(),
            countries: Country::all().filter_map(country).collect(),
        }
    }
}

impl<'r> Source<'r> {
    fn of(register: &'r Register) -> Self {
        let mut contracts: BTreeMap<_, ArrangementGroups<'r>> = BTreeMap::new();
        for line in records(&register.lines) {
            let key = ArrangementKey::of(line);
            contracts.entry(line.contract.as_str()).or_default().entry(key).or_default().push(line);
        }
        let mut under: HashMap<_, Vec<_>> = HashMap::new();
        for contract in records(&register.contracts) {
            let (own, framework) = (contract.reference.as_str(), contract.overarching.as_ref());
            let Some(framework) = framework.map(Term::as_str) else { continue };
            if contracts.contains_key(own) && !contracts.contains_key(framework) {
                under.entry(framework).or_default().push(own);
            }
        }
        let mut chains: HashMap<_, Vec<_>> = HashMap::new();
        for link in records(&register.chain) {
            chains.entry((link.contract.as_str(), link.service_type)).or_default().push(link);
        }
        let assessments = records(&register.assessments)
            .map(|each| ((each.contract.as_str(), each.provider.code.as_str(), each.service_type), each));
        let (mut names, mut ambiguous) = (BTreeSet::new(), BTreeSet::new());
        for function in records(&register.functions) {
            if !names.insert(function.name.as_str()) {
                ambiguous.insert(function.name.as_str());
            }
        }
        Self {
            index: Index::of(register),
            contracts,
            under,
            chains,
            assessments: assessments.collect(),
            ambiguous,
            words: Words::new(),
        }
    }

    fn counts(&self, contract: &str) -> bool {
        self.contracts.contains_key(contract) || self.under.contains_key(contract)
    }

    /// The cost of the contract: its own expense, and its part of a framework's that is not used itself.
    fn cost(&self, reference: &str) -> Option<Money> {
        let contract = self.index.contracts.get(reference)?;
        let mut cost = contract.annual_cost;
        let framework = contract.overarching.as_ref().map(Term::as_str);
        let heirs = framework.and_then(|framework| self.under.get(framework));
        if let (Some(framework), Some(heirs)) = (framework.and_then(|f| self.index.contracts.get(f)), heirs) {
            let share = heirs.iter().position(|heir| *heir == reference);
            let inherited =
                share.and_then(|share| split(Some(framework.annual_cost), heirs.len()).nth(share).flatten());
            cost.amount += inherited.map_or(0, |inherited| inherited.amount);
        }
        Some(cost)
    }

    fn rows<'s>(
        &'s self,
        reference: Result<Term, TextError>,
        key: ArrangementKey<'r>,
        lines: &'s [&'r ContractLine],
        cost: Option<Money>,
    ) -> Option<ArrangementRows<'s, 'r>> {
        let (first, ArrangementKey { provider, service_type, .. }) = (lines.first()?, key);
        Some(ArrangementRows {
            source: self,
            reference: reference.ok()?,
            provider: self.index.providers.get(provider)?,
            service_type,
            first,
            lines,
            assessment: self.assessments.get(&(first.contract.as_str(), provider, service_type)).copied(),
            annual_cost: AnnualCost::stored(cost?).ok()?,
        })
    }

    pub(super) fn function_name(&self, function: &Function) -> Term {
        if !self.ambiguous.contains(function.name.as_str()) {
            return function.name.clone();
        }
        Term::parse(&format!("{} ({} of {})", function.name, function.id, function.entity))
            .unwrap_or_else(|_| function.id.clone())
    }
}

/// Divides an amount evenly; the first parts get a minor unit more if there is a remainder.
fn split(cost: Option<Money>, parts: usize) -> impl Iterator<Item = Option<Money>> {
    let parts = i64::try_from(parts).unwrap_or(i64::MAX).max(1);
    (0..parts).map(move |part| {
        let money = cost?;
        let amount = money.amount / parts + i64::from(part < money.amount % parts);
        Some(Money { amount, ..money })
    })
}

/// The contract's own reference, followed by what distinguishes its arrangements.
fn reference(
    contract: &str,
    key: ArrangementKey<'_>,
    parts: &ArrangementGroups<'_>,
) -> Result<Term, TextError> {
    let mut reference = contract.to_owned();
    let mut tell_apart = |differs: bool, text: &str| {
        if differs {
            reference.push_str(" / ");
            reference.push_str(text);
        }
    };
    let ArrangementKey { provider, service_type, provision } = key;
    tell_apart(parts.keys().any(|other| other.provider != provider), provider);
    tell_apart(parts.keys().any(|other| other.service_type != service_type), service_type.as_str());
    let country = provision.as_ref().map_or("-", Country::as_str);
    tell_apart(parts.keys().any(|other| other.provision != provision), country);
    Term::parse(&reference)
}
