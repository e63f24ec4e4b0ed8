//! Where services are provided and data is stored: inside the EEA, in a third country, or unknown.

use std::collections::BTreeMap;

use crate::{arrangement::Place, country::Country};

use super::{buckets::Seen, names::small, selection::Selection, share::Share};

/// One country at one kind of place. An arrangement in several countries counts in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountryShare {
    pub country: Country,
    pub share: Share,
    pub arrangements: u32,
    pub critical_functions: u32,
}

/// The three shares add up to exactly 100 %. An arrangement with any third country counts as third country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceShares {
    pub place: Place,
    pub eea: Share,
    pub third_country: Share,
    pub unknown: Share,
    /// Share of distinct critical functions with an arrangement in a third country.
    pub third_country_critical: Share,
    /// Largest value first, then by code.
    pub countries: Vec<CountryShare>,
}

#[derive(Default)]
struct Tally {
    value: u64,
    rows: Vec<u32>,
}

pub(super) fn place_shares(selection: &Selection<'_>) -> Vec<PlaceShares> {
    let mut seen = Seen::new(selection.portfolio.functions.len());
    Place::ALL.iter().copied().map(|place| shares_of(place, selection, &mut seen)).collect()
}

fn shares_of(place: Place, selection: &Selection<'_>, seen: &mut Seen) -> PlaceShares {
    let (mut eea, mut third, mut unknown) = (0, Tally::default(), 0);
    let mut countries: BTreeMap<Country, Tally> = BTreeMap::new();
    for (row, weight) in &selection.rows {
        let links = selection.portfolio.places_of(*row as usize).iter();
        let here = links.filter(|(of, _)| *of == place).map(|(_, country)| *country);
        let (mut any, mut outside) = (false, false);
        for country in here {
            any = true;
            outside |= country.is_third_country();
            let tally = countries.entry(country).or_default();
            // The same country named twice in one arrangement counts once.
            if tally.rows.last() != Some(row) {
                tally.value += weight;
                tally.rows.push(*row);
            }
        }
        match (any, outside) {
            (_, true) => {
                third.value += weight;
                third.rows.push(*row);
            }
            (true, false) => eea += weight,
            (false, false) => unknown += weight,
        }
    }
    let mut countries: Vec<_> = countries
        .into_iter()
        .map(|(country, tally)| CountryShare {
            country,
            share: selection.share(tally.value),
            arrangements: small(tally.rows.len()),
            critical_functions: distinct_critical(selection, &tally.rows, seen),
        })
        .collect();
    // The map is ordered by code, and a stable sort keeps that order among equals.
    countries.sort_by_key(|country| std::cmp::Reverse(country.share.part));
    PlaceShares {
        place,
        eea: selection.share(eea),
        third_country: selection.share(third.value),
        unknown: selection.share(unknown),
        third_country_critical: selection
            .critical_share(distinct_critical(selection, &third.rows, seen).into()),
        countries,
    }
}

/// How many different critical functions the rows support.
pub(super) fn distinct_critical(selection: &Selection<'_>, rows: &[u32], seen: &mut Seen) -> u32 {
    seen.next_round();
    let functions = rows.iter().flat_map(|row| selection.critical_functions(*row));
    small(functions.filter(|function| seen.is_new(*function)).count())
}
