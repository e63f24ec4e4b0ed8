//! A large register in its official form: checked as a whole, written as a package, written and read as a workbook, and its
//! LEIs compared with a golden copy.
//!
//! 5,000 arrangements in fifteen templates are 60,000 rows. How checking grows is measured from a thousand to a million rows.

use std::{fmt::Write as _, time::Instant};

use app::register::{ExportFormat, ImportOptions, RegisterImportOutcome, Upload};
use domain::{
    lei::Lei,
    register::{
        Template,
        filing::{ProblemFilter, Report as Checks, Scope, check},
        sheets::{SheetRow, Sheets},
    },
    wording::Language,
};

use crate::{
    fixture::Fixture,
    gleif,
    memory::Peak,
    report::{Report, Target, median},
};

const ARRANGEMENTS: usize = 5_000;
/// Rows that an arrangement has in all templates.
pub(crate) const ROWS_EACH: usize = 12;
const ROUNDS: usize = 5;

pub(crate) async fn measure(report: &mut Report) {
    growth(report);
    let fixture = Fixture::new().await;
    fill(&fixture, ARRANGEMENTS).await;
    checks(report, &fixture).await;
    package(report, &fixture).await;
    workbook(report, &fixture).await;
    let in_use: Vec<String> = (0..ARRANGEMENTS).map(provider).collect();
    gleif::measure(report, &fixture, &in_use).await;
}

/// The LEI of the provider of an arrangement.
fn provider(arrangement: usize) -> String {
    lei(1_000 + arrangement)
}

fn lei(number: usize) -> String {
    Lei::from_prefix(&format!("5299{number:014}")).unwrap().to_string()
}

/// The rows of each template as lines, cells separated by semicolons.
fn lines(arrangements: usize) -> Vec<(Template, String)> {
    let (bank, kind) = (lei(1), "eba_qCO:qx2000");
    let mut lines = vec![
        (Template::Maintainer, format!("{bank};Example Bank AG;eba_GA:DE;eba_CT:x12;BaFin;2025-12-31")),
        (
            Template::Entities,
            format!(
                "{bank};Example Bank AG;eba_GA:DE;eba_CT:x12;eba_RP:x53;{bank};2025-12-01;2025-01-17;9999-12-31;\
                 eba_CU:EUR;4820000000"
            ),
        ),
        (Template::Branches, format!("PARIS;{bank};Paris branch;eba_GA:FR")),
        (Template::IntraGroupLinks, "C-0;C-1;true".to_owned()),
        (Template::SigningMembers, format!("C-0;{bank};true")),
        (Template::Definitions, "A contract of its own".to_owned()),
        (
            Template::Functions,
            format!("F0;eba_TA:x28;Payments;{bank};eba_BT:x28;Deadlines;2025-09-15;2;1;eba_ZZ:x793"),
        ),
    ];
    for number in 0..arrangements {
        let (provider, sub) = (provider(number), lei(2_000_000 + number));
        let mut add = |template: Template, line: String| lines.push((template, line));
        add(Template::Contracts, format!("C-{number};eba_CO:x1;;eba_CU:EUR;{}", 1000 + number));
        for place in ["eba_GA:IE", "eba_GA:DE"] {
            let line = format!(
                "C-{number};{bank};{provider};{kind};F0;eba_TA:S17;2024-01-01;9999-12-31;;90;180;eba_GA:IE;\
                 eba_GA:IE;eba_BT:x28;{place};{place};eba_ZZ:x793;eba_ZZ:x797"
            );
            add(Template::ContractLines, line);
        }
        add(Template::Signatories, format!("C-{number};{bank};true"));
        add(Template::SigningProviders, format!("C-{number};{provider};{kind}"));
        add(Template::Users, format!("C-{number};{bank};eba_ZZ:x839;Not Applicable"));
        for (code, cost) in [(&provider, "eba_CU:EUR;1000"), (&sub, ";")] {
            let line = format!(
                "{code};{kind};;;Provider {number};Provider {number};eba_CT:x212;eba_GA:IE;{cost};{code};{kind}"
            );
            add(Template::Providers, line);
        }
        add(Template::SupplyChain, format!("C-{number};eba_TA:S17;{provider};{kind};1;{provider};{kind}"));
        add(Template::SupplyChain, format!("C-{number};eba_TA:S17;{sub};{kind};2;{provider};{kind}"));
        let assessed = format!(
            "C-{number};{provider};{kind};eba_TA:S17;eba_ZZ:x962;;2025-05-20;eba_BT:x28;eba_ZZ:x798;eba_ZZ:x791;\
             eba_BT:x29;"
        );
        add(Template::Assessments, assessed);
        add(
            Template::Functions,
            format!(
                "F{};eba_TA:x276;Function {number};{bank};eba_BT:x29;;2025-09-15;72;24;eba_ZZ:x791",
                number + 1
            ),
        );
    }
    lines
}

