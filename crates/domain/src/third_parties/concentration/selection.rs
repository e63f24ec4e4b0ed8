//! The arrangements of one analysis, and their weights.

use std::collections::BTreeMap;

use crate::{currency::Currency, money::ExchangeRate};

use super::{
    error::AnalysisError,
    names::small,
    portfolio::{Portfolio, Stored},
    providers::Resolved,
    question::{AnalysisInput, Basis, Scope},
    share::{MAX_TOTAL, Share},
};

#[derive(Debug)]
pub(super) struct Selection<'p> {
    pub(super) portfolio: &'p Portfolio,
    /// Positions in the portfolio, and the weight of each.
    pub(super) rows: Vec<(u32, u64)>,
    pub(super) total: u64,
    pub(super) resolved: Resolved,
    /// For every function of the portfolio, whether any active arrangement marks it critical. A function is
    /// critical for the bank, not for one contract, so one mark is enough.
    critical: Vec<bool>,
    pub(super) critical_total: u64,
}

impl<'p> Selection<'p> {
    pub(super) fn new(portfolio: &'p Portfolio, question: &AnalysisInput<'_>) -> Result<Self, AnalysisError> {
        let active = active_rows(portfolio, question)?;
        let critical = critical_functions(portfolio, &active);
        let critical_total = critical.iter().filter(|critical| **critical).count() as u64;
        let resolved = portfolio.providers.resolve(used_providers(portfolio, &active))?;
        let mut selection =
            Self { portfolio, rows: Vec::new(), total: 0, resolved, critical, critical_total };
        let counted: Vec<_> = match question.scope {
            Scope::All => active,
            Scope::Critical => active.into_iter().filter(|row| selection.supports_critical(*row)).collect(),
        };
        if counted.is_empty() {
            return Err(AnalysisError::NothingCritical);
        }
        selection.weigh(&counted, question)?;
        Ok(selection)
    }

    fn weigh(&mut self, counted: &[u32], question: &AnalysisInput<'_>) -> Result<(), AnalysisError> {
        let weights = match question.basis {
            Basis::AnnualCost => costs(self.portfolio, counted, question)?,
            Basis::Arrangements => vec![1; counted.len()],
            Basis::CriticalFunctions => {
                counted.iter().map(|row| self.critical_functions(*row).count() as u64).collect()
            }
        };
        let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
        self.total = match u64::try_from(total) {
            Ok(0) => return Err(AnalysisError::NothingToMeasure(question.basis)),
            Ok(total) if total <= MAX_TOTAL => total,
            _ => return Err(AnalysisError::TotalTooLarge),
        };
        self.rows = counted.iter().copied().zip(weights).collect();
        Ok(())
    }

    pub(super) fn stored(&self, row: u32) -> &Stored {
        &self.portfolio.rows[row as usize]
    }

    /// The legal entity that provides the service directly.
    pub(super) fn entity(&self, row: u32) -> u32 {
        self.resolved.entity(self.stored(row).provider)
    }

    pub(super) fn is_critical(&self, function: u32) -> bool {
        self.critical[function as usize]
    }

    pub(super) fn critical_functions(&self, row: u32) -> impl Iterator<Item = u32> {
        self.portfolio
            .functions_of(row as usize)
            .iter()
            .map(|(function, _)| *function)
            .filter(|function| self.is_critical(*function))
    }

    pub(super) fn supports_critical(&self, row: u32) -> bool {
        self.critical_functions(row).next().is_some()
    }

    /// The legal entities behind the direct provider in the supply chain, possibly repeated.
    pub(super) fn suppliers(&self, row: u32) -> impl Iterator<Item = u32> {
        self.portfolio.chain_of(row as usize).iter().map(|step| self.resolved.entity(step.supplier.0))
    }

    pub(super) fn share(&self, value: u64) -> Share {
        Share::new(value, self.total)
    }

    pub(super) fn critical_share(&self, functions: u64) -> Share {
        Share::new(functions, self.critical_total)
    }
}

pub(super) fn active_rows(
    portfolio: &Portfolio,
    question: &AnalysisInput<'_>,
) -> Result<Vec<u32>, AnalysisError> {
    if portfolio.is_empty() {
        return Err(AnalysisError::EmptyRegister);
    }
    let day = question.as_of.number();
    let rows = portfolio.rows.iter().enumerate();
    let active: Vec<_> =
        rows.filter(|(_, stored)| stored.is_active(day)).map(|(row, _)| small(row)).collect();
    if active.is_empty() { Err(AnalysisError::NothingActive(question.as_of)) } else { Ok(active) }
}

fn critical_functions(portfolio: &Portfolio, active: &[u32]) -> Vec<bool> {
    let mut critical = vec![false; portfolio.functions.len()];
    for row in active {
        for (function, marked) in portfolio.functions_of(*row as usize) {
            critical[*function as usize] |= marked;
        }
    }
    critical
}

fn used_providers(portfolio: &Portfolio, active: &[u32]) -> Vec<bool> {
    let mut used = vec![false; portfolio.providers.len()];
    for row in active {
        used[portfolio.rows[*row as usize].provider as usize] = true;
        for step in portfolio.chain_of(*row as usize) {
            used[step.supplier.0 as usize] = true;
            used[step.recipient.0 as usize] = true;
        }
    }
    used
}

/// Each cost in the analysis's currency, converted and rounded half to even on its own.
fn costs(
    portfolio: &Portfolio,
    rows: &[u32],
    question: &AnalysisInput<'_>,
) -> Result<Vec<u64>, AnalysisError> {
    let base = question.rates.base();
    let currencies = portfolio.currencies();
    let rates: Vec<Option<ExchangeRate>> =
        currencies.iter().map(|currency| question.rates.get(*currency)).collect();
    let mut missing: BTreeMap<Currency, &str> = BTreeMap::new();
    let mut costs = Vec::with_capacity(rows.len());
    for row in rows.iter().map(|row| *row as usize) {
        let (index, amount) = (portfolio.currency_of(row), portfolio.rows[row].cost);
        let converted = match rates[index] {
            _ if currencies[index] == base => Some(amount),
            // Zero is zero in every currency.
            _ if amount == 0 => Some(0),
            Some(rate) => rate.convert(amount, currencies[index], base),
            None => {
                missing.entry(currencies[index]).or_insert_with(|| portfolio.reference_of(row));
                continue;
            }
        };
        let cost = converted.and_then(|cost| u64::try_from(cost).ok());
        costs.push(cost.ok_or_else(|| AnalysisError::CostTooLarge(portfolio.reference_of(row).to_owned()))?);
    }
    if missing.is_empty() {
        return Ok(costs);
    }
    let missing = missing.into_iter().map(|(currency, reference)| (currency, reference.to_owned())).collect();
    Err(AnalysisError::MissingRates { base, missing })
}
