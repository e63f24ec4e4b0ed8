//! Converts the official register to the flat arrangements that users maintain and the analysis reads.
//!
//! One arrangement for each contract, provider, type of service and country of provision. The register contains the
//! expense by contract, so a contract with several of these divides it evenly, the remaining minor units going to the
//! first. It has no sector and no technology: the family and the title of the service type are used instead. A
//! service without an assessment has medium substitutability.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    arrangement::{
        AnnualCost, Arrangement, Entry, Facts, MOST_NOTICE_DAYS, Party, Place, Provider, ServiceType,
        Substitutability, SupplyStep, SupportedFunction,
    },
    country::Country,
    moment::Day,
    money::Money,
    term::Term,
    text::TextError,
};

use super::{
    codes::Assessed,
    index::{Index, records},
    records::{Assessment, ChainLink, ContractLine, Function, Register},
};

/// One arrangement to be created: provider, type of service, country of provision.
type ArrangementKey<'r> = (&'r str, ServiceType, Option<Country>);
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
    pub fn arrangements(&self) -> impl Iterator<Item = Entry> {
        let source = &self.source;
        source.contracts.iter().flat_map(|(contract, parts)| {
            let costs = split(source.cost(contract), parts.len());
            parts.iter().zip(costs).filter_map(|((part, lines), cost)| {
                source.arrangement(reference(contract, *part, parts), *part, lines, cost)
            })
        })
    }

    /// The parts of an arrangement, by its reference.
    pub(super) fn part(&self, wanted: &str) -> Option<PartOf<'r>> {
        self.source.contracts.iter().find_map(|(contract, parts)| {
            let is_wanted = |part: &&ArrangementKey<'r>| {
                reference(contract, **part, parts).is_ok_and(|reference| reference.as_str() == wanted)
            };
            let (provider, service_type, provision) = *parts.keys().find(is_wanted)?;
            Some(PartOf { contract, provider, service_type, provision, is_whole: parts.len() == 1 })
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

/// The parts of an arrangement.
#[derive(Debug)]
pub(super) struct PartOf<'r> {
    pub(super) contract: &'r str,
    /// The provider's code.
    pub(super) provider: &'r str,
    pub(super) service_type: ServiceType,
    pub(super) provision: Option<Country>,
    /// Whether its contract has no other arrangement.
    pub(super) is_whole: bool,
}

#[derive(Debug)]
struct Source<'r> {
    index: Index<'r>,
    contracts: BTreeMap<&'r str, ArrangementGroups<'r>>,
    /// The contracts in use under each framework that is not used itself.
    under: HashMap<&'r str, Vec<&'r str>>,
    chains: HashMap<(&'r str, ServiceType), Vec<&'r ChainLink>>,
    assessments: HashMap<(&'r str, &'r str, ServiceType), &'r Assessment>,
    /// Names that several functions share.
    ambiguous: BTreeSet<&'r str>,
    words: Words,
}

/// Terms every arrangement shares.
#[derive(Debug)]
struct Words {
    services: HashMap<ServiceType, (Term, Term)>,
    countries: HashMap<Country, Term>,
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
            let part = (line.provider.code.as_str(), line.service_type, line.provision);
            contracts.entry(line.contract.as_str()).or_default().entry(part).or_default().push(line);
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

