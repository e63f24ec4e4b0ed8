//! Countries by their ISO 3166-1 alpha-2 code, and which of them belong to the Union and to the EEA.

#[path = "country_names.rs"]
mod names;

use std::{fmt, str::FromStr};

use crate::wording::{Label, Language, sentence, shown_as_printed};

/// The officially assigned codes, and XK, which Union reporting uses for Kosovo though ISO has not assigned it.
const CODES: &str = "\
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

const UNION: &str = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

/// In the EEA but not in the Union.
const EEA_ONLY: &str = "IS LI NO";

/// A country with an assigned code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Country([u8; 2]);

sentence! {
    /// The text is no country code.
    NotACountry =
        "must be a country as two capital letters of ISO 3166-1, like DE",
        "muss ein Land als zwei Großbuchstaben nach ISO 3166-1 sein, etwa DE";
}

impl Country {
    pub fn as_str(&self) -> &str {
        // Every code is ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }

    pub fn all() -> impl Iterator<Item = Self> {
        CODES.as_bytes().chunks(3).map(|code| Self([code[0], code[1]]))
    }

    /// Its name.
    pub fn label(self) -> Label {
        let place = names::NAMES.binary_search_by(|(code, ..)| code.as_bytes().cmp(&self.0));
        place.map_or(Label::new("", ""), |place| Label::new(names::NAMES[place].1, names::NAMES[place].2))
    }

    /// Name and code, like `Germany (DE)`.
    pub fn named(self, language: Language) -> String {
        format!("{} ({self})", self.label().text(language))
    }

    pub fn in_union(self) -> bool {
        contains(UNION, self.0)
    }

    pub fn in_eea(self) -> bool {
        self.in_union() || contains(EEA_ONLY, self.0)
    }

    /// Outside the EEA, where the Union's financial services law does not apply directly.
    pub fn is_third_country(self) -> bool {
        !self.in_eea()
    }
}

fn contains(list: &str, code: [u8; 2]) -> bool {
    list.as_bytes().chunks(3).any(|known| known[..2] == code)
}

impl FromStr for Country {
    type Err = NotACountry;

    fn from_str(text: &str) -> Result<Self, NotACountry> {
        let code: [u8; 2] = text.as_bytes().try_into().map_err(|_| NotACountry)?;
        if contains(CODES, code) { Ok(Self(code)) } else { Err(NotACountry) }
    }
}

shown_as_printed!(Country);

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_has_a_name_in_both_languages() {
        for country in Country::all() {
            let Label { en, de } = country.label();
            assert!(!en.is_empty() && !de.is_empty(), "{country}");
        }
        let codes: Vec<_> = names::NAMES.iter().map(|(code, ..)| *code).collect();
        assert_eq!(codes, Country::all().map(|country| country.to_string()).collect::<Vec<_>>());
        assert_eq!("AT".parse::<Country>().unwrap().named(Language::German), "Österreich (AT)");
    }

    #[test]
    fn the_lists_have_their_known_sizes_and_order() {
        let all: Vec<_> = Country::all().collect();
        assert_eq!(all.len(), 249 + 1);
        assert!(all.is_sorted() && all.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(all.iter().filter(|country| country.in_union()).count(), 27);
        assert_eq!(all.iter().filter(|country| country.in_eea()).count(), 30);
    }

    #[test]
    fn switzerland_and_britain_are_third_countries_norway_is_not() {
        let country = |code: &str| code.parse::<Country>().unwrap();
        assert!(country("CH").is_third_country() && country("GB").is_third_country());
        assert!(!country("NO").is_third_country() && !country("NO").in_union());
    }

    #[test]
    fn refuses_what_is_no_code() {
        for bad in ["", "D", "de", "DEU", "UK", "EU", "EL", "A ", " A", "XX", "Ä"] {
            assert_eq!(bad.parse::<Country>(), Err(NotACountry), "{bad}");
        }
        for country in Country::all() {
            assert_eq!(country.as_str().parse(), Ok(country));
        }
    }
}
