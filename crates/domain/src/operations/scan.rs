//! The result of a scan of software for known vulnerabilities, by any scanner.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use crate::{cve::CvssScore, moment::Moment, vocabulary::Severity, vocabulary::vocabulary};

vocabulary! {
    /// How a scan ended.
    ScanStatus {
        Completed = "completed" ("Completed", "Abgeschlossen"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
    }
}

vocabulary! {
    /// The severity of a vulnerability, worst first. Unknown is not harmless: it has not been rated yet.
    ScanSeverity {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
        Unknown = "unknown" ("Unknown", "Unbekannt"),
    }
}

impl From<CvssScore> for ScanSeverity {
    fn from(score: CvssScore) -> Self {
        match score.severity() {
            Severity::Critical => Self::Critical,
            Severity::High => Self::High,
            Severity::Medium => Self::Medium,
            Severity::Low | Severity::Info => Self::Low,
        }
    }
}

impl ScanSeverity {
    /// The words of scanners, in any case.
    #[must_use]
    pub fn from_scanner(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "critical" => Self::Critical,
            "high" | "important" => Self::High,
            "medium" | "moderate" => Self::Medium,
            "low" | "negligible" => Self::Low,
            _ => Self::Unknown,
        }
    }
}

/// A known vulnerability in a package that was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vulnerability {
    /// The id in its database: `RUSTSEC-2026-0001`, `CVE-2026-12345`, `GHSA-…`.
    pub id: String,
    pub package: String,
    pub version: String,
    pub severity: ScanSeverity,
    /// The nearest version without it, when there is one.
    pub fixed_in: Option<String>,
    pub title: String,
    /// When the first of the consecutive scans with it ended; unknown until it is compared with earlier ones.
    pub first_seen_at: Option<Moment>,
}

impl Vulnerability {
    /// Worst first, then by name, so that two scans of the same target are equal.
    fn order(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }

    fn sort_key(&self) -> (ScanSeverity, &str, &str, &str) {
        (self.severity, &self.package, &self.version, &self.id)
    }
}

/// How many vulnerabilities there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    pub critical: u32,
    pub high: u32,
    pub medium: u32,
    pub low: u32,
    pub unknown: u32,
}

/// One scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The tool, such as `tidewall`, `trivy` or `osv-scanner`.
    pub scanner: String,
    /// The scanned target.
    pub target: String,
    pub started_at: Moment,
    pub finished_at: Moment,
    pub status: ScanStatus,
    vulnerabilities: Vec<Vulnerability>,
}

impl Scan {
    /// A completed scan, its results without repetition and in a fixed order.
    #[must_use]
    pub fn completed(
        scanner: &str,
        target: &str,
        started_at: Moment,
        finished_at: Moment,
        mut vulnerabilities: Vec<Vulnerability>,
    ) -> Self {
        let mut seen = HashSet::new();
        vulnerabilities.retain(|one| seen.insert((one.id.clone(), one.package.clone(), one.version.clone())));
        vulnerabilities.sort_by(Vulnerability::order);
        Self {
            scanner: scanner.to_owned(),
            target: target.to_owned(),
            started_at,
            finished_at,
            status: ScanStatus::Completed,
            vulnerabilities,
        }
    }

    /// A scan that could not be finished. It has no results: an incomplete list would look like a good result.
    #[must_use]
    pub fn failed(scanner: &str, target: &str, started_at: Moment, finished_at: Moment) -> Self {
        let empty = Self::completed(scanner, target, started_at, finished_at, Vec::new());
        Self { status: ScanStatus::Failed, ..empty }
    }

    pub fn vulnerabilities(&self) -> &[Vulnerability] {
        &self.vulnerabilities
    }

    /// Compares with the previous scan of the same target: a vulnerability found before keeps its age, whatever
    /// version the package has now; any other is new.
    pub fn follow(&mut self, before: Option<&Self>) {
        let known: HashMap<(&str, &str), Moment> = before
            .into_iter()
            .flat_map(|scan| {
                scan.vulnerabilities
                    .iter()
                    .map(|one| ((one.id.as_str(), one.package.as_str()), scan.age_of(one)))
            })
            .collect();
        for one in &mut self.vulnerabilities {
            let known = known.get(&(one.id.as_str(), one.package.as_str())).copied();
            one.first_seen_at = Some(known.unwrap_or(self.finished_at));
        }
    }

    /// The critical vulnerability that was first seen longest ago, and when.
    pub fn oldest_critical(&self) -> Option<(&Vulnerability, Moment)> {
        let critical = self.vulnerabilities.iter().filter(|one| one.severity == ScanSeverity::Critical);
        critical.map(|one| (one, self.age_of(one))).min_by_key(|(_, since)| *since)
    }

