//! A result of another tool that becomes a finding, and how it is recognised the next time.

use std::{fmt, ops::ControlFlow, str::FromStr};

use sha2::{Digest as _, Sha256};

use crate::{
    cve::{Cve, CvssScore},
    finding::{Finding, FindingDraft, FindingId, FindingStatus},
    moment::Moment,
    reference::FindingReference,
    text::{Name, Prose, TextError},
    vocabulary::{Severity, Vocabulary as _, vocabulary},
    wording::Language,
};

vocabulary! {
    /// The kind of file a finding came from.
    Source {
        Csv = "csv" ("CSV file", "CSV-Datei"),
        Sarif = "sarif" ("SARIF file", "SARIF-Datei"),
        Trivy = "trivy" ("Trivy report", "Trivy-Bericht"),
    }
}

/// The tenant's name for the source of findings, such as a yearly penetration test. Results are recognised, and
/// closed when they are missing, only within their source. The default is the kind of file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceName(String);

impl SourceName {
    pub const MAX: usize = 100;

    pub fn parse(text: &str) -> Result<Self, TextError> {
        let name = Name::parse(text)?;
        if name.as_str().chars().count() > Self::MAX {
            return Err(TextError::TooLong(Self::MAX));
        }
        Ok(Self(name.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The displayed name: the kind of file by its label.
    pub fn shown(&self, language: Language) -> &str {
        Source::find(&self.0).map_or(&self.0, |kind| kind.label().text(language))
    }
}

impl From<Source> for SourceName {
    fn from(kind: Source) -> Self {
        Self(kind.as_str().to_owned())
    }
}

impl FromStr for SourceName {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse(text)
    }
}

/// Identifies the same result in the next file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a fingerprint")]
pub struct NotAFingerprint;

impl Fingerprint {
    /// The hash of parts whose order and boundaries count: `["ab", "c"]` is not `["a", "bc"]`.
    #[must_use]
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part.as_bytes());
        }
        Self(hash.finalize().into())
    }
}

impl From<[u8; 32]> for Fingerprint {
    /// From an existing digest, such as that of a whole file.
    fn from(digest: [u8; 32]) -> Self {
        Self(digest)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fingerprint {
    type Err = NotAFingerprint;

    fn from_str(text: &str) -> Result<Self, NotAFingerprint> {
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotAFingerprint)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let value = |digit: u8| char::from(digit).to_digit(16).filter(|_| !digit.is_ascii_uppercase());
            let (high, low) = value(pair[0]).zip(value(pair[1])).ok_or(NotAFingerprint)?;
            *byte = u8::try_from(high * 16 + low).map_err(|_| NotAFingerprint)?;
        }
        Ok(Self(bytes))
    }
}

/// The origin of a finding. Within a tenant the source and the fingerprint identify it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    pub source: Source,
    /// The scope of the file, such as one tool or one image. Only results of the same scope can disappear.
    pub scope: String,
    pub fingerprint: Fingerprint,
}

/// A finding that a file asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub origin: Origin,
    pub finding: FindingDraft,
    /// Its line, in a file that has lines.
    pub line: Option<u64>,
    /// The finding that it names, in an export of ours.
    pub known: Option<Known>,
}

/// How an export of ours identifies a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Id(FindingId),
    Reference(FindingReference),
}

impl Candidate {
    /// The hash of the finding's content, so that an equal result in another file is recognised. The time of
    /// detection is left out, because many files do not contain it.
    pub fn content(&self) -> Fingerprint {
        // Every field is named, so that a new one does not compile until it is decided whether it counts.
        let FindingDraft {
            reference: (),
            programme_id,
            test_case_id,
            title,
            description,
            severity,
            status: _,
            owner,
            affected_asset,
            cve,
            cvss,
            remediation,
            root_cause,
            acceptance: _,
            measures,
            requirements,
            controls,
            detected_at: _,
            due_on,
            due_by_rule: _,
            closed_at: _,
        } = &self.finding;
        let text = |text: Option<String>| text.unwrap_or_default();
        let mut parts = vec![
            title.to_string(),
            severity.to_string(),
            text(description.as_ref().map(ToString::to_string)),
            text(owner.as_ref().map(ToString::to_string)),
            text(affected_asset.as_ref().map(ToString::to_string)),
            text(cve.as_ref().map(ToString::to_string)),
            text(cvss.map(|score| score.tenths().to_string())),
            text(remediation.as_ref().map(ToString::to_string)),
            measures.join(" "),
            text(due_on.map(|day| day.to_string())),
        ];
        // If the file names no programme and no test case, the hash is the same as before they could be named.
        parts.extend(programme_id.map(|id| id.to_string()));
        parts.extend(test_case_id.map(|id| id.to_string()));
        // The same holds for what findings name since later; each begins with its name, so that none is taken for another.
        parts.extend(root_cause.as_ref().map(|text| format!("root_cause {text}")));
        parts.extend((!requirements.is_empty()).then(|| format!("requirements {}", requirements.join(" "))));
        let controls: Vec<String> = controls.iter().map(ToString::to_string).collect();
        parts.extend((!controls.is_empty()).then(|| format!("controls {}", controls.join(" "))));
        Fingerprint::of(parts.iter().map(String::as_str))
    }

