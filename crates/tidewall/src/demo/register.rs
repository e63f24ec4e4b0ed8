//! The demo's register: 80 arrangements with 30 providers in 9 groups, two supply chains that meet in one
//! subcontractor, a breach in each dimension, and one analysis of it all.

use app::{
    App,
    analysis::{Analysis, AnalysisRequest},
    authz::Caller,
    register::{ImportOptions, ImportOutcome},
    upload::{self, Upload},
};

use crate::cli::CliError;

/// The same table a bank would send.
const REGISTER: &str = include_str!("register.csv");

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let file = Upload::bytes(REGISTER.as_bytes().into());
    let outcome = app.import_arrangements(owner, file, ImportOptions::default(), upload::silent()).await?;
    if let ImportOutcome::Refused(problems) = outcome {
        return Err(CliError::Failed(format!("the demo's register is not sound: {problems}")));
    }
    let nothing = |_: &Analysis| String::new();
    app.analyse(owner, AnalysisRequest::default(), None, Box::new(nothing)).await?;
    Ok(())
}
