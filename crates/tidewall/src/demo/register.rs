//! The demo's register: 80 arrangements with 30 providers in 9 groups, two supply chains that meet in one
//! subcontractor, a breach in each dimension, and one analysis of it all.

use std::sync::Arc;

use app::{
    App,
    analysis::{Analysis, AnalysisRequest},
    authz::Caller,
    register::{ImportOptions, ImportOutcome, Upload},
};

use crate::cli::CliError;

/// The same table a bank would send.
const REGISTER: &str = include_str!("register.csv");

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let upload = Upload::bytes(REGISTER.as_bytes().into());
    let silent = Arc::new(|_, _| ());
    let options = ImportOptions::default();
    if let ImportOutcome::Refused(problems) = app.import_arrangements(owner, upload, options, silent).await? {
        return Err(CliError::Failed(format!("the demo's register is not sound: {problems}")));
    }
    let nothing = |_: &Analysis| String::new();
    app.analyse(owner, AnalysisRequest::default(), None, nothing).await?;
    Ok(())
}
