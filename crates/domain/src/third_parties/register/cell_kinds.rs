//! The kinds of cells: how the text of each is parsed, which rule an invalid one breaks, and the remedy.

use crate::{country::Country, currency::Currency, violation::Complaint, wording::sentence};

use super::{
    codes::{CodeKind, NotInList},
    problem::Rule,
    sentences::RegisterRemedy,
};

/// The rule that an invalid cell of a kind breaks, and the remedy.
pub(super) struct Kind {
    pub(super) rule: Rule,
    pub(super) remedy: RegisterRemedy,
}

pub(super) const TEXT: Kind = Kind { rule: Rule::Text, remedy: RegisterRemedy::CleanText };
pub(super) const LEI: Kind = Kind { rule: Rule::Lei, remedy: RegisterRemedy::LookUpLei };
pub(super) const COUNTRY: Kind = Kind { rule: Rule::Country, remedy: RegisterRemedy::WriteCountry };
pub(super) const CURRENCY: Kind = Kind { rule: Rule::Currency, remedy: RegisterRemedy::WriteCurrency };
pub(super) const CODE: Kind = Kind { rule: Rule::CodeList, remedy: RegisterRemedy::UseList };
pub(super) const CODE_TYPE: Kind = Kind { rule: Rule::CodeType, remedy: RegisterRemedy::UseLeiOrEuid };
pub(super) const SERVICE: Kind = Kind { rule: Rule::CodeList, remedy: RegisterRemedy::WriteService };
pub(super) const DATE: Kind = Kind { rule: Rule::Date, remedy: RegisterRemedy::WriteDay };
pub(super) const NUMBER: Kind = Kind { rule: Rule::Number, remedy: RegisterRemedy::WriteNumber };
pub(super) const RANK: Kind = Kind { rule: Rule::Rank, remedy: RegisterRemedy::WriteRank };
pub(super) const AMOUNT: Kind = Kind { rule: Rule::Amount, remedy: RegisterRemedy::WriteAmount };

/// Removes one of the prefixes that the data point model puts before values.
pub(super) fn without<'t>(text: &'t str, prefixes: &[&str]) -> &'t str {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text)
}

pub(super) fn country(text: &str) -> Result<Country, crate::country::NotACountry> {
    without(text, &["eba_GA:"]).parse()
}

sentence! {
    /// The code that the official list has for all other currencies.
    OtherCurrency =
        "stands for every currency the official list lacks",
        "steht für jede Währung, die in der amtlichen Liste fehlt";
}

pub(super) fn currency(text: &str) -> Result<Currency, Complaint> {
    if text.eq_ignore_ascii_case(Currency::OTHER) {
        return Err(OtherCurrency.into());
    }
    Ok(without(text, &["eba_CU:", "iso4217:"]).parse::<Currency>()?)
}

sentence! {
    /// The text is no number a cell can hold.
    NotANumber =
        "must be a whole number from 0 to 4294967295",
        "muss eine ganze Zahl von 0 bis 4294967295 sein";
}

pub(super) fn natural(text: &str) -> Result<u32, NotANumber> {
    // Spreadsheets write 180.0 for 180.
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).ok_or(NotANumber)
}

/// National codes have their country in front, like `DE_CRN`; files also contain `qx2006` for identity numbers, which
/// the list of release 4.0 lacks.
pub(super) fn code_kind(text: &str) -> Result<CodeKind, NotInList> {
    if text.eq_ignore_ascii_case("eba_qCO:qx2006") {
        return Ok(CodeKind::NationalId);
    }
    let national = text.split_once('_').filter(|(country, _)| country.parse::<Country>().is_ok());
    national.map_or(text, |(_, kind)| kind).parse()
}
