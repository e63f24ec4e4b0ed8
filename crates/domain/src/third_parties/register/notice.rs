//! Notices of an import about accepted values that the supervisor would report.

use std::collections::BTreeMap;

use crate::{arrangement::Arrangement, currency::Currency, money::Money, wording::Language};

use super::{
    index::records,
    records::{Placed, Register},
    release::Release,
    template::{Numbering, Template},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Empty where the regulation requires a value; `rule` is the supervisor's check that reports it.
    Unfilled { template: Template, column: u16, rule: &'static str, rows: u64, first: Option<u32> },
    /// The official list lacks this currency.
    UnlistedCurrency { currency: Currency, amounts: u64 },
}

/// Whether the official list contains the currency.
pub(super) fn is_listed(currency: Currency) -> bool {
    let listed = Release::current().list("currencies");
    listed.is_some_and(|list| list.has(&format!("eba_CU:{}", currency.as_str())))
}

impl Notice {
    /// The notices about a parsed register.
    pub fn of_register(register: &Register) -> Vec<Self> {
        let unnamed = || register.providers.iter().filter(|placed| placed.record.latin_name.is_none());
        let latin_name = unnamed().next().map(|first: &Placed<_>| Self::Unfilled {
            template: Template::Providers,
            column: 60,
            rule: "v8852_m",
            rows: unnamed().count() as u64,
            first: first.row,
        });
        let costs = records(&register.contracts).map(|contract| contract.annual_cost);
        let assets = records(&register.entities).filter_map(|entity| entity.total_assets);
        let totals = records(&register.providers).filter_map(|provider| provider.annual_cost);
        latin_name.into_iter().chain(unlisted(costs.chain(assets).chain(totals))).collect()
    }

    /// The notices about arrangements of the simple table.
    pub fn of_arrangements(imported: &[Placed<Arrangement>]) -> Vec<Self> {
        unlisted(records(imported).map(|entry| entry.contract.annual_cost.money())).collect()
    }

    /// The template it is about; `None` for the whole file.
    pub fn template(&self) -> Option<Template> {
        match self {
            Self::Unfilled { template, .. } => Some(*template),
            Self::UnlistedCurrency { .. } => None,
        }
    }

    /// How many rows, or amounts, it is about.
    pub fn rows(&self) -> u64 {
        match self {
            Self::Unfilled { rows, .. } => *rows,
            Self::UnlistedCurrency { amounts, .. } => *amounts,
        }
    }

    /// The notice as a sentence.
    pub fn text(&self, language: Language) -> String {
        match (self, language) {
            (Self::Unfilled { template, column, rule, rows, first }, Language::English) => format!(
                "{} is empty in {rows} {}{}: the supervisor notes this as {rule}",
                cell(*template, *column),
                if *rows == 1 { "row" } else { "rows" },
                first.map(|line| format!(", first in line {line}")).unwrap_or_default(),
            ),
            (Self::Unfilled { template, column, rule, rows, first }, Language::German) => format!(
                "{} ist in {rows} {} leer{}: Die Aufsicht vermerkt das als {rule}",
                cell(*template, *column),
                if *rows == 1 { "Zeile" } else { "Zeilen" },
                first.map(|line| format!(", zuerst in Zeile {line}")).unwrap_or_default(),
            ),
            (Self::UnlistedCurrency { currency, .. }, Language::English) => format!(
                "{currency} is not in the official list of currencies: in the official register it is reported as {}",
                Currency::OTHER,
            ),
            (Self::UnlistedCurrency { currency, .. }, Language::German) => format!(
                "{currency} fehlt in der amtlichen Währungsliste: Im amtlichen Register wird sie als {} gemeldet",
                Currency::OTHER,
            ),
        }
    }
}

fn cell(template: Template, column: u16) -> String {
    format!("{template} {}", template.heading(column, Numbering::DataPointModel))
}

fn unlisted(amounts: impl Iterator<Item = Money>) -> impl Iterator<Item = Notice> {
    let mut found: BTreeMap<Currency, u64> = BTreeMap::new();
    for money in amounts.filter(|money| !is_listed(money.currency)) {
        *found.entry(money.currency).or_default() += 1;
    }
    found.into_iter().map(|(currency, amounts)| Notice::UnlistedCurrency { currency, amounts })
}
