//! Scans from the JSON of OSV-Scanner.
//!
//! The scanner groups the ids of one vulnerability in different databases and rates the group; a group becomes one
//! vulnerability under its first id.

use std::{
    collections::HashMap,
    io::{Read, Seek},
};

use semver::Version;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::{
    ImportError, MAX_RESULTS,
    bounded::{Clipped, at_most, first},
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
    /// Present in every report of this scanner, also without results.
    #[serde(deserialize_with = "at_most::<_, _, 50_000>")]
    results: Vec<SourceOutline>,
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
    #[serde(default, deserialize_with = "at_most::<_, _, 20_000>")]
    vulnerabilities: Vec<Osv>,
    #[serde(default, deserialize_with = "at_most::<_, _, 20_000>")]
    groups: Vec<Group>,
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
    #[serde(default, deserialize_with = "first::<_, _, 20>")]
    severity: Vec<Rating>,
    #[serde(default, deserialize_with = "first::<_, _, 1_000>")]
    affected: Vec<Affected>,
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
    #[serde(default, deserialize_with = "first::<_, _, 100>")]
    ranges: Vec<Range>,
}

#[derive(Deserialize)]
struct Range {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default, deserialize_with = "first::<_, _, 100>")]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    fixed: Option<String>,
}

#[derive(Deserialize)]
struct DatabaseSpecific {
    severity: Option<Clipped<20>>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default, deserialize_with = "first::<_, _, 100>")]
    ids: Vec<String>,
    max_severity: Option<String>,
}

/// The vulnerabilities of an OSV-Scanner report as a scan.
pub fn scan(file: &mut (impl Read + Seek), now: Moment) -> Result<Scan, ImportError> {
    let report: Report = json::outline(file, FORMAT)?;
    let paths: Vec<_> =
        report.results.into_iter().filter_map(|one| one.source).map(|source| source.path).collect();
    let target = match paths.as_slice() {
        [] => "nothing".to_owned(),
        [path] => path.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    let mut found = Found(Vec::new());
    json::visit_results(file, &mut found)?;
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
        if self.0.len() as u64 > MAX_RESULTS {
            return Err(D::Error::custom(format_args!("it has more than {MAX_RESULTS} vulnerabilities")));
        }
        Ok(true)
    }
}

impl PackageResult {
    fn weaknesses(&self) -> Vec<Vulnerability> {
        let mut group_of = HashMap::new();
        for (index, group) in self.groups.iter().enumerate() {
            group_of.extend(group.ids.iter().map(|id| (id.as_str(), index)));
        }
        let mut members: Vec<Vec<&Osv>> = vec![Vec::new(); self.groups.len()];
        let mut single = Vec::new();
        for one in &self.vulnerabilities {
            match group_of.get(one.id.as_str()) {
                Some(group) => members[*group].push(one),
                None => single.extend(self.weakness(&[one], None)),
            }
        }
        let rated = members.iter().zip(&self.groups);
        let grouped =
            rated.filter_map(|(members, group)| self.weakness(members, group.max_severity.as_deref()));
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
            first_seen_at: None,
        })
    }
}

impl Osv {
    /// The nearest later fix if versions can be compared, otherwise the last one in the database.
    fn fix(&self, package: &Package) -> Option<String> {
        let concerned = |one: &&Affected| one.package.as_ref().is_none_or(|other| other.name == package.name);
        let affected = self.affected.iter().filter(concerned);
        let ranges = affected.flat_map(|one| &one.ranges).filter(|range| range.kind != "GIT");
        let events = ranges.flat_map(|range| &range.events);
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
    let vectors = members.iter().flat_map(|one| &one.severity);
    let worst = || vectors.filter_map(|rating| CvssScore::from_vector(&rating.score)).max();
    let words =
        members.iter().filter_map(|one| Some(one.database_specific.as_ref()?.severity.as_ref()?.0.as_str()));
    let word = || words.map(ScanSeverity::from_scanner).min().unwrap_or(ScanSeverity::Unknown);
    rated.or_else(worst).map_or_else(word, ScanSeverity::from)
}

#[cfg(test)]
#[path = "osv_tests.rs"]
mod tests;
