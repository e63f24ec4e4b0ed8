//! Findings from SARIF 2.1.0, the format of static analysis tools.
//!
//! A result itself contains little: names, texts and ratings are in its rule, and many tools write the rules after
//! the results. So the file is read twice: once for the rules, once for the results. Results that passed, are
//! suppressed or are absent since the baseline are no findings.

mod wire;

use std::{
    collections::{HashMap, HashSet},
    io::{Read, Seek},
};

use serde::{Deserialize as _, Deserializer};

use self::wire::{Log, PhysicalLocation, Properties, Rule, Run, SarifResult, Suppression};
use super::{
    Candidate, Fingerprint, ImportError, Imported, Origin, Sink, Source,
    bounded::Clipped,
    candidate::ToolResult,
    json::{self, Results},
};
use crate::{cve::CvssScore, moment::Moment, text::clipped, vocabulary::Severity};

const FORMAT: &str = "SARIF 2.1.0";
/// The data of a run for the second pass.
struct RunOutline {
    tool: String,
    scope: String,
    /// By position in the driver, for results that name no id.
    driver_rules: Vec<String>,
    rules: HashMap<String, Rule>,
}

impl RunOutline {
    fn new(run: Run) -> Self {
        let tool = run.tool.driver.name.trim().to_owned();
        // The last part of the id names the single run; the part before it names the analysis.
        let analysis = run.automation_details.and_then(|details| details.id);
        let analysis = analysis.as_deref().and_then(|id| id.rsplit_once('/')).map(|(analysis, _)| analysis);
        let scope = match filled(analysis) {
            Some(analysis) => format!("{tool} {analysis}"),
            None => tool.clone(),
        };
        let driver_rules = run.tool.driver.rules.iter().map(|rule| rule.id.clone()).collect();
        let rules = run.tool.extensions.into_iter().flat_map(|extension| extension.rules);
        let rules = rules.chain(run.tool.driver.rules).map(|rule| (rule.id.clone(), rule)).collect();
        Self { tool, scope: clipped(&scope, 255), driver_rules, rules }
    }

    fn rule_id<'a>(&'a self, result: &'a SarifResult) -> &'a str {
        let named = result.rule_id.as_deref().or(result.rule.as_ref().and_then(|rule| rule.id.as_deref()));
        let by_index = || {
            let index = usize::try_from(result.rule_index?).ok()?;
            self.driver_rules.get(index).map(String::as_str)
        };
        filled(named).or_else(by_index).unwrap_or_default()
    }

    /// The rule itself, or the one it refines: `CA1000/1` is a case of `CA1000`.
    fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id).or_else(|| self.rules.get(id.rsplit_once('/')?.0))
    }
}

/// Passes on every finding of a SARIF file.
pub fn findings(
    file: &mut (impl Read + Seek),
    now: Moment,
    sink: &mut Sink<'_>,
) -> Result<Imported, ImportError> {
    let log: Log = json::outline(file, FORMAT)?;
    if log.version != "2.1.0" {
        let problem = format!("its version is {}; convert it to 2.1.0", clipped(&log.version, 20));
        return Err(ImportError::OtherShape { expected: FORMAT, problem });
    }
    let runs: Vec<_> = log.runs.into_iter().map(RunOutline::new).collect();
    let mut scopes: Vec<_> = runs.iter().map(|run| run.scope.clone()).collect();
    scopes.sort_unstable();
    scopes.dedup();
    let imported = Imported { scopes, ..Imported::default() };
    let mut reading = SarifImport { runs, now, sink, seen: HashSet::new(), imported };
    json::visit_results(file, &mut reading)?;
    Ok(reading.imported)
}

struct SarifImport<'a, 'b> {
    runs: Vec<RunOutline>,
    now: Moment,
    sink: &'a mut Sink<'b>,
    seen: HashSet<Fingerprint>,
    imported: Imported,
}

impl Results for SarifImport<'_, '_> {
    const EXPECTED: &'static str = FORMAT;
    const GROUPS: &'static str = "runs";
    const LEAVES: &'static [&'static str] = &["results"];

    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        group: usize,
        _: &'static str,
        result: D,
    ) -> Result<bool, D::Error> {
        let result = SarifResult::deserialize(result)?;
        let Some(run) = self.runs.get(group).filter(|_| result.is_finding()) else {
            self.imported.skipped += 1;
            return Ok(true);
        };
        let candidate = result.candidate(run, self.now);
        if !self.seen.insert(candidate.origin.fingerprint) {
            self.imported.repeated += 1;
            return Ok(true);
        }
        self.imported.candidates += 1;
        Ok((self.sink)(candidate).is_continue())
    }
}

impl SarifResult {
    fn is_finding(&self) -> bool {
        let failed = self.kind.as_deref().is_none_or(|kind| kind == "fail");
        let gone = self.baseline_state.as_deref() == Some("absent");
        let accepted = |one: &Suppression| one.status.as_deref().is_none_or(|status| status == "accepted");
        let suppressed = !self.suppressions.is_empty() && self.suppressions.iter().all(accepted);
        failed && !gone && !suppressed
    }

