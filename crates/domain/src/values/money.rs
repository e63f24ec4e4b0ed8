//! Money in minor units, and exchange rates that are exact decimals.

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::{
    currency::Currency,
    rounding::divide_half_even,
    violation::Violations,
    wording::{Language, sentences},
};

/// The largest amount: the largest integer that every JSON parser reads exactly.
pub const MAX_AMOUNT: i64 = (1 << 53) - 1;

/// An amount in minor units of its currency: 1250 EUR are `125000` cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    pub amount: i64,
    pub currency: Currency,
}

sentences! {
    /// Why a text is no amount.
    #[derive(Copy)]
    NotAnAmount {
        Form =
            "must be an amount like 1250 or 1250.50, without separators for thousands",
            "muss ein Betrag wie 1250 oder 1.250,50 sein";
        Decimals(most: u32) =
            "must have at most {most} decimals, as its currency has",
            "darf höchstens {most} Nachkommastellen haben, so viele wie die Währung";
        /// A point or comma before three digits can separate thousands or decimals.
        Ambiguous =
            "can be read in two ways: leave out separators for thousands and write decimals after a point, like 1250.50",
            "lässt sich auf zwei Arten lesen: bitte mit beiden Zeichen schreiben, etwa 1.250,00, oder ganz ohne, etwa 1250";
        TooLarge =
            "must be at most {MAX_AMOUNT} minor units",
            "darf höchstens {MAX_AMOUNT} der kleinsten Währungseinheit betragen";
    }
}

impl Money {
    /// Parses an amount in the notation of that language: German has a comma before the decimals and may separate
    /// thousands with points. A single point before three digits could be either, and is refused.
    pub fn parse_written(text: &str, currency: Currency, language: Language) -> Result<Self, NotAnAmount> {
        match language {
            Language::English => Self::parse_major(text, currency),
            Language::German => Self::parse_major(&without_german_signs(text)?, currency),
        }
    }

    /// Parses an amount of a table that may come from a spreadsheet in either language.
    pub fn parse_cell(text: &str, currency: Currency) -> Result<Self, NotAnAmount> {
        let is_german = text.contains(',') || text.matches('.').count() > 1;
        let language = if is_german { Language::German } else { Language::English };
        Self::parse_written(text, currency, language)
    }

    /// Parses an amount in major units. A leading minus is kept, so that the rule about negative amounts can quote
    /// it.
    pub fn parse_major(text: &str, currency: Currency) -> Result<Self, NotAnAmount> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) {
            return Err(NotAnAmount::Form);
        }
        let decimals = currency.decimals() as usize;
        // Files contain 1000.00 even for a currency without decimals. Three zeros are more likely a thousands
        // separator: 125.000 must not become 125.
        if fraction.len() > decimals.max(2) {
            return Err(NotAnAmount::Decimals(currency.decimals()));
        }
        let fraction = fraction.trim_end_matches('0');
        let missing =
            decimals.checked_sub(fraction.len()).ok_or(NotAnAmount::Decimals(currency.decimals()))?;
        let minor = format!("{whole}{fraction}{:0<missing$}", "");
        match minor.parse::<i64>() {
            Ok(amount) if amount <= MAX_AMOUNT => Ok(Self { amount: sign * amount, currency }),
            _ => Err(NotAnAmount::TooLarge),
        }
    }
}

/// The amount with a point before its decimals and no thousands separators.
fn without_german_signs(text: &str) -> Result<String, NotAnAmount> {
    let (whole, fraction) = text.split_once(',').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let groups: Vec<&str> = whole.split('.').collect();
    let is_grouped = groups[1..].iter().all(|group| group.len() == 3)
        && (1..=3).contains(&groups[0].trim_start_matches('-').len());
    match (groups.len(), fraction) {
        (2, None) if groups[1].len() == 3 => Err(NotAnAmount::Ambiguous),
        (1 | 2, None) => Ok(whole.to_owned()),
        (1, Some(fraction)) => Ok(format!("{whole}.{fraction}")),
        (_, None) if is_grouped => Ok(groups.concat()),
        (_, Some(fraction)) if is_grouped => Ok(format!("{}.{fraction}", groups.concat())),
        _ => Err(NotAnAmount::Form),
    }
}

impl fmt::Display for Money {
    /// In major units followed by the currency, like `1250.50 EUR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u64.pow(self.currency.decimals());
        let (whole, rest) = (self.amount.unsigned_abs() / unit, self.amount.unsigned_abs() % unit);
        let sign = if self.amount < 0 { "-" } else { "" };
        match self.currency.decimals() as usize {
            0 => write!(f, "{sign}{whole} {}", self.currency),
            decimals => write!(f, "{sign}{whole}.{rest:0decimals$} {}", self.currency),
        }
    }
}