    /// The finding with the values of a newer file. Values that the file leaves empty stay.
    pub fn renew(self, before: &Finding) -> Finding {
        let said = self.finding;
        let before = before.clone();
        let moved = said.programme_id.is_some_and(|programme| Some(programme) != before.programme_id);
        let test_case_id = if moved { said.test_case_id } else { said.test_case_id.or(before.test_case_id) };
        let due_on = said.due_on.or(before.due_on);
        let due_by_rule = before.keeps_rule(due_on);
        Finding {
            programme_id: said.programme_id.or(before.programme_id),
            test_case_id,
            title: said.title,
            description: said.description.or(before.description),
            severity: said.severity,
            owner: said.owner.or(before.owner),
            affected_asset: said.affected_asset.or(before.affected_asset),
            cve: said.cve.or(before.cve),
            cvss: said.cvss.or(before.cvss),
            remediation: said.remediation.or(before.remediation),
            root_cause: said.root_cause.or(before.root_cause),
            measures: if said.measures.is_empty() { before.measures } else { said.measures },
            requirements: if said.requirements.is_empty() { before.requirements } else { said.requirements },
            controls: if said.controls.is_empty() { before.controls } else { said.controls },
            due_on,
            due_by_rule,
            reference: before.reference,
            status: before.status,
            acceptance: before.acceptance,
            detected_at: before.detected_at,
            closed_at: before.closed_at,
        }
    }
}

/// Takes one candidate after the other, and may stop.
pub type Sink<'a> = dyn FnMut(Candidate) -> ControlFlow<()> + 'a;

/// The result of reading a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Passed on.
    pub candidates: u64,
    /// No findings: passed, suppressed or absent.
    pub skipped: u64,
    /// Repetitions of the same result.
    pub repeated: u64,
    /// The scopes of the file, also without results.
    pub scopes: Vec<String>,
}

/// A tool's result, before it is cut to our bounds.
#[derive(Debug, Default)]
pub(super) struct ToolResult {
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) affected_asset: Option<String>,
    pub(super) remediation: Option<String>,
    pub(super) cve: Option<Cve>,
    pub(super) cvss: Option<CvssScore>,
}

impl ToolResult {
    /// Tools write texts of any length: too long ones are cut, unprintable characters are removed.
    pub(super) fn into_finding(self, severity: Severity, now: Moment) -> FindingDraft {
        Finding {
            reference: (),
            programme_id: None,
            test_case_id: None,
            title: Name::fitted(&self.title).unwrap_or_else(Name::untitled),
            description: self.description.as_deref().and_then(Prose::fitted),
            severity,
            status: FindingStatus::Open,
            owner: None,
            affected_asset: self.affected_asset.as_deref().and_then(Name::fitted),
            cve: self.cve,
            cvss: self.cvss,
            remediation: self.remediation.as_deref().and_then(Prose::fitted),
            root_cause: None,
            acceptance: None,
            measures: Vec::new(),
            requirements: Vec::new(),
            controls: Vec::new(),
            detected_at: now,
            due_on: None,
            due_by_rule: false,
            closed_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::due_days::DueDays;

    #[test]
    fn borders_between_parts_count() {
        let one = Fingerprint::of(["ab", "c"]);
        for other in [vec!["a", "bc"], vec!["abc"], vec!["ab", "c", ""], vec!["c", "ab"]] {
            assert_ne!(one, Fingerprint::of(other));
        }
        assert_eq!(one, Fingerprint::of(["ab", "c"]));
    }

    #[test]
    fn a_fingerprint_survives_text() {
        let print = Fingerprint::of(["a"]);
        assert_eq!(print.to_string().parse(), Ok(print));
        for bad in ["", "ab", &"g".repeat(64), &print.to_string().to_uppercase(), &"é".repeat(32)] {
            assert_eq!(bad.parse::<Fingerprint>(), Err(NotAFingerprint), "{bad}");
        }
    }

    #[test]
    fn a_newer_file_changes_what_it_says_and_nothing_else() {
        let said = |title: &str, remediation: Option<&str>| Candidate {
            origin: Origin { source: Source::Csv, scope: "csv".into(), fingerprint: Fingerprint::of(["1"]) },
            finding: ToolResult {
                title: title.into(),
                remediation: remediation.map(str::to_owned),
                ..ToolResult::default()
            }
            .into_finding(Severity::Low, Moment::from_millis(0)),
            line: None,
            known: None,
        };
        let (old, new) = (said("A", Some("Patch it")), said("B", None));
        assert_eq!(old.content(), said("A", Some("Patch it")).content());
        assert_ne!(old.content(), new.content());
        let reference = FindingReference::new(2026, 1).unwrap();
        let mut kept = old.finding.numbered(reference, &DueDays::default());
        kept.owner = Name::parse("Ms Sommer").ok();
        kept.status = FindingStatus::FalsePositive;
        let renewed = new.renew(&kept);
        assert_eq!(renewed, Finding { title: Name::parse("B").unwrap(), ..kept });
    }

    #[test]
    fn whatever_a_tool_says_fits() {
        let said = ToolResult {
            title: format!("a\nb\0c {}", "é".repeat(300)),
            description: Some(format!("x\u{7}y\r\n{}", "z".repeat(20_000))),
            affected_asset: Some("\u{1b}[31m".into()),
            remediation: Some(" \n ".into()),
            ..ToolResult::default()
        };
        let finding = said.into_finding(Severity::Low, Moment::from_millis(0));
        assert!(finding.title.as_str().starts_with("a b c éé") && finding.title.as_str().ends_with('…'));
        assert_eq!(finding.title.as_str().chars().count(), Name::MAX);
        let description = finding.description.unwrap();
        assert!(description.as_str().starts_with("xy\nzz") && description.as_str().ends_with('…'));
        assert_eq!(description.as_str().chars().count(), Prose::MAX);
        assert_eq!(finding.affected_asset.unwrap().as_str(), "[31m");
        assert_eq!(finding.remediation, None);
        let nameless = ToolResult::default().into_finding(Severity::Low, Moment::from_millis(0));
        assert_eq!(nameless.title.as_str(), "Untitled");
    }
}
