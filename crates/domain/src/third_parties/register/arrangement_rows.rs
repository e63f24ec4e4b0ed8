//! The rows that one arrangement is read from, and what they say.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    codes::Assessed,
    convert::Source,
    field_table::FIELDS,
    records::{Assessment, ContractLine, RegisteredProvider},
};
use crate::{
    arrangement::{
        AnnualCost, Arrangement, Contract, Facts, MOST_NOTICE_DAYS, Party, Place, Provider, ServiceType,
        Substitutability, SupplyStep, SupportedFunction,
    },
    country::Country,
    moment::Day,
    term::Term,
};

#[derive(Debug)]
pub(super) struct ArrangementRows<'s, 'r> {
    pub(super) source: &'s Source<'r>,
    pub(super) reference: Term,
    pub(super) provider: &'r RegisteredProvider,
    pub(super) service_type: ServiceType,
    /// The first of the lines.
    pub(super) first: &'r ContractLine,
    pub(super) lines: &'s [&'r ContractLine],
    pub(super) assessment: Option<&'r Assessment>,
    pub(super) annual_cost: AnnualCost,
}

impl ArrangementRows<'_, '_> {
    /// The arrangement. What every arrangement must have is set first, then the table of fields is followed. The register
    /// has no sector and no technology: the family and the title of the service type are used instead.
    pub(super) fn entry(&self) -> Option<Arrangement> {
        let words = &self.source.words;
        let (family, title) = words.services.get(&self.service_type)?;
        let place = self
            .first
            .provision
            .or_else(|| self.lines.iter().find_map(|line| line.processing.or(line.storage)));
        let contract = Contract {
            reference: self.reference.clone(),
            provider: Provider {
                name: self.provider.name.clone(),
                lei: None,
                country: self.provider.country,
                sector: family.clone(),
            },
            service: title.clone(),
            service_type: self.service_type,
            technology: title.clone(),
            region: words.countries.get(&place.unwrap_or(self.provider.country))?.clone(),
            functions: Vec::new(),
            substitutability: Substitutability::Medium,
            annual_cost: self.annual_cost,
            starts_on: self.first.starts_on,
            ends_on: None,
        };
        let mut entry = Arrangement { contract, facts: Facts::default() };
        for field in &FIELDS {
            (field.read)(self, &mut entry);
        }
        Some(entry)
    }

    pub(super) fn functions(&self) -> Vec<SupportedFunction> {
        let mut functions: BTreeMap<Term, bool> = BTreeMap::new();
        for function in self.lines.iter().filter_map(|line| self.source.index.function(line).ok()) {
            let name = self.source.function_name(function);
            *functions.entry(name).or_default() |= function.criticality == Assessed::Yes;
        }
        functions.into_iter().map(|(name, critical)| SupportedFunction { name, critical }).collect()
    }

    /// A service without an assessment has medium substitutability.
    pub(super) fn substitutability(&self) -> Substitutability {
        self.assessment.map_or(Substitutability::Medium, |assessment| assessment.replaceability.into())
    }

    pub(super) fn first_day(&self) -> Day {
        self.lines.iter().map(|line| line.starts_on).fold(self.first.starts_on, Day::min)
    }

    /// The latest end; without one as soon as one line has none.
    pub(super) fn last_day(&self) -> Option<Day> {
        let ends: Option<Vec<_>> = self.lines.iter().map(|line| line.ends_on).collect();
        ends.and_then(|ends| ends.into_iter().max())
    }

    /// The longest notice period of the lines for the institution: the day that comes first. One of more than five years is
    /// a mistake, and no day follows from it.
    pub(super) fn notice_days(&self) -> Option<u32> {
        let said = self.lines.iter().filter_map(|line| line.notice_entity_days);
        said.filter(|days| *days <= MOST_NOTICE_DAYS).max()
    }

    pub(super) fn places(&self) -> Vec<(Place, Country)> {
        let of_line = |line: &&ContractLine| {
            let storage = line.storage.filter(|_| line.stores_data != Some(false));
            [
                (Place::Provision, line.provision),
                (Place::Storage, storage),
                (Place::Processing, line.processing),
            ]
        };
        let known =
            self.lines.iter().flat_map(of_line).filter_map(|(place, country)| Some((place, country?)));
        known.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The steps that can be reached from the direct provider, each after the one it delivers to.
    pub(super) fn chain(&self) -> Vec<SupplyStep> {
        let contract = self.first.contract.as_str();
        let Some(links) = self.source.chains.get(&(contract, self.service_type)) else { return Vec::new() };
        let mut links: Vec<_> = links.iter().filter(|link| link.rank > 1).collect();
        links.sort_by_key(|link| link.rank);
        let direct = self.provider.code.code.as_str();
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

    pub(super) fn ultimate_parent(&self) -> Option<Party> {
        self.provider.ultimate_parent.as_ref().and_then(|parent| self.party(parent.code.as_str()))
    }

    fn party(&self, code: &str) -> Option<Party> {
        let provider = self.source.index.providers.get(code)?;
        Some(Party { name: provider.name.clone(), lei: provider.code.lei() })
    }
}