/// How many decimals a rate may have.
const RATE_DECIMALS: u32 = 10;
const RATE_WHOLE_DIGITS: usize = 9;

/// The value of one unit of a currency in another, as a whole number of ten-billionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExchangeRate(u64);

sentences! {
    /// Why a text is no exchange rate.
    #[derive(Copy)]
    NotARate {
        Form =
            "must be a decimal number in quotes like \"0.92\", with at most 9 digits before the point and 10 behind it",
            "muss eine Dezimalzahl wie 0,92 sein, mit höchstens 9 Stellen vor und 10 nach dem Komma";
        Zero = "must be above zero", "muss größer als null sein";
        /// The rate from the base currency to itself.
        NotOne { base: Currency } =
            "must be 1: results are in {base}; leave it out",
            "muss 1 sein, denn die Ergebnisse sind in {base}: bitte weglassen";
    }
}

impl ExchangeRate {
    pub const ONE: Self = Self(10_u64.pow(RATE_DECIMALS));

    /// Converts minor units of `from` into minor units of `to`, rounded half to even. `None` when the result
    /// is larger than any amount may be.
    pub fn convert(self, amount: i64, from: Currency, to: Currency) -> Option<i64> {
        let scaled = u128::from(amount.unsigned_abs()).checked_mul(u128::from(self.0))?;
        let numerator = scaled.checked_mul(10_u128.pow(to.decimals()))?;
        let denominator = 10_u128.pow(RATE_DECIMALS + from.decimals());
        let converted = i64::try_from(divide_half_even(numerator, denominator)).ok()?;
        (converted <= MAX_AMOUNT).then_some(converted * amount.signum())
    }
}

impl FromStr for ExchangeRate {
    type Err = NotARate;

    fn from_str(text: &str) -> Result<Self, NotARate> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str, most: usize| {
            (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let width = RATE_DECIMALS as usize;
        if !digits(whole, RATE_WHOLE_DIGITS) || !digits(fraction, width) {
            return Err(NotARate::Form);
        }
        match format!("{whole}{fraction:0<width$}").parse() {
            Ok(0) => Err(NotARate::Zero),
            Ok(rate) => Ok(Self(rate)),
            Err(_) => Err(NotARate::Form),
        }
    }
}

impl fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Self::ONE.0, self.0 % Self::ONE.0);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let fraction = format!("{rest:0width$}", width = RATE_DECIMALS as usize);
        write!(f, "{whole}.{}", fraction.trim_end_matches('0'))
    }
}

/// The rates of one analysis: everything is converted into `base`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates {
    base: Currency,
    rates: BTreeMap<Currency, ExchangeRate>,
}

impl Rates {
    /// No rates: only costs in `base` can be added up.
    #[must_use]
    pub fn none(base: Currency) -> Self {
        Self { base, rates: BTreeMap::new() }
    }

