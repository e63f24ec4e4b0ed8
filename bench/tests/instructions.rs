//! Instructions per request, counted by callgrind: the one figure that no busy machine changes. More than a tenth
//! above what `bench/instructions.txt` says fails.
//!
//! The build is the one the tests use, so these are figures of unoptimised code; what they are for is to notice what
//! makes a request dearer. `TIDEWALL_INSTRUCTIONS=accept` writes what was counted into the file.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, process::Command};

const ACCEPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

#[test]
fn no_request_becomes_dearer_unnoticed() {
    let counted = count();
    if std::env::var("TIDEWALL_INSTRUCTIONS").is_ok_and(|wish| wish == "accept") {
        let mut text = String::new();
        for (request, instructions) in &counted {
            writeln!(text, "{request} {instructions}").unwrap();
        }
        fs::write(ACCEPTED, text).unwrap();
    }
    let accepted = fs::read_to_string(ACCEPTED).unwrap();
    let accepted: BTreeMap<&str, u64> = accepted
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(request, instructions)| (request, instructions.parse().unwrap()))
        .collect();
    assert!(accepted.keys().copied().eq(counted.keys().map(String::as_str)), "{counted:?}");
    let mut dearer = Vec::new();
    for (request, now) in &counted {
        let before = accepted[request.as_str()];
        println!("{request}: {now} instructions a request, {before} accepted");
        if *now > before * 110 / 100 {
            dearer.push(format!("{request}: {now} instructions instead of {before}"));
        }
    }
    assert!(
        dearer.is_empty(),
        "{dearer:?}: if that is meant, run this test with TIDEWALL_INSTRUCTIONS=accept and say why in the commit"
    );
}

/// Runs the requests under callgrind, which collects only inside the functions that make them and inside the store's
/// readers.
fn count() -> BTreeMap<String, u64> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("callgrind.out");
    let run = Command::new("valgrind")
        .args([
            "--quiet",
            "--tool=callgrind",
            "--collect-atstart=no",
            "--compress-strings=no",
            "--compress-pos=no",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .args(["--toggle-collect=*instructions::counted_*", "--toggle-collect=*sql::readers::snapshot*"])
        .arg(env!("CARGO_BIN_EXE_tidewall-bench"))
        .arg("instructions")
        .env("CARGO_TARGET_DIR", dir.path())
        .output()
        .expect("this test needs valgrind: run scripts/test, which installs it");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let times: u64 = String::from_utf8(run.stdout).unwrap().trim().parse().unwrap();
    inclusive(&out).into_iter().map(|(request, sum)| (request, sum / times)).collect()
}

/// What the watched functions cost with everything they call, from the table `callgrind_annotate` prints.
fn inclusive(out: &Path) -> BTreeMap<String, u64> {
    let table = Command::new("callgrind_annotate")
        .args(["--inclusive=yes", "--threshold=100", "--auto=no"])
        .arg(out)
        .output()
        .unwrap();
    let mut costs = BTreeMap::new();
    for line in String::from_utf8_lossy(&table.stdout).lines() {
        let Some(cost) =
            line.split_whitespace().next().and_then(|text| text.replace(',', "").parse::<u64>().ok())
        else {
            continue;
        };
        if let Some(name) = watched(line) {
            let sum: &mut u64 = costs.entry(name).or_default();
            *sum = cost.max(*sum);
        }
    }
    costs
}

fn watched(line: &str) -> Option<String> {
    if line.contains("readers::snapshot") {
        return Some("store_read".to_owned());
    }
    let (_, name) = line.split_once("instructions::counted_")?;
    Some(name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?.to_owned())
}
