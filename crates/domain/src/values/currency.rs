//! Currencies by their ISO 4217 code, with how many decimals their minor unit has.
//!
//! Metals, test codes and units of account that are not used in invoices are left out.

use std::{fmt, str::FromStr};

use crate::wording::{sentence, shown_as_printed};

/// The codes with two decimals. BGN stays although Bulgaria has paid in euro since 2026: older costs name it.
const TWO: &str = "\
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY \
COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR \
IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD \
NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP \
SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const NONE: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const THREE: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR: &str = "CLF UYW";

/// A currency that invoices can use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency {
    code: [u8; 3],
    decimals: u8,
}

sentence! {
    /// The text is no currency code.
    NotACurrency =
        "must be a currency as three capital letters of ISO 4217, like EUR",
        "muss eine Währung als drei Großbuchstaben nach ISO 4217 sein, etwa EUR";
}

impl Currency {
    pub const EUR: Self = Self { code: *b"EUR", decimals: 2 };

    /// The official register's code for a currency that its list lacks.
    pub const OTHER: &str = "eba_CU:x46";

    pub fn as_str(&self) -> &str {
        // Every code is ASCII.
        str::from_utf8(&self.code).unwrap_or_default()
    }

    /// How many decimals the minor unit has: 2 for the cent, 0 for the yen.
    pub fn decimals(self) -> u32 {
        u32::from(self.decimals)
    }

    pub fn all() -> impl Iterator<Item = Self> {
        [(TWO, 2), (NONE, 0), (THREE, 3), (FOUR, 4)].into_iter().flat_map(|(list, decimals)| {
            list.as_bytes().chunks(4).map(move |code| Self { code: [code[0], code[1], code[2]], decimals })
        })
    }
}

impl FromStr for Currency {
    type Err = NotACurrency;

    fn from_str(text: &str) -> Result<Self, NotACurrency> {
        Self::all().find(|known| known.code == *text.as_bytes()).ok_or(NotACurrency)
    }
}

shown_as_printed!(Currency);

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_is_there_once_and_reads_back() {
        let codes: HashSet<_> = Currency::all().map(|currency| currency.to_string()).collect();
        assert_eq!(codes.len(), Currency::all().count());
        for currency in Currency::all() {
            assert_eq!(currency.as_str().parse(), Ok(currency));
            assert!(currency.as_str().bytes().all(|byte| byte.is_ascii_uppercase()));
        }
    }

    #[test]
    fn minor_units_differ() {
        for (code, decimals) in [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("HUF", 2)] {
            assert_eq!(code.parse::<Currency>().unwrap().decimals(), decimals, "{code}");
        }
        assert_eq!("EUR".parse(), Ok(Currency::EUR));
        for bad in ["", "eur", "EURO", "XAU", "XXX", "XTS", "HRK", "€€", "EU "] {
            assert_eq!(bad.parse::<Currency>(), Err(NotACurrency), "{bad}");
        }
    }
}
