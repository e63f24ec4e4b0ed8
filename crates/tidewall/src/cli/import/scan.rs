//! `tidewall import scan`: the report of another scanner becomes the platform's latest scan.

use std::{io::Write, path::PathBuf};

use app::upload::Upload;
use clap::Args;

use super::{
    super::{
        CliError, GlobalFlags,
        offline::{Access, with_app},
        scan::print,
    },
    open,
};

#[derive(Clone, Debug, Args)]
pub struct ImportScanArgs {
    /// The JSON of `trivy … --format json` or `osv-scanner scan --format json`
    pub file: PathBuf,
}

pub(super) fn run(global: &GlobalFlags, args: &ImportScanArgs, out: &mut impl Write) -> Result<(), CliError> {
    let file = open(&args.file)?;
    with_app(global, Access::Change, async |app, _| {
        print(global, &app.operations.import_scan(Upload::File(file)).await?, out)
    })
}
