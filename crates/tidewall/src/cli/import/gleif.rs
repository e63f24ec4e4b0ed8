//! `tidewall import gleif`: GLEIF's golden copy, from which the LEIs in use are stored.

use std::{io::Write, path::PathBuf};

use clap::Args;

use super::{
    super::{
        CliError, GlobalFlags,
        offline::{Access, with_app},
    },
    open,
};

#[derive(Clone, Debug, Args)]
pub struct GleifArgs {
    /// The golden copy as CSV, zipped or not: level 1 (entities) or level 2 (relationships)
    pub file: PathBuf,
}

pub(super) fn run(global: &GlobalFlags, args: &GleifArgs, out: &mut impl Write) -> Result<(), CliError> {
    let file = open(&args.file)?;
    with_app(global, Access::Change, async |app, _| {
        let report = app.third_parties.import_gleif(file).await?;
        writeln!(
            out,
            "{} rows read, {} of the {} LEIs in use found",
            report.rows, report.found, report.in_use
        )?;
        Ok(())
    })
}
