//! Arrangements as plain texts, for the tests and for the reference implementation.

use crate::{
    arrangement::{AnnualCost, ArrangementId, Place, Substitutability},
    concentration::{AnalysisInput, Basis, Portfolio, Row, RowError, Scope, Step},
    currency::Currency,
    identifier::Uuid7,
    moment::Day,
    money::{Money, Rates},
    threshold::Thresholds,
};

#[derive(Debug, Clone)]
pub(super) struct Plain {
    pub(super) number: u64,
    /// A name, and the 18 characters a LEI begins with.
    pub(super) provider: (String, Option<String>),
    pub(super) sector: String,
    pub(super) region: String,
    pub(super) technology: String,
    pub(super) functions: Vec<(String, bool)>,
    pub(super) substitutability: Substitutability,
    pub(super) exit_plan: Option<bool>,
    pub(super) cost: i64,
    pub(super) currency: Currency,
    pub(super) starts_on: Day,
    pub(super) ends_on: Option<Day>,
    pub(super) places: Vec<(Place, String)>,
    /// Names, each delivering to the one before it; the first to the provider.
    pub(super) chain: Vec<String>,
}

pub(super) fn day(text: &str) -> Day {
    text.parse().unwrap()
}

pub(super) fn id(number: u64) -> ArrangementId {
    ArrangementId::from(Uuid7::from_parts(number, 0))
}

/// An arrangement of 100 euros in euro that supports nothing critical.
pub(super) fn plain(number: u64, provider: &str, cost: i64) -> Plain {
    Plain {
        number,
        provider: (provider.into(), None),
        sector: "Cloud".into(),
        region: "Frankfurt".into(),
        technology: "Virtual machines".into(),
        functions: Vec::new(),
        substitutability: Substitutability::Easy,
        exit_plan: None,
        cost,
        currency: Currency::EUR,
        starts_on: day("2020-01-01"),
        ends_on: None,
        places: Vec::new(),
        chain: Vec::new(),
    }
}

impl Plain {
    pub(super) fn supports(mut self, functions: &[(&str, bool)]) -> Self {
        self.functions = functions.iter().map(|(name, critical)| ((*name).into(), *critical)).collect();
        self
    }

    pub(super) fn through(mut self, chain: &[&str]) -> Self {
        self.chain = chain.iter().map(|name| (*name).into()).collect();
        self
    }

    pub(super) fn push_to(&self, portfolio: &mut Portfolio) -> Result<(), RowError> {
        self.as_row(portfolio, Portfolio::push)
    }

    /// Passes the row to `take`, after interning its names.
    pub(super) fn as_row<T>(
        &self,
        portfolio: &mut Portfolio,
        take: impl FnOnce(&mut Portfolio, &Row<'_>) -> T,
    ) -> T {
        let (name, prefix) = &self.provider;
        let lei = prefix.as_ref().map(|prefix| crate::lei::Lei::from_prefix(prefix).unwrap());
        let provider = portfolio.provider(name, lei);
        let functions: Vec<_> =
            self.functions.iter().map(|(name, critical)| (portfolio.function(name), *critical)).collect();
        let mut recipient = provider;
        let mut chain = Vec::new();
        for name in &self.chain {
            let supplier = portfolio.provider(name, None);
            chain.push(Step { supplier, recipient });
            recipient = supplier;
        }
        let places: Vec<_> =
            self.places.iter().map(|(place, code)| (*place, code.parse().unwrap())).collect();
        let row = Row {
            id: id(self.number),
            reference: &format!("C-{}", self.number),
            provider,
            sector: &self.sector,
            region: &self.region,
            technology: &self.technology,
            functions: &functions,
            substitutability: self.substitutability,
            exit_plan: self.exit_plan,
            annual_cost: AnnualCost::Own(Money { amount: self.cost, currency: self.currency }),
            starts_on: self.starts_on,
            ends_on: self.ends_on,
            places: &places,
            chain: &chain,
        };
        take(portfolio, &row)
    }
}

pub(super) fn portfolio(rows: &[Plain]) -> Portfolio {
    let mut portfolio = Portfolio::new();
    for row in rows {
        row.push_to(&mut portfolio).unwrap();
    }
    portfolio
}

/// By annual cost over everything, on a day in 2026, against the default thresholds.
pub(super) fn question(rates: &Rates) -> AnalysisInput<'_> {
    AnalysisInput {
        basis: Basis::AnnualCost,
        scope: Scope::All,
        as_of: day("2026-11-14"),
        thresholds: Thresholds::default(),
        rates,
        designated: &[],
    }
}
