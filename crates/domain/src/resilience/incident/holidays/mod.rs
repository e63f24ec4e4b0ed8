//! Bank holidays of the Member States, from rules rather than lists of dates.
//!
//! The table documents its sources and its gaps. It is no official calendar: a due time that was moved by it says so,
//! and the unmoved limit is always shown beside it.

mod rule;

use std::{collections::BTreeMap, sync::LazyLock};

use jiff::civil::Weekday;

use crate::{country::Country, moment::Day, wording::Label};

use self::rule::Rule;

const TABLE: &str = include_str!("rules.csv");

static RULES: LazyLock<BTreeMap<&'static str, Vec<Rule>>> = LazyLock::new(|| {
    let mut rules: BTreeMap<&'static str, Vec<Rule>> = BTreeMap::new();
    // Every line is parsed, which a test checks.
    for rule in lines().filter_map(Rule::read) {
        rules.entry(rule.country).or_default().push(rule);
    }
    rules
});

/// The lines of the table below its head.
fn lines() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.starts_with('#')).skip(1)
}

/// Why a day is no working day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOff {
    Weekend,
    Holiday(Label),
}

/// The holidays of a country in a year, weekends included. Empty for a country outside the table.
pub fn holidays(country: Country, year: i32) -> BTreeMap<Day, Label> {
    let Some(rules) = RULES.get(country.as_str()) else { return BTreeMap::new() };
    let mut days = BTreeMap::new();
    let mut on_weekends = BTreeMap::new();
    for rule in rules {
        let Some(day) = rule.day_in(year) else { continue };
        days.entry(day).or_insert(rule.name);
        if rule.substitute && is_weekend(day) {
            on_weekends.insert(day, rule.name);
        }
    }
    for (day, name) in on_weekends {
        let mut substitute = day;
        while is_weekend(substitute) || days.contains_key(&substitute) {
            substitute = substitute.plus_days(1);
        }
        days.insert(substitute, name);
    }
    days
}

/// Whether there are rules for the country: for every Member State of the Union.
pub fn has_calendar(country: Country) -> bool {
    RULES.contains_key(country.as_str())
}

pub fn is_weekend(day: Day) -> bool {
    matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Why that day is no working day; `None` when it is one.
pub fn day_off(country: Country, day: Day) -> Option<DayOff> {
    if is_weekend(day) {
        return Some(DayOff::Weekend);
    }
    holidays(country, day.year()).get(&day).map(|name| DayOff::Holiday(*name))
}

/// The first working day after that day.
#[must_use]
pub fn next_working_day(country: Country, day: Day) -> Day {
    // No country has a month of holidays; the bound prevents an endless search in a broken table.
    const FARTHEST: i64 = 31;
    let days = (1..=FARTHEST).map(|ahead| day.plus_days(ahead));
    days.into_iter().find(|day| day_off(country, *day).is_none()).unwrap_or_else(|| day.plus_days(1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const DATES: &str = include_str!("../../../../fixtures/holidays/dates-2025-2030.csv");

    fn country(code: &str) -> Country {
        code.parse().unwrap()
    }

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    #[test]
    fn every_line_of_the_table_is_read_and_every_member_state_has_a_calendar() {
        for line in lines() {
            assert!(Rule::read(line).is_some(), "{line}");
        }
        assert_eq!(lines().count(), 377);
        for state in Country::all() {
            assert_eq!(has_calendar(state), state.in_union(), "{state}");
        }
    }

    #[test]
    fn the_rules_give_the_known_dates_of_2025_to_2030() {
        let mut expected: BTreeMap<(String, i32), BTreeSet<Day>> = BTreeMap::new();
        for line in DATES.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let (code, date) = line.split_once(',').unwrap();
            expected.entry((code.to_owned(), day(date).year())).or_default().insert(day(date));
        }
        assert_eq!(expected.len(), 27 * 6);
        assert_eq!(expected.values().map(BTreeSet::len).sum::<usize>(), 2183);
        for ((code, year), dates) in expected {
            let found: BTreeSet<Day> = holidays(country(&code), year).into_keys().collect();
            assert_eq!(found, dates, "{code} {year}");
        }
    }

    /// Known dates of Easter, from published tables.
    #[test]
    fn easter_is_where_the_churches_celebrate_it() {
        for (year, western, orthodox) in [
            (1961, "1961-04-02", "1961-04-09"),
            (2000, "2000-04-23", "2000-04-30"),
            (2008, "2008-03-23", "2008-04-27"),
            (2016, "2016-03-27", "2016-05-01"),
            (2017, "2017-04-16", "2017-04-16"),
            (2024, "2024-03-31", "2024-05-05"),
            (2025, "2025-04-20", "2025-04-20"),
            (2026, "2026-04-05", "2026-04-12"),
            (2027, "2027-03-28", "2027-05-02"),
            (2038, "2038-04-25", "2038-04-25"),
        ] {
            assert_eq!(rule::easter(year), Some(day(western)), "{year}");
            assert_eq!(rule::orthodox_easter(year), Some(day(orthodox)), "{year}");
        }
        for year in 1900..2200 {
            assert_eq!(rule::easter(year).unwrap().weekday(), Weekday::Sunday, "{year}");
            assert_eq!(rule::orthodox_easter(year).unwrap().weekday(), Weekday::Sunday, "{year}");
        }
    }

    #[test]
    fn the_next_working_day_lies_behind_weekends_and_holidays() {
        for (code, from, next) in [
            ("DE", "2026-11-13", "2026-11-16"),
            ("DE", "2026-04-02", "2026-04-07"),
            ("AT", "2026-12-23", "2026-12-28"),
            ("FR", "2026-12-24", "2026-12-28"),
            ("GR", "2026-04-09", "2026-04-14"),
            ("BG", "2027-12-23", "2027-12-29"),
            ("SE", "2026-06-18", "2026-06-22"),
        ] {
            assert_eq!(next_working_day(country(code), day(from)), day(next), "{code} {from}");
        }
        assert_eq!(day_off(country("DE"), day("2026-11-14")), Some(DayOff::Weekend));
        assert_eq!(
            day_off(country("AT"), day("2026-12-08")),
            Some(DayOff::Holiday(Label::new("Immaculate Conception", "Mariä Empfängnis")))
        );
        assert_eq!(day_off(country("DE"), day("2026-12-08")), None);
        assert_eq!(day_off(country("CH"), day("2026-08-03")), None, "no table, only weekends");
    }
}
