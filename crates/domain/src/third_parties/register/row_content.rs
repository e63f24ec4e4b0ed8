//! What a row of a template is written from, and how values are written in its cells.

use super::{
    codes::{CodeKind, Replaceability, YesNo},
    release::{Conventions, Release},
};
use crate::{
    arrangement::{Arrangement, Place, Substitutability, SupportedFunction},
    country::Country,
    currency::Currency,
    moment::Day,
    money::Money,
};

/// The code that identifies a company, and its type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct CompanyCode {
    pub(super) code: String,
    pub(super) kind: &'static str,
}

impl CompanyCode {
    pub(super) fn new(code: &(impl ToString + ?Sized), kind: CodeKind) -> Self {
        Self { code: code.to_string(), kind: kind.code() }
    }
}

/// A company as `B_05.01` lists it.
#[derive(Debug, Clone, Default)]
pub(super) struct Company<'a> {
    pub(super) name: &'a str,
    pub(super) code: CompanyCode,
    pub(super) country: Option<Country>,
    /// What all its arrangements cost in a year.
    pub(super) annual_cost: Option<Money>,
    pub(super) parent: CompanyCode,
}

/// A link of a supply chain: rank 1 is the direct provider.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Link {
    pub(super) supplier: CompanyCode,
    pub(super) rank: u16,
    pub(super) recipient: CompanyCode,
}

/// What the rows of an arrangement are written from: the arrangement, and what a single row is about.
#[derive(Debug, Clone)]
pub(super) struct RowContent<'a> {
    pub(super) entry: &'a Arrangement,
    /// The LEI of the entity that maintains the register.
    pub(super) entity: &'a str,
    pub(super) provider: CompanyCode,
    /// The cost of the contract, which may be more than that of the arrangement.
    pub(super) contract_cost: Money,
    /// The company that a row of `B_05.01` is about.
    pub(super) company: Company<'a>,
    pub(super) link: Link,
    pub(super) function: Option<&'a SupportedFunction>,
    /// The identifier of the function of a line.
    pub(super) function_id: String,
    /// Which of the countries of storage and processing a line names.
    pub(super) place: usize,
}

impl<'a> RowContent<'a> {
    pub(super) fn of(entry: &'a Arrangement) -> Self {
        let provider = &entry.contract.provider;
        Self {
            entry,
            entity: "",
            provider: CompanyCode::default(),
            contract_cost: entry.contract.annual_cost.money(),
            company: Company {
                name: provider.name.as_str(),
                country: Some(provider.country),
                ..Company::default()
            },
            link: Link::default(),
            function: None,
            function_id: String::new(),
            place: 0,
        }
    }

    /// The country of this number for a kind of place. Where there are fewer, it is the last.
    pub(super) fn country_of(&self, place: Place, number: usize) -> Box<str> {
        let mut countries = countries(self.entry, place);
        let last = countries.clone().last();
        match countries.nth(number).or(last) {
            Some(country) => country_text(country),
            None => conventions().no_country.as_str().into(),
        }
    }

    /// How many lines a function needs to name all countries of storage and processing.
    pub(super) fn places(&self) -> usize {
        let count = |place| countries(self.entry, place).count();
        count(Place::Storage).max(count(Place::Processing)).max(1)
    }

    pub(super) fn has(&self, place: Place) -> bool {
        countries(self.entry, place).next().is_some()
    }
}

fn countries(entry: &Arrangement, place: Place) -> impl Iterator<Item = Country> + Clone {
    entry.facts.places.iter().filter(move |(at, _)| *at == place).map(|(_, country)| *country)
}

pub(super) fn conventions() -> &'static Conventions {
    &Release::current().package.conventions
}

pub(super) fn country_text(country: Country) -> Box<str> {
    format!("eba_GA:{country}").into()
}

pub(super) fn currency_text(currency: Currency) -> Box<str> {
    format!("eba_CU:{currency}").into()
}

/// An amount as the official form writes it: units with a full stop, without decimals where there are none.
pub(super) fn amount_text(money: Money) -> Box<str> {
    let units = 10_i64.pow(money.currency.decimals());
    let (whole, rest) = (money.amount / units, money.amount % units);
    let width = money.currency.decimals() as usize;
    if rest == 0 { whole.to_string().into() } else { format!("{whole}.{rest:0width$}").into() }
}

/// A last day; a contract without one ends on the last day of the calendar.
pub(super) fn end_text(day: Option<Day>) -> Box<str> {
    day.map_or_else(|| conventions().open_end.as_str().into(), |day| day.to_string().into())
}

pub(super) fn end_in(text: &str) -> Option<Day> {
    Some(text).filter(|text| *text != conventions().open_end).and_then(|text| text.parse().ok())
}

pub(super) fn yes_no(yes: bool) -> &'static str {
    if yes { YesNo::Yes.code() } else { YesNo::No.code() }
}

pub(super) fn replaceability(substitutability: Substitutability) -> &'static str {
    match substitutability {
        Substitutability::Easy => Replaceability::Easy.code(),
        Substitutability::Medium => Replaceability::MediumComplexity.code(),
        Substitutability::Hard => Replaceability::HighlyComplex.code(),
        Substitutability::Impossible => Replaceability::Not.code(),
    }
}
