//! CVE ids and CVSS scores of vulnerabilities; scores are stored as whole tenths.

use std::{fmt, str::FromStr};

use crate::vocabulary::Severity;
use crate::wording::sentence;

/// An id of the CVE programme, such as `CVE-2026-12345`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cve(String);

sentence! {
    /// The text is no CVE id.
    NotACve =
        "must be a CVE id like CVE-2026-12345",
        "muss eine CVE-Nummer wie CVE-2026-12345 sein";
}

impl Cve {
    /// The programme's own bound: four to nineteen digits after the year.
    const SEQUENCE: std::ops::RangeInclusive<usize> = 4..=19;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Cve {
    type Err = NotACve;

    fn from_str(text: &str) -> Result<Self, NotACve> {
        let (year, sequence) =
            text.strip_prefix("CVE-").and_then(|rest| rest.split_once('-')).ok_or(NotACve)?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let shaped =
            year.len() == 4 && Self::SEQUENCE.contains(&sequence.len()) && digits(year) && digits(sequence);
        if shaped { Ok(Self(text.to_owned())) } else { Err(NotACve) }
    }
}

impl fmt::Display for Cve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A CVSS score from 0.0 to 10.0, exact to one decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CvssScore(u8);

sentence! {
    /// The number is no CVSS score.
    NotAScore =
        "must be a score from 0.0 to 10.0 with at most one decimal, such as 7.5",
        "muss ein Wert von 0,0 bis 10,0 mit höchstens einer Nachkommastelle sein, etwa 7,5";
}

impl CvssScore {
    const MAX_TENTHS: u8 = 100;

    /// As stored.
    pub fn from_tenths(tenths: i64) -> Result<Self, NotAScore> {
        u8::try_from(tenths).ok().filter(|tenths| *tenths <= Self::MAX_TENTHS).map(Self).ok_or(NotAScore)
    }

    pub fn tenths(self) -> u8 {
        self.0
    }

    /// From a JSON number, which is a float: 9.8 is not exactly 9.8 there, 9.85 is clearly different.
    pub fn from_number(number: f64) -> Result<Self, NotAScore> {
        (0..=Self::MAX_TENTHS)
            .find(|tenths| (number * 10.0 - f64::from(*tenths)).abs() < 1e-6)
            .map(Self)
            .ok_or(NotAScore)
    }

    /// From a number of another tool, rounded to the nearest tenth.
    pub fn rounded(number: f64) -> Result<Self, NotAScore> {
        Self::from_number((number * 10.0).round() / 10.0)
    }

    /// The base score of a CVSS vector of version 3 or 4. Metrics beyond the base group depend on time and
    /// place and are left out; a vector without its whole base group has no score.
    pub fn from_vector(vector: &str) -> Option<Self> {
        const V3: [&str; 8] = ["AV", "AC", "PR", "UI", "S", "C", "I", "A"];
        const V4: [&str; 11] = ["AV", "AC", "AT", "PR", "UI", "VC", "VI", "VA", "SC", "SI", "SA"];
        let base: &[&str] = match vector.get(..7)? {
            "CVSS:3." => &V3,
            "CVSS:4." => &V4,
            _ => return None,
        };
        let (version, metrics) = vector.split_once('/')?;
        let kept: Vec<_> = metrics
            .split('/')
            .filter(|metric| metric.split_once(':').is_some_and(|(name, _)| base.contains(&name)))
            .collect();
        if kept.len() != base.len() {
            return None;
        }
        let parsed: cvss::Cvss = format!("{version}/{}", kept.join("/")).parse().ok()?;
        Self::rounded(parsed.score()).ok()
    }

    pub fn as_number(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// The rating scale CVSS itself publishes; 0.0, which it calls "none", is a hint here.
    pub fn severity(self) -> Severity {
        match self.0 {
            0 => Severity::Info,
            1..40 => Severity::Low,
            40..70 => Severity::Medium,
            70..90 => Severity::High,
            _ => Severity::Critical,
        }
    }
}

impl FromStr for CvssScore {
    type Err = NotAScore;