    fn arrangement(
        &self,
        reference: Result<Term, TextError>,
        (code, service_type, provision): ArrangementKey<'r>,
        lines: &[&'r ContractLine],
        cost: Option<Money>,
    ) -> Option<Entry> {
        let registered = self.index.providers.get(code)?;
        let (first, cost) = (lines.first()?, cost?);
        let assessment = self.assessments.get(&(first.contract.as_str(), code, service_type));
        let place = provision.or_else(|| lines.iter().find_map(|line| line.processing.or(line.storage)));
        let (family, title) = self.words.services.get(&service_type)?;
        let arrangement = Arrangement {
            reference: reference.ok()?,
            provider: Provider {
                name: registered.name.clone(),
                lei: registered.code.lei(),
                country: registered.country,
                sector: family.clone(),
            },
            service: title.clone(),
            service_type,
            technology: title.clone(),
            region: self.words.countries.get(&place.unwrap_or(registered.country))?.clone(),
            functions: self.functions(lines),
            substitutability: assessment.map_or(Substitutability::Medium, |each| each.replaceability.into()),
            annual_cost: AnnualCost::stored(cost).ok()?,
            starts_on: lines.iter().map(|line| line.starts_on).min()?,
            ends_on: last_day(lines),
        };
        let facts = Facts {
            exit_plan: assessment.map(|each| each.exit_plan),
            notice_days: notice_days(lines),
            places: places(lines),
            chain: self.chain(first.contract.as_str(), service_type, code),
            ultimate_parent: registered
                .ultimate_parent
                .as_ref()
                .and_then(|parent| self.party(parent.code.as_str())),
        };
        Some(Entry { arrangement, facts })
    }

    fn functions(&self, lines: &[&'r ContractLine]) -> Vec<SupportedFunction> {
        let mut functions: BTreeMap<Term, bool> = BTreeMap::new();
        for function in lines.iter().filter_map(|line| self.index.function(line).ok()) {
            let name = self.function_name(function);
            *functions.entry(name).or_default() |= function.criticality == Assessed::Yes;
        }
        functions.into_iter().map(|(name, critical)| SupportedFunction { name, critical }).collect()
    }

    fn function_name(&self, function: &Function) -> Term {
        if !self.ambiguous.contains(function.name.as_str()) {
            return function.name.clone();
        }
        Term::parse(&format!("{} ({} of {})", function.name, function.id, function.entity))
            .unwrap_or_else(|_| function.id.clone())
    }

    /// The steps that can be reached from the direct provider, each after the one it delivers to.
    fn chain(&self, contract: &str, service_type: ServiceType, direct: &'r str) -> Vec<SupplyStep> {
        let Some(links) = self.chains.get(&(contract, service_type)) else { return Vec::new() };
        let mut links: Vec<_> = links.iter().filter(|link| link.rank > 1).collect();
        links.sort_by_key(|link| link.rank);
        let (mut reached, mut steps) = (BTreeSet::from([direct]), Vec::new());
        for link in links {
            let Some(recipient) = link.recipient.as_ref().map(|recipient| recipient.code.as_str()) else {
                continue;
            };
            if !reached.contains(recipient) {
                continue;
            }
            let supplier = link.provider.code.as_str();
            reached.insert(supplier);
            if let (Some(supplier), Some(recipient)) = (self.party(supplier), self.party(recipient)) {
                steps.push(SupplyStep { supplier, recipient });
            }
        }
        steps
    }

    fn party(&self, code: &str) -> Option<Party> {
        let provider = self.index.providers.get(code)?;
        Some(Party { name: provider.name.clone(), lei: provider.code.lei() })
    }
}

/// The latest end; without one as soon as one line has none.
fn last_day(lines: &[&ContractLine]) -> Option<Day> {
    let ends: Option<Vec<_>> = lines.iter().map(|line| line.ends_on).collect();
    ends.and_then(|ends| ends.into_iter().max())
}

/// The longest notice period of the lines for the institution: the day that comes first. One of more than five years is a
/// mistake, and no day follows from it.
fn notice_days(lines: &[&ContractLine]) -> Option<u32> {
    let said = lines.iter().filter_map(|line| line.notice_entity_days);
    said.filter(|days| *days <= MOST_NOTICE_DAYS).max()
}

fn places(lines: &[&ContractLine]) -> Vec<(Place, Country)> {
    let of_line = |line: &&ContractLine| {
        let storage = line.storage.filter(|_| line.stores_data != Some(false));
        [(Place::Provision, line.provision), (Place::Storage, storage), (Place::Processing, line.processing)]
    };
    let known = lines.iter().flat_map(of_line).filter_map(|(place, country)| Some((place, country?)));
    known.collect::<BTreeSet<_>>().into_iter().collect()
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
    (code, service_type, provision): ArrangementKey<'_>,
    parts: &ArrangementGroups<'_>,
) -> Result<Term, TextError> {
    let mut reference = contract.to_owned();
    let mut tell_apart = |differs: bool, text: &str| {
        if differs {
            reference.push_str(" / ");
            reference.push_str(text);
        }
    };
    tell_apart(parts.keys().any(|other| other.0 != code), code);
    tell_apart(parts.keys().any(|other| other.1 != service_type), service_type.as_str());
    let country = provision.as_ref().map_or("-", Country::as_str);
    tell_apart(parts.keys().any(|other| other.2 != provision), country);
    Term::parse(&reference)
}
