//! Writes sample reports into a directory, to look at them: `cargo run -p tidewall-reports --example samples -- DIR`.

#[path = "../tests/pdf/samples.rs"]
mod samples;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use tidewall_reports::document::Language;
use tidewall_reports::pdf;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "target/samples".into()));
    fs::create_dir_all(&directory)?;
    let reports = [
        ("findings-en", samples::findings(Language::English, 40)),
        ("findings-de", samples::findings(Language::German, 3)),
        ("concentration-en", samples::concentration(Language::English)),
        ("oddities", samples::oddities()),
        ("concentration-de", samples::concentration(Language::German)),
    ];
    for (name, report) in reports {
        fs::write(directory.join(format!("{name}.pdf")), pdf::render(&report)?)?;
    }
    Ok(())
}
