//! Findings and scans from the JSON report of Trivy (schema version 2).
//!
//! Vulnerable packages, failed configuration checks and exposed secrets become findings; of a secret only the
//! location is taken, never the text. The file is read twice, because the subject of a group may be written after its
//! results. The identity of an image leaves out its tag: tomorrow's build of the same image has the same findings.

use std::{
    collections::{BTreeMap, HashSet},
    io::{Read, Seek},
};

use serde::{Deserialize, Deserializer};

use super::{
    Candidate, Fingerprint, ImportError, Imported, Origin, Sink, Source,
    bounded::{at_most, first_entries},
    candidate::ToolResult,
    json::{self, Results},
};
use crate::{
    cve::CvssScore,
    moment::Moment,
    scan::{Scan, ScanSeverity, Vulnerability},
    text::clipped,
    vocabulary::Severity,
};

const FORMAT: &str = "a Trivy report of schema version 2 (trivy … --format json)";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Report {
    schema_version: u32,
    created_at: Option<String>,
    artifact_name: Option<String>,
    artifact_type: Option<String>,
    #[serde(default, deserialize_with = "at_most::<_, _, 50_000>")]
    results: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Group {
    #[serde(default)]
    target: String,
    class: Option<String>,
    #[serde(rename = "Type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Package {
    #[serde(rename = "VulnerabilityID")]
    id: String,
    #[serde(default)]
    pkg_name: String,
    pkg_path: Option<String>,
    #[serde(default)]
    installed_version: String,
    fixed_version: Option<String>,
    #[serde(rename = "PrimaryURL")]
    primary_url: Option<String>,
    title: Option<String>,
    description: Option<String>,
    #[serde(default)]
    severity: String,
    #[serde(rename = "CVSS", default, deserialize_with = "first_entries::<_, _, 50>")]
    cvss: BTreeMap<String, Rating>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Rating {
    #[serde(rename = "V3Score")]
    v3: Option<f64>,
    #[serde(rename = "V40Score")]
    v4: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Misconfiguration {
    #[serde(rename = "ID")]
    id: String,
    title: Option<String>,
    description: Option<String>,
    message: Option<String>,
    resolution: Option<String>,
    #[serde(default)]
    severity: String,
    status: Option<String>,
    cause_metadata: Option<Cause>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Cause {
    resource: Option<String>,
    start_line: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Secret {
    #[serde(rename = "RuleID")]
    rule: String,
    title: Option<String>,
    #[serde(default)]
    severity: String,
    start_line: Option<u64>,
}

/// The data for the second pass.
struct Frame {
    artifact: String,
    /// The artifact without the parts that change from build to build.
    identity: String,
    created_at: Option<Moment>,
    groups: Vec<Group>,
}

impl Frame {
    fn read(file: &mut (impl Read + Seek)) -> Result<Self, ImportError> {
        let report: Report = json::outline(file, FORMAT)?;
        if report.schema_version != 2 {
            let problem = format!("its schema version is {}", report.schema_version);
            return Err(ImportError::OtherShape { expected: FORMAT, problem });
        }
        let artifact = report.artifact_name.unwrap_or_default();
        let is_image = report.artifact_type.as_deref() == Some("container_image");
        let identity = if is_image { without_tag(&artifact) } else { &artifact }.to_owned();
        let created_at = report.created_at.and_then(|text| text.parse().ok());
        Ok(Self { artifact, identity, created_at, groups: report.results })
    }
}

impl Group {
    /// The location of its results, stable from build to build.
    fn place(&self) -> &str {
        match self.class.as_deref() {
            // Its target repeats the name of the image with its tag.
            Some("os-pkgs") => self.kind.as_deref().unwrap_or_default(),
            _ => &self.target,
        }
    }
}

/// `registry:5000/app:1.2@sha256:…` without tag and digest.
fn without_tag(image: &str) -> &str {
    let image = image.split_once('@').map_or(image, |(name, _)| name);
    match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => name,
        _ => image,
    }
}

/// Passes on every finding of a Trivy report.
pub fn findings(
    file: &mut (impl Read + Seek),
    now: Moment,
    sink: &mut Sink<'_>,
) -> Result<Imported, ImportError> {
    let frame = Frame::read(file)?;
    let imported = Imported { scopes: vec![clipped(&frame.identity, 255)], ..Imported::default() };
    let mut reading = TrivyImport { frame, now, sink, seen: HashSet::new(), imported };
    json::visit_results(file, &mut reading)?;
    Ok(reading.imported)
}

struct TrivyImport<'a, 'b> {
    frame: Frame,
    now: Moment,
    sink: &'a mut Sink<'b>,
    seen: HashSet<Fingerprint>,
    imported: Imported,
}

/// A result with its fingerprint.
struct Judged {
    identity: Vec<String>,
    severity: Severity,
    said: ToolResult,
}

impl Results for TrivyImport<'_, '_> {
    const EXPECTED: &'static str = FORMAT;
    const GROUPS: &'static str = "Results";
    const LEAVES: &'static [&'static str] = &["Vulnerabilities", "Misconfigurations", "Secrets"];

    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        group: usize,
        leaf: &'static str,
        result: D,
    ) -> Result<bool, D::Error> {
        let group = self.frame.groups.get(group);
        let judged = match leaf {
            "Vulnerabilities" => Some(Package::deserialize(result)?.judged(&self.frame.artifact, group)),
            "Misconfigurations" => Misconfiguration::deserialize(result)?.judged(&self.frame.artifact, group),
            _ => Some(Secret::deserialize(result)?.judged(&self.frame.artifact, group)),
        };
        let Some((judged, group)) = judged.zip(group) else {
            self.imported.skipped += 1;
            return Ok(true);
        };
        let parts = ["trivy", leaf, &self.frame.identity, group.place()];
        let parts = parts.into_iter().chain(judged.identity.iter().map(String::as_str));
        let fingerprint = Fingerprint::of(parts);
        if !self.seen.insert(fingerprint) {
            self.imported.repeated += 1;
            return Ok(true);
        }
        self.imported.candidates += 1;
        let scope = clipped(&self.frame.identity, 255);
        let origin = Origin { source: Source::Trivy, scope, fingerprint };
        let finding = judged.said.into_finding(judged.severity, self.now);
        Ok((self.sink)(Candidate { origin, finding, line: None, known: None }).is_continue())
    }
}

impl Package {
    fn judged(self, artifact: &str, group: Option<&Group>) -> Judged {
        let package = format!("{} {}", self.pkg_name, self.installed_version);
        let cvss = self.score();
        let title = self.title.as_deref().map_or_else(String::new, |title| format!(": {title}"));
        let url = self.primary_url.as_deref().map_or_else(String::new, |url| format!(" See {url}"));
        let fix = match self.fixed_version.as_deref().filter(|version| !version.is_empty()) {
            Some(version) => format!("Update {} to {version}.", self.pkg_name),
            None => format!("No fixed version of {} is known yet.", self.pkg_name),
        };
        Judged {
            severity: severity(&self.severity, cvss),
            said: ToolResult {
                title: format!("{} in {package}{title}", self.id),
                affected_asset: Some(asset(artifact, group, Some(&package))),
                remediation: Some(format!("{fix}{url}")),
                cve: self.id.parse().ok(),
                cvss,
                description: self.description,
            },
            identity: vec![self.id, self.pkg_name, self.installed_version, self.pkg_path.unwrap_or_default()],
        }
    }

    /// The score of the national database if there is one, otherwise the worst of the others.
    fn score(&self) -> Option<CvssScore> {
        let of = |rating: &Rating| CvssScore::rounded(rating.v3.or(rating.v4)?).ok();
        self.cvss.get("nvd").and_then(of).or_else(|| self.cvss.values().filter_map(of).max())
    }
}

impl Misconfiguration {
    /// `None` for a check that passed or was excepted.
    fn judged(self, artifact: &str, group: Option<&Group>) -> Option<Judged> {
        if self.status.as_deref().is_some_and(|status| status != "FAIL") {
            return None;
        }
        let (resource, line) =
            self.cause_metadata.map_or((None, None), |cause| (cause.resource, cause.start_line));
        let message = self.message.unwrap_or_default();
        let place = line.map(|line| format!("line {line}")).or_else(|| resource.clone());
        let texts = [Some(message.clone()), self.description].into_iter().flatten();
        Some(Judged {
            severity: severity(&self.severity, None),
            said: ToolResult {
                title: format!("{} {}", self.id, self.title.unwrap_or_default()),
                description: Some(texts.collect::<Vec<_>>().join("\n\n")),
                affected_asset: Some(asset(artifact, group, place.as_deref())),
                remediation: self.resolution,
                ..ToolResult::default()
            },
            identity: vec![self.id, resource.unwrap_or_default(), message],
        })
    }
}

impl Secret {
    fn judged(self, artifact: &str, group: Option<&Group>) -> Judged {
        let line = self.start_line.map_or_else(String::new, |line| line.to_string());
        let title = self.title.unwrap_or_else(|| self.rule.clone());
        let remedy = "Revoke the secret, issue a new one, and remove it from the file and its history.";
        Judged {
            severity: severity(&self.severity, None),
            said: ToolResult {
                title: format!("Exposed secret: {title}"),
                affected_asset: Some(asset(artifact, group, Some(&format!("line {line}")))),
                remediation: Some(remedy.to_owned()),
                ..ToolResult::default()
            },
            identity: vec![self.rule, line],
        }
    }
}

fn asset(artifact: &str, group: Option<&Group>, detail: Option<&str>) -> String {
    let target = group.map_or("", |group| group.target.as_str());
    let place = if target.starts_with(artifact) { target.to_owned() } else { format!("{artifact} {target}") };
    detail.map_or_else(|| place.clone(), |detail| format!("{place}: {detail}"))
}

/// An unrated result is not harmless: it gets medium severity until a person rates it.
fn severity(word: &str, cvss: Option<CvssScore>) -> Severity {
    match ScanSeverity::from_scanner(word) {
        ScanSeverity::Critical => Severity::Critical,
        ScanSeverity::High => Severity::High,
        ScanSeverity::Medium => Severity::Medium,
        ScanSeverity::Low => Severity::Low,
        ScanSeverity::Unknown => cvss.map_or(Severity::Medium, CvssScore::severity),
    }
}

/// The vulnerabilities of a Trivy report as a scan.
pub fn scan(file: &mut (impl Read + Seek), now: Moment) -> Result<Scan, ImportError> {
    let frame = Frame::read(file)?;
    let mut found = Found(Vec::new());
    json::visit_results(file, &mut found)?;
    let at = frame.created_at.unwrap_or(now);
    Ok(Scan::completed("trivy", &clipped(&frame.artifact, 255), at, at, found.0))
}

struct Found(Vec<Vulnerability>);

impl Results for Found {
    const EXPECTED: &'static str = FORMAT;
    const GROUPS: &'static str = "Results";
    const LEAVES: &'static [&'static str] = &["Vulnerabilities"];

    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        _: usize,
        _: &'static str,
        result: D,
    ) -> Result<bool, D::Error> {
        let package = Package::deserialize(result)?;
        let rated = ScanSeverity::from_scanner(&package.severity);
        let scored = package.score().map_or(ScanSeverity::Unknown, ScanSeverity::from);
        self.0.push(Vulnerability {
            severity: if rated == ScanSeverity::Unknown { scored } else { rated },
            title: clipped(package.title.as_deref().unwrap_or(&package.id), 255),
            id: clipped(&package.id, 255),
            package: clipped(&package.pkg_name, 255),
            version: clipped(&package.installed_version, 255),
            fixed_in: package
                .fixed_version
                .filter(|version| !version.is_empty())
                .map(|text| clipped(&text, 255)),
            first_seen_at: None,
        });
        Ok(true)
    }
}

#[cfg(test)]
#[path = "trivy_tests.rs"]
mod tests;
