//! The filters that are understood: one attribute, `eq`, one value (RFC 7644, 3.4.2.2). All others are refused.

use app::scim::AccountFilter;
use domain::{text::Name, user::Email};
use serde_json::Value;

use super::{CORE_GROUP, CORE_USER, error::Failure};

const LONGEST: usize = 1024;

/// An attribute and the value it must have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    /// In lower case, without the schema in front.
    pub attribute: String,
    pub value: Value,
}

/// A path in lower case, without the schema of users or groups in front.
pub(super) fn bare(path: &str) -> String {
    let path = path.to_ascii_lowercase();
    let schemas = [CORE_USER, CORE_GROUP].map(|schema| format!("{}:", schema.to_ascii_lowercase()));
    let short = schemas.iter().find_map(|schema| path.strip_prefix(schema));
    short.map(str::to_owned).unwrap_or(path)
}

pub(super) fn comparison(text: &str) -> Option<Comparison> {
    let text = Some(text.trim()).filter(|text| text.len() <= LONGEST)?;
    let (attribute, rest) = text.split_once(' ')?;
    let (operator, literal) = rest.trim_start().split_once(' ')?;
    if !operator.eq_ignore_ascii_case("eq") {
        return None;
    }
    let literal = literal.trim();
    let value = match boolean(literal) {
        Some(value) => Value::Bool(value),
        None => serde_json::from_str(literal).ok().filter(Value::is_string)?,
    };
    Some(Comparison { attribute: bare(attribute), value })
}

/// `true` or `false` in any case: Entra ID writes them with a capital letter.
fn boolean(text: &str) -> Option<bool> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A boolean, or its word in quotation marks.
pub(super) fn truth(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| boolean(value.as_str()?.trim()))
}

/// The users a filter asks for; nothing where no account can fit it.
pub(super) fn users(filter: Option<&str>) -> Result<Option<AccountFilter>, Failure> {
    let Some(text) = filter else { return Ok(Some(AccountFilter::All)) };
    let refused = || {
        Failure::filter(
            "filter must be userName eq \"…\", externalId eq \"…\" or active eq true: nothing else is understood",
        )
    };
    let Comparison { attribute, value } = comparison(text).ok_or_else(refused)?;
    match (attribute.as_str(), &value) {
        ("username", Value::String(address)) => Ok(address.parse::<Email>().ok().map(AccountFilter::Email)),
        ("externalid", Value::String(id)) => Ok(Name::parse(id).ok().map(AccountFilter::ExternalId)),
        ("active", value) => {
            truth(value).map(|active| Some(AccountFilter::Active(active))).ok_or_else(refused)
        }
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_comparison_in_the_spellings_of_directories() {
        let address = Some(AccountFilter::Email("anna@bank.example".parse().unwrap()));
        for text in [
            "userName eq \"anna@bank.example\"",
            "  USERNAME  EQ  \"Anna@Bank.Example\" ",
            "urn:ietf:params:scim:schemas:core:2.0:User:userName eq \"anna@bank.example\"",
        ] {
            assert_eq!(users(Some(text)).unwrap(), address, "{text}");
        }
        assert_eq!(users(Some("active eq False")).unwrap(), Some(AccountFilter::Active(false)));
        assert_eq!(users(Some("active eq \"true\"")).unwrap(), Some(AccountFilter::Active(true)));
        assert_eq!(users(None).unwrap(), Some(AccountFilter::All));
        assert_eq!(users(Some("userName eq \"no address\"")).unwrap(), None);
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("userName eq \"{}\"", "a".repeat(LONGEST));
        for text in [
            "",
            "userName",
            "userName pr",
            "userName eq anna",
            "userName co \"anna\"",
            "userName eq \"a\" or active eq true",
            "(userName eq \"a\")",
            "password eq \"secret\"",
            "active eq \"perhaps\"",
            "userName eq {\"a\":1}",
            &long,
        ] {
            assert!(users(Some(text)).is_err(), "{text}");
        }
    }
}