    /// Parses the rates of a request, each from its currency to `base`.
    pub fn parse<'a>(
        base: Currency,
        rates: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let mut parsed = Self::none(base);
        for (code, rate) in rates {
            let field = format!("rates.{code}");
            let currency = violations.keep(&field, code.parse::<Currency>());
            let rate = violations.keep(&field, rate.parse::<ExchangeRate>());
            let (Some(currency), Some(rate)) = (currency, rate) else { continue };
            if currency == base && rate != ExchangeRate::ONE {
                violations.add(&field, NotARate::NotOne { base });
            }
            parsed.rates.insert(currency, rate);
        }
        violations.or(Some(parsed))
    }

    pub fn base(&self) -> Currency {
        self.base
    }

    pub fn get(&self, currency: Currency) -> Option<ExchangeRate> {
        if currency == self.base { Some(ExchangeRate::ONE) } else { self.rates.get(&currency).copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        code.parse().unwrap()
    }

    #[test]
    fn amounts_are_read_and_printed_in_major_units() {
        for (text, code, amount) in
            [("1250.5", "EUR", 125_050), ("-3", "EUR", -300), ("1000.00", "JPY", 1000), ("0.001", "KWD", 1)]
        {
            assert_eq!(
                Money::parse_major(text, currency(code)).map(|money| money.amount),
                Ok(amount),
                "{text}"
            );
        }
        assert_eq!(Money { amount: -5, currency: Currency::EUR }.to_string(), "-0.05 EUR");
        assert_eq!(Money { amount: 7, currency: currency("JPY") }.to_string(), "7 JPY");
        for bad in ["", ".", "1.", ".5", "1,000", "1e3", "+1", "1 000", "--1", "1.2.3"] {
            assert_eq!(Money::parse_major(bad, Currency::EUR), Err(NotAnAmount::Form), "{bad}");
        }
        for bad in ["0.005", "125.000", "1.500"] {
            assert_eq!(Money::parse_major(bad, Currency::EUR), Err(NotAnAmount::Decimals(2)), "{bad}");
        }
        assert_eq!(Money::parse_major("7.50", currency("JPY")), Err(NotAnAmount::Decimals(0)));
        assert_eq!(Money::parse_major("90071992547409.92", Currency::EUR), Err(NotAnAmount::TooLarge));
        assert_eq!(Money::parse_major(&"9".repeat(60), Currency::EUR), Err(NotAnAmount::TooLarge));
    }

    #[test]
    fn german_amounts_are_read_and_ambiguous_ones_refused() {
        let read =
            |text| Money::parse_written(text, Currency::EUR, Language::German).map(|money| money.amount);
        for (text, amount) in [
            ("1.250,50", 125_050),
            ("1250,50", 125_050),
            ("1250,5", 125_050),
            ("1250", 125_000),
            ("1250.50", 125_050),
            ("1.250.000", 125_000_000),
            ("1.250,00", 125_000),
            ("-1.250,50", -125_050),
            ("0,05", 5),
        ] {
            assert_eq!(read(text), Ok(amount), "{text}");
        }
        assert_eq!(read("1.250"), Err(NotAnAmount::Ambiguous));
        assert_eq!(read("1,250"), Err(NotAnAmount::Decimals(2)));
        for bad in ["1.25,50", "12.50.000", "1,250,50", "1250,", ",50", ".250,00", "1250.000,00", "a,b"] {
            assert_eq!(read(bad), Err(NotAnAmount::Form), "{bad}");
        }
        let cell = |text| Money::parse_cell(text, Currency::EUR).map(|money| money.amount);
        assert_eq!(cell("125000.00"), Ok(12_500_000));
        assert_eq!(cell("125.000,00"), Ok(12_500_000));
        assert_eq!(cell("125.000"), Err(NotAnAmount::Decimals(2)));
        assert_eq!(
            Money::parse_written("1.250,50", Currency::EUR, Language::English),
            Err(NotAnAmount::Form)
        );
    }

    #[test]
    fn rates_are_exact_decimals() {
        for (text, printed) in
            [("0.92", "0.92"), ("1", "1"), ("007.50", "7.5"), ("0.0000000001", "0.0000000001")]
        {
            assert_eq!(text.parse::<ExchangeRate>().unwrap().to_string(), printed);
        }
        assert_eq!("0.00".parse::<ExchangeRate>(), Err(NotARate::Zero));
        for bad in ["", "-1", "+1", "1e2", "0,92", ".5", "1.", "1.00000000001", "1000000000", "٣"] {
            assert_eq!(bad.parse::<ExchangeRate>(), Err(NotARate::Form), "{bad}");
        }
    }

    #[test]
    fn conversion_rounds_half_to_even_and_knows_minor_units() {
        let rate = |text: &str| text.parse::<ExchangeRate>().unwrap();
        let (usd, eur, jpy, kwd) = (currency("USD"), Currency::EUR, currency("JPY"), currency("KWD"));
        assert_eq!(rate("0.92").convert(10_000, usd, eur), Some(9_200));
        assert_eq!([1, 3, 5].map(|cents| rate("0.5").convert(cents, usd, eur)), [Some(0), Some(2), Some(2)]);
        assert_eq!(rate("0.0062").convert(1_000, jpy, eur), Some(620));
        assert_eq!(rate("3.01").convert(1_000, kwd, eur), Some(301));
        assert_eq!(rate("0.5").convert(-3, usd, eur), Some(-2));
        assert_eq!(rate("999999999").convert(MAX_AMOUNT, usd, eur), None);
    }

    #[test]
    fn a_wrong_rate_names_its_currency() {
        let wrong = Rates::parse(Currency::EUR, [("USD", "x"), ("EUR", "2"), ("DOLLAR", "1")]).unwrap_err();
        assert_eq!(wrong.fields().keys().collect::<Vec<_>>(), ["rates.DOLLAR", "rates.EUR", "rates.USD"]);
        let good = Rates::parse(Currency::EUR, [("USD", "0.92")]).unwrap();
        assert_eq!(good.get(Currency::EUR), Some(ExchangeRate::ONE));
        assert_eq!(good.get(currency("GBP")), None);
    }
}