    fn from_str(text: &str) -> Result<Self, NotAScore> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let number = |part: &str, longest: usize| {
            let digits =
                (1..=longest).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if digits { part.parse::<i64>().map_err(|_| NotAScore) } else { Err(NotAScore) }
        };
        Self::from_tenths(number(whole, 2)? * 10 + number(tenth, 1)?)
    }
}

impl fmt::Display for CvssScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

impl serde::Serialize for CvssScore {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cve_has_a_year_and_at_least_four_digits() {
        for good in ["CVE-1999-0001", "CVE-2026-12345678", "CVE-2026-1234567890123456789"] {
            assert_eq!(good.parse::<Cve>().unwrap().as_str(), good);
        }
        for bad in [
            "",
            "CVE-2026-123",
            "cve-2026-1234",
            "CVE-26-1234",
            "CVE-2026-12a4",
            "CVE-2026-1234 ",
            "CVE-2026-12345678901234567890",
            "CVE-2026",
            "CVE-2026-١٢٣٤",
        ] {
            assert_eq!(bad.parse::<Cve>(), Err(NotACve), "{bad}");
        }
    }

    #[test]
    fn every_score_survives_text_and_number() {
        for tenths in 0..=100 {
            let score = CvssScore::from_tenths(tenths).unwrap();
            assert_eq!(score.to_string().parse(), Ok(score));
            assert_eq!(CvssScore::from_number(score.as_number()), Ok(score));
        }
        assert_eq!("10".parse(), Ok(CvssScore(100)));
        assert_eq!("7".parse(), Ok(CvssScore(70)));
    }

    #[test]
    fn what_is_not_a_score_is_refused() {
        for bad in ["", "10.1", "-1", "7.55", "7.", ".5", "NaN", "1e1", "+7", "007", "7,5"] {
            assert_eq!(bad.parse::<CvssScore>(), Err(NotAScore), "{bad}");
        }
        for bad in [-0.1, 10.1, 9.85, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert_eq!(CvssScore::from_number(bad), Err(NotAScore), "{bad}");
        }
        assert_eq!(CvssScore::from_tenths(101), Err(NotAScore));
        assert_eq!(CvssScore::from_tenths(-1), Err(NotAScore));
    }

    #[test]
    fn vectors_have_the_scores_their_specifications_publish() {
        for (vector, score) in [
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "9.8"),
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", "10.0"),
            ("CVSS:3.0/AV:L/AC:H/PR:L/UI:R/S:U/C:L/I:N/A:N", "2.2"),
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", "0.0"),
            ("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", "9.3"),
            ("CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", "8.2"),
        ] {
            assert_eq!(CvssScore::from_vector(vector).unwrap().to_string(), score, "{vector}");
        }
        let dated = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U";
        assert_eq!(CvssScore::from_vector(dated), "9.3".parse().ok(), "only the base counts");
    }

    #[test]
    fn an_odd_vector_has_no_score() {
        for bad in [
            "",
            "CVSS:3.1",
            "CVSS:3.1/AV:N",
            "AV:N/AC:L/Au:N/C:P/I:N/A:N",
            "CVSS:9.9/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
            "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:Q",
            "CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H",
            "CVSSé3.1/",
        ] {
            assert_eq!(CvssScore::from_vector(bad), None, "{bad}");
        }
    }

    #[test]
    fn scores_rate_as_cvss_says() {
        let rating = |text: &str| text.parse::<CvssScore>().unwrap().severity();
        assert_eq!(["0.0", "0.1", "3.9", "4.0"].map(rating), {
            [Severity::Info, Severity::Low, Severity::Low, Severity::Medium]
        });
        assert_eq!(["6.9", "7.0", "8.9", "9.0"].map(rating), {
            [Severity::Medium, Severity::High, Severity::High, Severity::Critical]
        });
    }
}
