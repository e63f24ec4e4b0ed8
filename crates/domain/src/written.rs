//! Days, times and numbers as people of each language write them, on pages and in reports. Times are in UTC and say so.

use crate::{
    exact::Hundredths,
    moment::{Day, Moment},
    money::Money,
    wording::Language,
};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

pub fn day(language: Language, day: Day) -> String {
    let date = day.date();
    match language {
        Language::English => {
            let month = MONTHS[usize::from(u8::from(date.month())) - 1];
            format!("{} {month} {}", date.day(), date.year())
        }
        Language::German => format!("{:02}.{:02}.{}", date.day(), u8::from(date.month()), date.year()),
    }
}

pub fn moment(language: Language, at: Moment) -> String {
    let seconds = at.millis().div_euclid(1000).rem_euclid(24 * 60 * 60);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{}, {hours:02}:{minutes:02} UTC", day(language, at.day()))
}

/// A number with a point or a comma before its decimals.
pub fn decimal(language: Language, number: Hundredths) -> String {
    match language {
        Language::English => number.to_string(),
        Language::German => number.to_string().replace('.', ","),
    }
}

pub fn percent(language: Language, number: Hundredths) -> String {
    format!("{} %", decimal(language, number))
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

/// A count with its thousands set apart.
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

/// An amount in major units with its currency behind.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_days_its_own_way() {
        let at: Moment = "2026-03-01T07:05:59Z".parse().unwrap();
        assert_eq!(moment(Language::English, at), "1 Mar 2026, 07:05 UTC");
        assert_eq!(moment(Language::German, at), "01.03.2026, 07:05 UTC");
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
    fn each_language_writes_amounts_its_own_way() {
        let amount = |amount, currency: &str| Money { amount, currency: currency.parse().unwrap() };
        assert_eq!(money(Language::English, amount(123_456_705, "EUR")), "1,234,567.05 EUR");
        assert_eq!(money(Language::German, amount(123_456_705, "EUR")), "1.234.567,05 EUR");
        assert_eq!(money(Language::German, amount(-5_000, "JPY")), "-5.000 JPY");
    }
}