fn sheets(arrangements: usize) -> Sheets {
    let mut sheets = Sheets::default();
    for (number, (template, line)) in lines(arrangements).into_iter().enumerate() {
        let mut row = SheetRow::new(number.to_string(), template);
        for (cell, text) in row.cells.iter_mut().zip(line.split(';')) {
            *cell = text.into();
        }
        sheets.push(template, row);
    }
    sheets
}

/// The time of a check for each row, of a million rows beside that of a thousand. Linear growth is 1.
fn growth(report: &mut Report) {
    let seconds = |sheets: &Sheets, rounds: usize| {
        let mut all = Vec::new();
        for _ in 0..ROUNDS {
            let started = Instant::now();
            for _ in 0..rounds {
                let mut checks = Checks::new(ProblemFilter::counts());
                check(sheets, &mut checks);
                assert_eq!(checks.counts().refused, 0);
            }
            all.push(started.elapsed().as_secs_f64() / rounds as f64);
        }
        median(all) / sheets.len() as f64
    };
    let sizes = [(1_000, 200), (10_000, 20), (100_000, 2), (1_000_000, 1)];
    let each = sizes.map(|(rows, rounds)| seconds(&sheets(rows / ROWS_EACH), rounds));
    let nanoseconds = each.map(|seconds| format!("{:.0}", seconds * 1e9)).join(", ");
    let note = format!("{nanoseconds} ns a row at 1,000, 10,000, 100,000 and 1,000,000 rows");
    let [few, .., many] = each;
    report.add("growth of checking a register", many / few, "×", Target::AtMost(1.3), note);
}

/// Imports a register with so many arrangements, template by template.
pub(crate) async fn fill(fixture: &Fixture, arrangements: usize) {
    let lines = lines(arrangements);
    let mut tables: Vec<(Template, String)> = Vec::new();
    for template in Template::ALL {
        let heads: Vec<String> = template.columns().iter().map(|column| column.code().to_string()).collect();
        let width = heads.len();
        let mut csv = heads.join(",") + "\n";
        for (_, line) in lines.iter().filter(|(of, _)| *of == template) {
            let mut cells: Vec<&str> = line.split(';').collect();
            cells.resize(width, "");
            writeln!(csv, "{}", cells.join(",")).unwrap();
        }
        tables.push((template, csv));
    }
    for (template, csv) in tables {
        let options = ImportOptions { template: Some(template), ..ImportOptions::default() };
        let upload = Upload::bytes(csv.into_bytes().into());
        let outcome =
            fixture.app.third_parties.import_register(&fixture.caller, upload, options).await.unwrap();
        assert!(matches!(outcome, RegisterImportOutcome::Done(_)), "{template}");
    }
}

async fn checks(report: &mut Report, fixture: &Fixture) {
    let (mut all, mut most, mut rows) = (Vec::new(), 0.0_f64, 0);
    for _ in 0..ROUNDS {
        let (peak, started) = (Peak::start(), Instant::now());
        let standing = fixture.app.third_parties.register_standing(&fixture.caller).await.unwrap();
        all.push(started.elapsed().as_secs_f64());
        most = most.max(peak.mebibytes());
        assert_eq!(standing.readiness_pct, 100);
        rows = standing.rows;
    }
    assert!(rows > 60_000, "{rows}");
    let note = format!("{rows} rows, read from the store and checked by every rule");
    report.add("check of a register", median(all), "s", Target::AtMost(2.0), note);
    report.add("memory of a check of a register", most, "MiB", Target::AtMost(150.0), format!("{rows} rows"));
}

async fn package(report: &mut Report, fixture: &Fixture) {
    let mut all = Vec::new();
    let mut bytes = 0;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let format = ExportFormat::Package { scope: Scope::Individual, reference_date: None };
        bytes = fixture.app.third_parties.export_register(&fixture.caller, format).await.unwrap().bytes.len();
        all.push(started.elapsed().as_secs_f64());
    }
    let note = format!("{} KiB packed", bytes / 1024);
    report.add("package of a register", median(all), "s", Target::AtMost(3.0), note);
}

async fn workbook(report: &mut Report, fixture: &Fixture) {
    let started = Instant::now();
    let format = ExportFormat::Workbook(Language::English);
    let book = fixture.app.third_parties.export_register(&fixture.caller, format).await.unwrap().bytes;
    let note = format!("{} KiB", book.len() / 1024);
    report.add("workbook of a register", started.elapsed().as_secs_f64(), "s", Target::AtMost(10.0), note);
    let options = ImportOptions { dry_run: true, workbook: true, ..ImportOptions::default() };
    let (peak, started) = (Peak::start(), Instant::now());
    let upload = Upload::bytes(book.into());
    let outcome = fixture.app.third_parties.import_register(&fixture.caller, upload, options).await.unwrap();
    let seconds = started.elapsed().as_secs_f64();
    let RegisterImportOutcome::Done(read) = outcome else { panic!("the workbook was refused") };
    assert_eq!((read.readiness_pct, read.templates.len()), (100, 15));
    let note = format!("read and checked, nothing stored; {:.0} MiB", peak.mebibytes());
    report.add("reading a workbook of a register", seconds, "s", Target::AtMost(15.0), note);
}
