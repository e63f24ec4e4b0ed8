//! The time of a report as PDF/UA beside other typesetters with the same text, and that of a large workbook.
//!
//! The others come from their registries: `TIDEWALL_BENCH_PEERS` names a Python with WeasyPrint and Typst, which
//! `scripts/bench pdf` makes. Each loads its fonts before its time is taken.

use std::{
    collections::BTreeMap,
    env,
    io::Write as _,
    process::{Command, Stdio},
    time::Instant,
};

use reports::{
    csv::ColumnKind,
    document::{Badge, Cell, Column, Document, Language, Section, Table, Tone},
    pdf, xlsx,
};
use serde_json::{Value, json};

use crate::report::{Report, Target, median};

const SIZES: [usize; 3] = [1, 100, 1_000];
const ROUNDS: usize = 5;
const ROWS: usize = 100_000;
/// How many times faster than the faster one of the others.
const GOAL: f64 = 10.0;

const PARAGRAPH: &str = "The last restore of the core banking database was rehearsed more than a year ago and took \
     longer than the recovery time objective allows. The plan names no person who decides about the switch to the \
     other site, and the copies that would be restored are kept in the network that they are to survive.";

pub(crate) fn measure(report: &mut Report) {
    workbook(report);
    let others = others();
    for size in SIZES {
        let text = document(size);
        let ours = seconds(|| drop(pdf::render(&text).unwrap()));
        let what = format!("PDF/UA of {size} findings");
        report.add(&what, ours * 1e3, "ms", Target::Shown, format!("median of {ROUNDS}"));
        let times =
            |(name, times): (&String, &Value)| Some((times[size.to_string()].as_f64()?, name.clone()));
        let fastest = others.iter().filter_map(times).min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((theirs, name)) = fastest else {
            println!("pdf: no other typesetter at hand (run scripts/bench pdf); left out");
            continue;
        };
        let note = format!("{name} takes {:.0} ms for the same text", theirs * 1e3);
        report.add(&format!("{what}, times faster"), theirs / ours, "×", Target::AtLeast(GOAL), note);
    }
}

fn workbook(report: &mut Report) {
    let target = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    let folder = tempfile::tempdir_in(target).unwrap();
    let columns = ["reference", "title", "severity", "owner", "due_on"].map(|name| (name, ColumnKind::Text));
    let took = seconds(|| {
        let mut sheet = xlsx::Writer::new("findings", &columns, folder.path()).unwrap();
        for number in 0..ROWS {
            let row =
                [format!("F-2026-{number:06}"), title(number), severity(number).into(), "Anna Weber".into()];
            sheet.row(row.iter().map(String::as_str).chain(["2026-12-31"])).unwrap();
        }
        sheet.finish(Vec::new()).unwrap();
    });
    report.add("XLSX of 100,000 rows", took, "s", Target::AtMost(2.0), format!("median of {ROUNDS}"));
}

/// The times of the others in seconds, by their name and the number of findings.
fn others() -> BTreeMap<String, Value> {
    let Some(python) = env::var_os("TIDEWALL_BENCH_PEERS") else { return BTreeMap::new() };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/pdf.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let findings = |size: usize| -> Vec<Value> {
        let finding =
            |number| json!({ "title": title(number), "severity": severity(number), "text": PARAGRAPH });
        (0..size).map(finding).collect()
    };
    let task = json!({ "rounds": ROUNDS, "documents": SIZES.map(findings) });
    child.stdin.take().unwrap().write_all(task.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn seconds(work: impl Fn()) -> f64 {
    work();
    let round = |_| {
        let began = Instant::now();
        work();
        began.elapsed().as_secs_f64()
    };
    median((0..ROUNDS).map(round).collect())
}

fn title(number: usize) -> String {
    format!("Restores of the core banking database are not tested, part {number}")
}

fn severity(number: usize) -> &'static str {
    ["critical", "high", "medium", "low"][number % 4]
}

fn document(findings: usize) -> Document {
    let columns = [Column::share("Title", 3).row_header(), Column::points("Severity", 90)];
    let overview = (0..findings).fold(Table::new(columns), |table, number| {
        table.row([Cell::from(title(number)), Cell::badge(Tone::Warning, severity(number))])
    });
    let details = (0..findings).fold(Section::new("Findings"), |section, number| {
        section
            .heading(title(number))
            .badges([Badge::new(Tone::Warning, severity(number))])
            .key_values([("Owner", "Anna Weber"), ("Due on", "2026-12-31")])
            .paragraph(PARAGRAPH)
    });
    Document::new(Language::English, "Open findings")
        .organisation("Hanse Bank AG")
        .section(Section::new("Overview").table(overview))
        .section(details)
}
