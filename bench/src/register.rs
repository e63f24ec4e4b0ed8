//! A large register: imported, then analysed beside the bare GROUP BYs over the same rows.
//!
//! 100,000 arrangements, 5,000 providers in groups, two in five with a supply chain four deep.

use std::{fmt::Write as _, sync::Arc, time::Instant};

use app::{
    analysis::AnalysisRequest,
    register::{ImportOptions, ImportOutcome, Upload},
};
use rusqlite::Connection;

use crate::{
    fixture::Fixture,
    memory::Peak,
    report::{Report, Target, median},
};

const ARRANGEMENTS: usize = 100_000;
const PROVIDERS: usize = 5_000;
const ROUNDS: usize = 5;

pub(crate) async fn measure(report: &mut Report) {
    let fixture = Fixture::new().await;
    import(report, &fixture).await;
    analyse(report, &fixture).await;
}

async fn import(report: &mut Report, fixture: &Fixture) {
    let path = fixture.dir.path().join("register.csv");
    std::fs::write(&path, table()).unwrap();
    let upload = Upload::File(std::fs::File::open(&path).unwrap());
    let (peak, started) = (Peak::start(), Instant::now());
    let outcome = fixture
        .app
        .third_parties
        .import_arrangements(&fixture.caller, upload, ImportOptions::default(), Arc::new(|_, _| {}))
        .await
        .unwrap();
    let seconds = started.elapsed().as_secs_f64();
    let ImportOutcome::Done(done) = outcome else { panic!("the register was refused: {outcome:?}") };
    assert_eq!(done.added, ARRANGEMENTS as u64);
    let note = format!("{ARRANGEMENTS} arrangements in {seconds:.1} s");
    report.add("memory of importing a register", peak.mebibytes(), "MiB", Target::AtMost(300.0), note);
}

async fn analyse(report: &mut Report, fixture: &Fixture) {
    let bare = Connection::open(fixture.dir.path().join("tidewall.db")).unwrap();
    let (mut ours, mut theirs, mut most) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let groups = group_bys(&bare);
        theirs.push(started.elapsed().as_secs_f64());
        assert!(groups > PROVIDERS);
        let (peak, started) = (Peak::start(), Instant::now());
        let request = AnalysisRequest::default();
        fixture
            .app
            .third_parties
            .analyse(&fixture.caller, request, None, Box::new(|_| String::new()))
            .await
            .unwrap();
        ours.push(started.elapsed().as_secs_f64());
        most = most.max(peak.mebibytes());
    }
    let (ours, theirs) = (median(ours), median(theirs));
    let note = format!("{:.0} ms, the bare GROUP BYs {:.0} ms", ours * 1e3, theirs * 1e3);
    report.add("analysis beside four GROUP BYs", ours / theirs, "×", Target::AtMost(1.5), note);
    let note = format!("{ARRANGEMENTS} arrangements, {PROVIDERS} providers");
    report.add("memory of an analysis", most, "MiB", Target::AtMost(200.0), note);
}

/// The sums of the four dimensions; how many groups there were.
fn group_bys(bare: &Connection) -> usize {
    let mut groups = 0;
    for column in ["provider_name", "provider_sector", "region", "technology"] {
        let sql = format!(
            "SELECT {column}, SUM(cost_amount), COUNT(*) FROM arrangements
             WHERE tenant_id = (SELECT tenant_id FROM arrangements LIMIT 1) GROUP BY {column}"
        );
        let mut statement = bare.prepare(&sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let (_, sum): (String, i64) = (row.get(0).unwrap(), row.get(1).unwrap());
            assert!(sum > 0);
            groups += 1;
        }
    }
    groups
}

fn table() -> String {
    let mut csv = String::from(
        "reference,provider_name,provider_country,provider_sector,parent_name,service,service_type,technology,\
         region,critical_functions,other_functions,substitutability,exit_plan,annual_cost,currency,starts_on,\
         storage_countries,subcontractors\n",
    );
    for number in 0..ARRANGEMENTS {
        let provider = number * 7919 % PROVIDERS;
        let (sector, region, technology) = (provider % 20, number % 60, number * 31 % 200);
        let critical = if number % 10 == 0 { format!("Function {}", number % 300) } else { String::new() };
        let chain = if number % 5 < 2 {
            let first = number * 104_729 % PROVIDERS;
            format!("Node {first} > Carrier {} > Power {} > Grid {}", first % 500, first % 50, first % 5)
        } else {
            String::new()
        };
        writeln!(
            csv,
            "C-{number:06},Provider {provider} AG,DE,Sector {sector},Group {},Service {number},S{:02},\
             Technology {technology},Region {region},{critical},Office {},{},{},{},EUR,2024-01-01,DE|FR,{chain}",
            provider % 900,
            number % 19 + 1,
            number % 1000,
            ["easy", "medium", "hard", "impossible"][number % 4],
            ["yes", "no", ""][number % 3],
            1000 + number % 50_000,
        )
        .unwrap();
    }
    csv
}