    fn candidate(&self, run: &RunOutline, now: Moment) -> Candidate {
        let id = run.rule_id(self);
        let rule = run.rule(id);
        let message = self.message(rule);
        let cvss = self.score(rule);
        let severity = cvss.map_or_else(|| self.level(rule), CvssScore::severity);
        let fallback = filled(Some(id)).or_else(|| message.lines().next()).unwrap_or_default();
        let said = ToolResult {
            title: rule.and_then(Rule::title).unwrap_or(fallback).to_owned(),
            description: Some(Self::description(&message, rule)),
            affected_asset: self.place(),
            remediation: rule.and_then(|rule| Some(rule.help.as_ref()?.as_str()?.to_owned())),
            cve: id.parse().ok(),
            cvss,
        };
        let fingerprint = self.fingerprint(run, id, &message);
        Candidate {
            origin: Origin { source: Source::Sarif, scope: run.scope.clone(), fingerprint },
            finding: said.into_finding(severity, now),
            line: None,
            known: None,
        }
    }

    /// The message, filled in from the rule's pattern if the result gives only arguments.
    fn message(&self, rule: Option<&Rule>) -> String {
        let Some(message) = &self.message else { return String::new() };
        if let Some(text) = &message.text {
            return text.clone();
        }
        let pattern = rule.zip(message.id.as_ref());
        let pattern = pattern.and_then(|(rule, id)| rule.message_strings.get(id)?.as_str());
        filled_in(pattern.unwrap_or_default(), &message.arguments)
    }

    fn description(message: &str, rule: Option<&Rule>) -> String {
        let full = rule.and_then(|rule| rule.full_description.as_ref()?.as_str());
        match filled(full).filter(|full| *full != message) {
            Some(full) => format!("{message}\n\n{full}").trim().to_owned(),
            None => message.to_owned(),
        }
    }

    fn score(&self, rule: Option<&Rule>) -> Option<CvssScore> {
        let own = self.properties.as_ref();
        let inherited = rule.and_then(|rule| rule.properties.as_ref());
        own.and_then(Properties::score).or_else(|| inherited.and_then(Properties::score))
    }

    fn level(&self, rule: Option<&Rule>) -> Severity {
        let inherited = rule.and_then(|rule| rule.default_configuration.as_ref()?.level.as_deref());
        match self.level.as_deref().or(inherited).unwrap_or("warning") {
            "error" => Severity::High,
            "note" => Severity::Low,
            "none" => Severity::Info,
            _ => Severity::Medium,
        }
    }

    fn physical(&self) -> Option<&PhysicalLocation> {
        self.locations.iter().find_map(|location| location.physical_location.as_ref())
    }

    fn uri(&self) -> Option<&str> {
        filled(self.physical()?.artifact_location.as_ref()?.uri.as_deref())
    }

    fn place(&self) -> Option<String> {
        let line = self.physical().and_then(|physical| physical.region.as_ref()?.start_line);
        match (self.uri(), line) {
            (Some(uri), Some(line)) => Some(format!("{uri}:{line}")),
            (Some(uri), None) => Some(uri.to_owned()),
            (None, _) => {
                let logical = self.locations.iter().flat_map(|one| &one.logical_locations);
                let mut names =
                    logical.filter_map(|one| one.fully_qualified_name.clone().or(one.name.clone()));
                names.next()
            }
        }
    }

    /// The tool's own fingerprint if it has one, otherwise location and message.
    fn fingerprint(&self, run: &RunOutline, id: &str, message: &str) -> Fingerprint {
        let prints =
            if self.fingerprints.is_empty() { &self.partial_fingerprints } else { &self.fingerprints };
        let mut parts = vec!["sarif".to_owned(), run.tool.clone(), id.to_owned()];
        parts.push(self.uri().unwrap_or_default().to_owned());
        if prints.is_empty() {
            let region = self.physical().and_then(|physical| physical.region.as_ref());
            let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
            parts.push(number(region.and_then(|region| region.start_line)));
            parts.push(number(region.and_then(|region| region.start_column)));
            parts.push(message.to_owned());
        } else {
            parts.extend(prints.iter().map(|(key, value)| format!("{key}={}", value.0)));
        }
        Fingerprint::of(parts.iter().map(String::as_str))
    }
}

/// A pattern with `{0}`, `{1}` … replaced once: placeholders inside arguments are not replaced.
fn filled_in(pattern: &str, arguments: &[Clipped<1_000>]) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let argument = after.split_once('}').and_then(|(index, after)| {
            let argument = arguments.get(index.parse::<usize>().ok()?)?;
            Some((argument, after))
        });
        if let Some((argument, after)) = argument {
            text.push_str(&argument.0);
            rest = after;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text + rest
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests;
