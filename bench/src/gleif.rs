//! A golden copy of GLEIF as it is published: one zipped table of three million rows and more than three hundred columns,
//! most of them empty.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
    time::Instant,
};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::{
    fixture::Fixture,
    memory::Peak,
    report::{Report, Target},
};

const ROWS: usize = 3_000_000;
const COLUMNS: usize = 338;
/// Columns between those that the import reads, filled like the addresses and dates of the published file.
const FILLED: usize = 40;

/// Loads the file into an institution whose register names `in_use` of its LEIs.
pub(crate) async fn measure(report: &mut Report, fixture: &Fixture, in_use: &[String]) {
    let path = fixture.dir.path().join("golden-copy.csv.zip");
    let unpacked = write(&path, in_use);
    let file = File::open(&path).unwrap();
    let (peak, started) = (Peak::start(), Instant::now());
    let loaded = fixture.app.third_parties.import_gleif(file).await.unwrap();
    let (seconds, mebibytes) = (started.elapsed().as_secs_f64(), peak.mebibytes());
    assert_eq!((loaded.rows, loaded.found), (ROWS as u64, in_use.len() as u64));
    let note = format!("{ROWS} rows of {COLUMNS} columns, {} MiB unpacked", unpacked >> 20);
    report.add("reading a golden copy of GLEIF", seconds, "s", Target::AtMost(60.0), note);
    let note = format!("{} of {} LEIs in use found", loaded.found, loaded.in_use);
    report.add("memory of reading it", mebibytes, "MiB", Target::AtMost(150.0), note);
    std::fs::remove_file(&path).unwrap();
}

/// Writes the file; how many bytes it has when unpacked.
fn write(path: &Path, in_use: &[String]) -> usize {
    let mut archive = ZipWriter::new(BufWriter::new(File::create(path).unwrap()));
    let quick = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .large_file(true);
    archive.start_file("golden-copy.csv", quick).unwrap();
    let mut table = BufWriter::with_capacity(1 << 20, archive);
    let head = [
        "LEI",
        "Entity.LegalName",
        "Entity.LegalAddress.Country",
        "Entity.EntityStatus",
        "Registration.RegistrationStatus",
        "Registration.NextRenewalDate",
    ];
    let rest = (head.len()..COLUMNS).map(|number| format!("Column.{number}"));
    let heads: Vec<String> = head.iter().map(|&name| name.to_owned()).chain(rest).collect();
    let mut unpacked = table.write(format!("{}\n", heads.join(",")).as_bytes()).unwrap();
    let empty = ",\"\"".repeat(COLUMNS - head.len() - FILLED);
    for row in 0..ROWS {
        // Those in use are spread over the whole file.
        let every = ROWS / in_use.len();
        let known = (row % every == 0).then(|| in_use.get(row / every)).flatten();
        let lei = known.cloned().unwrap_or_else(|| format!("9845{row:014}00"));
        let mut line = format!(
            "\"{lei}\",\"Company {row}, Société Générale\",\"DE\",\"ACTIVE\",\"ISSUED\",\"2027-05-01T00:00:00Z\""
        );
        for column in 0..FILLED {
            line.push_str(",\"");
            line.push_str(&(row * 31 + column).to_string());
            line.push_str(" High Street\"");
        }
        line.push_str(&empty);
        line.push('\n');
        table.write_all(line.as_bytes()).unwrap();
        unpacked += line.len();
    }
    table.into_inner().unwrap().finish().unwrap().flush().unwrap();
    unpacked
}
