//! Formats days, times and numbers in each language, on pages and in reports. Times name their zone.

use std::fmt;

use crate::{
    moment::{Day, Moment},
    money::Money,
    rounding::Hundredths,
    time_zone::{LocalTime, TimeZone},
    wording::{Label, Language, Reader, Shown},
};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const LONG_MONTHS: [Label; 12] = [
    Label::new("January", "Januar"),
    Label::new("February", "Februar"),
    Label::new("March", "März"),
    Label::new("April", "April"),
    Label::new("May", "Mai"),
    Label::new("June", "Juni"),
    Label::new("July", "Juli"),
    Label::new("August", "August"),
    Label::new("September", "September"),
    Label::new("October", "Oktober"),
    Label::new("November", "November"),
    Label::new("December", "Dezember"),
];

pub fn day(language: Language, day: Day) -> String {
    let date = day.date();
    match language {
        Language::English => {
            let month = MONTHS[usize::from(day.month()) - 1];
            format!("{} {month} {}", date.day(), date.year())
        }
        Language::German => format!("{:02}.{:02}.{}", date.day(), day.month(), date.year()),
    }
}

pub fn moment(language: Language, zone: &TimeZone, at: Moment) -> String {
    let (local, clock) = clock(language, zone, at);
    format!("{}, {clock}", day(language, local))
}

/// The local day, and the time of day with its zone.
fn clock(language: Language, zone: &TimeZone, at: Moment) -> (Day, String) {
    let LocalTime { day, hour, minute, zone } = zone.local(at);
    (day, format!("{hour:02}:{minute:02} {}", zone_name(language, &zone)))
}

/// The short name of a zone. German has its own for the zones of Europe.
pub fn zone_name(language: Language, short: &str) -> &str {
    match (language, short) {
        (Language::German, "CET") => "MEZ",
        (Language::German, "CEST") => "MESZ",
        (Language::German, "EET") => "OEZ",
        (Language::German, "EEST") => "OESZ",
        (Language::German, "WET") => "WEZ",
        (Language::German, "WEST") => "WESZ",
        _ => short,
    }
}

/// A day with its month in full, for messages.
pub fn long_day(language: Language, day: Day) -> String {
    let date = day.date();
    let month = LONG_MONTHS[usize::from(day.month()) - 1].text(language);
    match language {
        Language::English => format!("{} {month} {}", date.day(), date.year()),
        Language::German => format!("{}. {month} {}", date.day(), date.year()),
    }
}

pub fn long_moment(language: Language, zone: &TimeZone, at: Moment) -> String {
    let (local, clock) = clock(language, zone, at);
    format!("{}, {clock}", long_day(language, local))
}

/// A duration, to the hour from one day on and to the minute below.
pub fn span(language: Language, minutes: u64) -> String {
    let (days, hours, rest) = (minutes / (24 * 60), minutes / 60 % 24, minutes % 60);
    let unit = |count: u64, one: Label, many: Label| {
        (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }.text(language)))
    };
    let days_text = unit(days, Label::new("day", "Tag"), Label::new("days", "Tage"));
    let hours_text = unit(hours, Label::new("hr", "Std."), Label::new("hrs", "Std."));
    let parts = match days_text {
        Some(days) => vec![Some(days), hours_text],
        None => vec![hours_text, unit(rest, Label::new("min", "Min."), Label::new("min", "Min."))],
    };
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let nothing = || format!("0 {}", Label::new("min", "Min.").text(language));
    if parts.is_empty() { nothing() } else { parts.join(" ") }
}

/// A score with its one decimal.
pub fn score(language: Language, score: impl fmt::Display) -> String {
    with_point(language, &score.to_string())
}

/// A plain number with the decimal separator of the language.
fn with_point(language: Language, number: &str) -> String {
    match language {
        Language::English => number.to_owned(),
        Language::German => number.replace('.', ","),
    }
}

/// A number with a point or a comma before its decimals.
pub fn decimal(language: Language, number: Hundredths) -> String {
    with_point(language, &number.to_string())
}

pub fn percent(language: Language, number: Hundredths) -> String {
    format!("{} %", decimal(language, number))
}

/// Always with two decimals, where percentages stand below each other.
pub fn exact_percent(language: Language, number: Hundredths) -> String {
    let text = number.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let zeros = match decimals {
        0 => ".00",
        1 => "0",
        _ => "",
    };
    format!("{} %", with_point(language, &format!("{text}{zeros}")))
}