    /// Since when this vulnerability is known; at the latest since this scan.
    pub fn age_of(&self, one: &Vulnerability) -> Moment {
        one.first_seen_at.unwrap_or(self.finished_at)
    }

    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for vulnerability in &self.vulnerabilities {
            let count = match vulnerability.severity {
                ScanSeverity::Critical => &mut summary.critical,
                ScanSeverity::High => &mut summary.high,
                ScanSeverity::Medium => &mut summary.medium,
                ScanSeverity::Low => &mut summary.low,
                ScanSeverity::Unknown => &mut summary.unknown,
            };
            *count += 1;
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(id: &str, package: &str, severity: ScanSeverity) -> Vulnerability {
        Vulnerability {
            id: id.into(),
            package: package.into(),
            version: "1.0.0".into(),
            severity,
            fixed_in: None,
            title: id.into(),
            first_seen_at: None,
        }
    }

    fn scan(vulnerabilities: Vec<Vulnerability>) -> Scan {
        let now = Moment::from_millis(0);
        Scan::completed("tidewall", "tidewall 0.1.0", now, now, vulnerabilities)
    }

    #[test]
    fn results_are_listed_once_and_worst_first() {
        let scan = scan(vec![
            found("RUSTSEC-2", "b", ScanSeverity::Low),
            found("RUSTSEC-1", "a", ScanSeverity::Unknown),
            found("RUSTSEC-3", "c", ScanSeverity::Critical),
            found("RUSTSEC-2", "b", ScanSeverity::Low),
            found("RUSTSEC-2", "a", ScanSeverity::Low),
        ]);
        let listed: Vec<_> =
            scan.vulnerabilities().iter().map(|v| (v.id.as_str(), v.package.as_str())).collect();
        assert_eq!(listed, [("RUSTSEC-3", "c"), ("RUSTSEC-2", "a"), ("RUSTSEC-2", "b"), ("RUSTSEC-1", "a")]);
        assert_eq!(scan.summary(), Summary { critical: 1, low: 2, unknown: 1, ..Summary::default() });
    }

    #[test]
    fn what_stays_keeps_its_age_and_what_comes_is_new() {
        let at = |day: i64| Moment::from_millis(day * 86_400_000);
        let scan = |day, found| Scan::completed("trivy", "portal", at(day), at(day), found);
        let mut first = scan(1, vec![found("CVE-1", "a", ScanSeverity::Critical)]);
        assert_eq!(first.oldest_critical().map(|(_, since)| since), Some(at(1)), "not compared yet");
        first.follow(None);
        let mut newer = found("CVE-1", "a", ScanSeverity::Critical);
        newer.version = "1.0.1".into();
        let mut second = scan(
            5,
            vec![
                newer,
                found("CVE-1", "b", ScanSeverity::Critical),
                found("CVE-2", "a", ScanSeverity::Critical),
            ],
        );
        second.follow(Some(&first));
        let (oldest, since) = second.oldest_critical().unwrap();
        assert_eq!((oldest.package.as_str(), oldest.version.as_str(), since), ("a", "1.0.1", at(1)));
        // The oldest is fixed: the next oldest takes its place, and one that comes back is new.
        let mut third = scan(9, vec![found("CVE-2", "a", ScanSeverity::Critical)]);
        third.follow(Some(&second));
        assert_eq!(
            third.oldest_critical().map(|(one, since)| (one.id.as_str(), since)),
            Some(("CVE-2", at(5)))
        );
        let mut fourth = scan(12, vec![found("CVE-1", "a", ScanSeverity::Critical)]);
        fourth.follow(Some(&third));
        assert_eq!(fourth.oldest_critical().map(|(_, since)| since), Some(at(12)));
        let low = scan(12, vec![found("CVE-1", "a", ScanSeverity::Low)]);
        assert_eq!(low.oldest_critical(), None);
    }

    #[test]
    fn a_failed_scan_claims_nothing() {
        let now = Moment::from_millis(0);
        let failed = Scan::failed("tidewall", "x", now, now);
        assert_eq!((failed.status, failed.summary()), (ScanStatus::Failed, Summary::default()));
    }

    #[test]
    fn scanners_words_are_understood() {
        crate::vocabulary::tests::is_sound::<ScanSeverity>();
        crate::vocabulary::tests::is_sound::<ScanStatus>();
        assert_eq!(ScanSeverity::from_scanner("MODERATE"), ScanSeverity::Medium);
        assert_eq!(ScanSeverity::from_scanner("High"), ScanSeverity::High);
        assert_eq!(ScanSeverity::from_scanner("UNKNOWN"), ScanSeverity::Unknown);
        assert_eq!(ScanSeverity::from_scanner("=1+1"), ScanSeverity::Unknown);
        assert_eq!(ScanSeverity::from(CvssScore::from_tenths(0).unwrap()), ScanSeverity::Low);
    }
}
