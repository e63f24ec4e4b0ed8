//! Reports in the format of OSV-Scanner.

use std::io::Cursor;

use super::*;
use crate::scan::Summary;

const REPORT: &str = r#"{
  "results": [
    {
      "source": {"path": "/repo/Cargo.lock", "type": "lockfile"},
      "packages": [
        {
          "package": {"name": "rustls", "version": "0.23.14", "ecosystem": "crates.io"},
          "vulnerabilities": [
            {"id": "GHSA-qg5g-gv98-5ffh", "summary": "rustls panic", "aliases": ["RUSTSEC-2024-0399"],
             "severity": [{"type": "CVSS_V4", "score": "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N"}],
             "affected": [{"package": {"name": "rustls"}, "ranges": [
               {"type": "GIT", "events": [{"fixed": "abcdef"}]},
               {"type": "SEMVER", "events": [{"introduced": "0.23.13"}, {"fixed": "0.23.18"}]},
               {"type": "SEMVER", "events": [{"introduced": "0.24.0"}, {"fixed": "0.24.2"}]}]}]},
            {"id": "RUSTSEC-2024-0399", "details": "\nLonger text\nmore"}
          ],
          "groups": [{"ids": ["GHSA-qg5g-gv98-5ffh", "RUSTSEC-2024-0399"], "aliases": [], "max_severity": "8.2"}]
        },
        {
          "package": {"name": "old", "version": "2019.1", "ecosystem": "PyPI"},
          "vulnerabilities": [
            {"id": "PYSEC-1", "details": "\n\nFirst line\nmore", "database_specific": {"severity": "MODERATE"},
             "affected": [{"ranges": [{"type": "ECOSYSTEM", "events": [{"fixed": "2019.2"}, {"fixed": "2020.1"}]}]}]},
            {"id": "PYSEC-2", "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}]},
            {"id": "PYSEC-3", "database_specific": {"severity": 7}}
          ],
          "groups": [{"ids": ["PYSEC-1"], "max_severity": ""}]
        }
      ]
    },
    {"source": {"path": "/repo/package-lock.json"}, "packages": null}
  ],
  "experimental_config": {"licenses": {"summary": false}}
}"#;

fn read(text: &str) -> Result<Scan, ImportError> {
    scan(&mut Cursor::new(text), "2026-11-14T12:00:00Z".parse().unwrap())
}

#[test]
fn a_group_of_names_is_one_vulnerability() {
    let scan = read(REPORT).unwrap();
    assert_eq!(scan.target, "/repo/Cargo.lock and 1 more");
    let listed: Vec<_> = scan
        .vulnerabilities()
        .iter()
        .map(|one| {
            format!("{} {} {} {:?} {}", one.severity, one.id, one.package, one.fixed_in.as_deref(), one.title)
        })
        .collect();
    assert_eq!(
        listed,
        [
            "critical PYSEC-2 old None PYSEC-2",
            "high GHSA-qg5g-gv98-5ffh rustls Some(\"0.23.18\") rustls panic",
            "medium PYSEC-1 old Some(\"2020.1\") First line",
            "unknown PYSEC-3 old None PYSEC-3",
        ]
    );
    assert_eq!(scan.summary(), Summary { critical: 1, high: 1, medium: 1, low: 0, unknown: 1 });
}

#[test]
fn a_clean_report_is_a_scan_without_results_and_another_file_is_none() {
    assert_eq!(read(r#"{"results": []}"#).unwrap().summary(), Summary::default());
    assert!(read(r#"{"Results": []}"#).unwrap_err().to_string().contains("missing field `results`"));
    assert!(read("[]").unwrap_err().to_string().contains("OSV-Scanner"));
    let deep = format!(r#"{{"results": [{}{}]}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(read(&deep), Err(ImportError::TooDeep)));
}
