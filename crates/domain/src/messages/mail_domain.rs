//! The domains of mail addresses that belong to an institution. Mail to other addresses needs the consent of their owners.

use std::fmt;

use crate::{user::Email, wording::sentences};

const MAX_DOMAINS: usize = 50;

/// Domains in lower case, sorted, each once. A domain includes the ones below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MailDomains(Vec<String>);

sentences! {
    /// Why a mail address or a list of domains is refused.
    MailComplaint {
        NoDomains { most: usize } =
            "must name at most {most} domains, such as bank.example",
            "darf höchstens {most} Domains nennen, etwa bank.example";
        NoDomain { text: String } =
            "must contain domains such as bank.example; {text} is none",
            "darf nur Domains wie bank.example enthalten; {text} ist keine";
        Unconfirmed { address: String } =
            "waits for {address}: the owner of the address has to confirm it with the link that was sent there; ask for the link again on the page of the webhook",
            "wartet auf {address}: Die Adresse muss erst über den dorthin gesandten Link bestätigt werden; auf der Seite des Webhooks lässt er sich erneut senden";
        AskedLately { minutes: i64 } =
            "was sent less than an hour ago: please wait {minutes} more minutes, and look among the unwanted mail meanwhile",
            "wurde vor weniger als einer Stunde gesandt: bitte noch {minutes} Minuten warten und solange im Spamordner nachsehen";
        Confirmed =
            "is confirmed already",
            "ist schon bestätigt";
    }
}

impl MailDomains {
    /// A list separated by spaces or commas.
    pub fn parse(text: &str) -> Result<Self, MailComplaint> {
        let words =
            text.split([',', ';', ' ', '\n', '\r', '\t']).map(|word| word.trim().trim_start_matches('@'));
        let named: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        if named.len() > MAX_DOMAINS {
            return Err(MailComplaint::NoDomains { most: MAX_DOMAINS });
        }
        let domain = |word: &&str| match format!("x@{word}").parse::<Email>() {
            Ok(address) => Ok(address.domain().to_owned()),
            Err(_) => Err(MailComplaint::NoDomain { text: (*word).to_owned() }),
        };
        Ok(Self::sorted(named.iter().map(domain).collect::<Result<_, _>>()?))
    }

    /// The domains of these addresses.
    pub fn of<'a>(addresses: impl IntoIterator<Item = &'a Email>) -> Self {
        Self::sorted(addresses.into_iter().map(|address| address.domain().to_owned()).collect())
    }

    fn sorted(mut domains: Vec<String>) -> Self {
        domains.sort_unstable();
        domains.dedup();
        Self(domains)
    }

    pub fn contains(&self, address: &Email) -> bool {
        let domain = address.domain();
        self.iter()
            .any(|own| domain.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for MailDomains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_includes_those_below_it_and_no_others() {
        let own = MailDomains::parse("@Bank.example, north.example").unwrap();
        assert_eq!(own.to_string(), "bank.example, north.example");
        for (address, inside) in [
            ("a@bank.example", true),
            ("a@ICT.bank.example", true),
            ("a@notbank.example", false),
            ("a@bank.example.evil.example", false),
            ("a@example.org", false),
        ] {
            assert_eq!(own.contains(&address.parse().unwrap()), inside, "{address}");
        }
        assert!(MailDomains::parse("bank").is_err() && MailDomains::parse("a@b.example").is_err());
        assert!(MailDomains::parse(" ").unwrap().is_empty());
        let of: Vec<Email> = vec!["a@x.example".parse().unwrap(), "b@x.example".parse().unwrap()];
        assert_eq!(MailDomains::of(&of).to_string(), "x.example");
    }
}
