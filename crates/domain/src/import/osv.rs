//! Scans out of the JSON of OSV-Scanner.
//!
//! The scanner groups the names one weakness has in different databases and rates the group; a group becomes
//! one vulnerability under its first name.

use std::io::{Read, Seek};

use semver::Version;
use serde::{Deserialize, Deserializer};

use super::{
    ImportError,
    json::{self, Results},
};
use crate::{
    cve::CvssScore,
    moment::Moment,
    scan::{Scan, ScanSeverity, Vulnerability},
    text::clipped,
};

const FORMAT: &str = "a report of OSV-Scanner (osv-scanner scan --format json)";

#[derive(Deserialize)]
struct Report {
    results: Option<Vec<SourceOutline>>,
}

#[derive(Deserialize)]
struct SourceOutline {
    source: Option<SourcePath>,
}

#[derive(Deserialize)]
struct SourcePath {
    #[serde(default)]
    path: String,
}

#[derive(Deserialize)]
struct PackageResult {
    package: Package,
    vulnerabilities: Option<Vec<Osv>>,
    groups: Option<Vec<Group>>,
}

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Deserialize)]
struct Osv {
    id: String,
    summary: Option<String>,
    details: Option<String>,
    severity: Option<Vec<Rating>>,
    affected: Option<Vec<Affected>>,
    database_specific: Option<DatabaseSpecific>,
}

#[derive(Deserialize)]
struct Rating {
    #[serde(default)]
    score: String,
}

#[derive(Deserialize)]
struct Affected {
    package: Option<Package>,
    ranges: Option<Vec<Range>>,
}

#[derive(Deserialize)]
struct Range {
    #[serde(rename = "type", default)]
    kind: String,
    events: Option<Vec<Event>>,
}

#[derive(Deserialize)]
struct Event {
    fixed: Option<String>,
}

#[derive(Deserialize)]
struct DatabaseSpecific {
    severity: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Group {
    ids: Vec<String>,
    max_severity: Option<String>,
}

/// The vulnerabilities of an OSV-Scanner report as a scan.
pub fn scan(file: &mut (impl Read + Seek), now: Moment) -> Result<Scan, ImportError> {
    let report: Report = json::outline(file, FORMAT)?;
    let Some(sources) = report.results else {
        return Err(ImportError::OtherShape { expected: FORMAT, problem: "it has no results".to_owned() });
    };
    let paths: Vec<_> = sources.into_iter().filter_map(|one| one.source).map(|source| source.path).collect();
    let target = match paths.as_slice() {
        [] => "nothing".to_owned(),
        [path] => path.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    let mut found = Found(Vec::new());
    json::walk(file, &mut found)?;
    Ok(Scan::completed("osv-scanner", &clipped(&target, 255), now, now, found.0))
}

struct Found(Vec<Vulnerability>);

impl Results for Found {
    const EXPECTED: &'static str = FORMAT;
    const GROUPS: &'static str = "results";
    const LEAVES: &'static [&'static str] = &["packages"];

    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        _: usize,
        _: &'static str,
        result: D,
    ) -> Result<bool, D::Error> {
        let result = PackageResult::deserialize(result)?;
        self.0.extend(result.weaknesses());
        Ok(true)
    }
}

impl PackageResult {
    fn weaknesses(&self) -> Vec<Vulnerability> {
        let all: Vec<_> = self.vulnerabilities.iter().flatten().collect();
        let groups: Vec<_> = self.groups.iter().flatten().collect();
        let grouped = groups.iter().filter_map(|group| {
            let members: Vec<_> = all.iter().copied().filter(|one| group.ids.contains(&one.id)).collect();
            self.weakness(&members, group.max_severity.as_deref())
        });
        let is_grouped = |one: &&&Osv| groups.iter().any(|group| group.ids.contains(&one.id));
        let single = all.iter().filter(|one| !is_grouped(one)).filter_map(|one| self.weakness(&[*one], None));
        grouped.chain(single).collect()
    }

    fn weakness(&self, members: &[&Osv], rated: Option<&str>) -> Option<Vulnerability> {
        let first = members.first()?;
        let texts = members.iter().flat_map(|one| [one.summary.as_deref(), one.details.as_deref()]);
        let title = texts.flatten().find_map(|text| text.lines().find(|line| !line.trim().is_empty()));
        Some(Vulnerability {
            id: clipped(&first.id, 255),
            package: clipped(&self.package.name, 255),
            version: clipped(&self.package.version, 255),
            severity: severity(members, rated),
            fixed_in: members.iter().find_map(|one| one.fix(&self.package)),
            title: clipped(title.unwrap_or(&first.id), 255),
        })
    }
}

impl Osv {
    /// The nearest later fix where versions can be compared, otherwise the last one the database names.
    fn fix(&self, package: &Package) -> Option<String> {
        let concerned = |one: &&Affected| one.package.as_ref().is_none_or(|other| other.name == package.name);
        let affected = self.affected.iter().flatten().filter(concerned);
        let ranges = affected.flat_map(|one| one.ranges.iter().flatten()).filter(|range| range.kind != "GIT");
        let events = ranges.flat_map(|range| range.events.iter().flatten());
        let fixes: Vec<_> = events.filter_map(|event| event.fixed.as_deref()).collect();
        let installed: Option<Version> = package.version.parse().ok();
        let comparable = fixes.iter().filter_map(|fix| fix.parse::<Version>().ok());
        let nearest = installed.and_then(|installed| comparable.filter(|fix| *fix > installed).min());
        nearest.map(|fix| fix.to_string()).or_else(|| fixes.last().map(|fix| clipped(fix, 255)))
    }
}

/// The scanner's own rating of the group, else the worst vector, else the word of the database.
fn severity(members: &[&Osv], rated: Option<&str>) -> ScanSeverity {
    let rated =
        rated.and_then(|score| score.parse::<f64>().ok()).and_then(|score| CvssScore::rounded(score).ok());
    let vectors = members.iter().flat_map(|one| one.severity.iter().flatten());
    let worst = || vectors.filter_map(|rating| CvssScore::from_vector(&rating.score)).max();
    let words = members.iter().filter_map(|one| one.database_specific.as_ref()?.severity.as_ref()?.as_str());
    let word = || words.map(ScanSeverity::from_scanner).min().unwrap_or(ScanSeverity::Unknown);
    rated.or_else(worst).map_or_else(word, ScanSeverity::from)
}

#[cfg(test)]
#[path = "osv_tests.rs"]
mod tests;
