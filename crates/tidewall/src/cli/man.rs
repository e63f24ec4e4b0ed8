//! `tidewall man`: the manual pages, generated from the definition of the command line.

use std::{fs, io::Write, path::PathBuf};

use clap::Args;
use clap_mangen::Man;

use super::CliError;

const EXAMPLES: &str = "\
Examples:
  tidewall man | man -l -                             read the first page
  tidewall man --dir /usr/local/share/man/man1        install all of them, one for each verb";

/// Print the manual page, or write one for each verb
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// Write every page into this directory
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs, command: clap::Command, out: &mut impl Write) -> Result<(), CliError> {
    let Some(directory) = &args.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return Ok(out.write_all(&page)?);
    };
    fs::create_dir_all(directory)?;
    clap_mangen::generate_to(command, directory)?;
    writeln!(out, "the pages are in {}", directory.display())?;
    Ok(())
}