/// A difference of percentages.
pub fn points(language: Language, number: Hundredths) -> String {
    let unit = match language {
        Language::English => "pp",
        Language::German => "PP",
    };
    format!("{} {unit}", decimal(language, number))
}

/// A difference of percentages that may go either way.
pub fn signed_points(language: Language, number: Hundredths) -> String {
    let sign = if number.get() > 0 { "+" } else { "" };
    format!("{sign}{}", points(language, number))
}

/// A count with thousands separators.
pub fn count(language: Language, number: u64) -> String {
    let separator = match language {
        Language::English => ',',
        Language::German => '.',
    };
    let digits = number.to_string();
    let mut written = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            written.push(separator);
        }
        written.push(digit);
    }
    written
}

/// An amount in major units followed by its currency.
pub fn money(language: Language, money: Money) -> String {
    let plain = money.to_string();
    let (amount, currency) = plain.split_once(' ').unwrap_or((&plain, ""));
    let (whole, fraction) =
        amount.split_once('.').map_or((amount, None), |(whole, rest)| (whole, Some(rest)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |rest| ("-", rest));
    let whole = count(language, digits.parse().unwrap_or_default());
    let point = match language {
        Language::English => '.',
        Language::German => ',',
    };
    let fraction = fraction.map(|digits| format!("{point}{digits}")).unwrap_or_default();
    format!("{sign}{whole}{fraction} {currency}")
}

impl Shown for Day {
    fn shown(&self, reader: Reader) -> String {
        match reader {
            Reader::Program => self.to_string(),
            Reader::Person(language) => day(language, *self),
        }
    }
}

/// The reader's time zone is unknown here, so people get UTC as well, and the sentence says so.
impl Shown for Moment {
    fn shown(&self, reader: Reader) -> String {
        match reader {
            Reader::Program => self.to_string(),
            Reader::Person(language) => moment(language, &TimeZone::utc(), *self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cve::CvssScore;

    #[test]
    fn each_language_writes_days_its_own_way() {
        let at: Moment = "2026-03-01T07:05:59Z".parse().unwrap();
        let berlin = TimeZone::default();
        assert_eq!(moment(Language::English, &TimeZone::utc(), at), "1 Mar 2026, 07:05 UTC");
        assert_eq!(moment(Language::English, &berlin, at), "1 Mar 2026, 08:05 CET");
        assert_eq!(moment(Language::German, &berlin, at), "01.03.2026, 08:05 MEZ");
    }

    #[test]
    fn each_language_writes_numbers_its_own_way() {
        assert_eq!(percent(Language::English, Hundredths::new(2512)), "25.12 %");
        assert_eq!(percent(Language::German, Hundredths::new(2512)), "25,12 %");
        assert_eq!(percent(Language::German, Hundredths::new(2500)), "25 %");
        assert_eq!(
            [0, 999, 1_000, 12_345_678].map(|number| count(Language::English, number)),
            ["0", "999", "1,000", "12,345,678"]
        );
    }

    #[test]
    fn spans_and_scores_read_naturally() {
        let minutes = |days: u64, hours: u64, minutes: u64| (days * 24 + hours) * 60 + minutes;
        assert_eq!(span(Language::German, minutes(12, 17, 5)), "12 Tage 17 Std.");
        assert_eq!(span(Language::German, minutes(1, 0, 5)), "1 Tag");
        assert_eq!(span(Language::English, minutes(0, 3, 5)), "3 hrs 5 min");
        assert_eq!(span(Language::English, minutes(2, 1, 0)), "2 days 1 hr");
        assert_eq!(span(Language::German, 0), "0 Min.");
        assert_eq!(score(Language::German, CvssScore::from_tenths(91).unwrap()), "9,1");
    }

    #[test]
    fn each_language_writes_amounts_its_own_way() {
        let amount = |amount, currency: &str| Money { amount, currency: currency.parse().unwrap() };
        assert_eq!(money(Language::English, amount(123_456_705, "EUR")), "1,234,567.05 EUR");
        assert_eq!(money(Language::German, amount(123_456_705, "EUR")), "1.234.567,05 EUR");
        assert_eq!(money(Language::German, amount(-5_000, "JPY")), "-5.000 JPY");
    }
}
