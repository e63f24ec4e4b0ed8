//! `tidewall openapi`: the API's description, as served and as committed.

use std::io::Write;

use super::{CliError, print_json};

/// Print the OpenAPI 3.1 document
#[derive(Clone, Debug, clap::Args)]
pub struct OpenapiArgs {}

pub(super) fn run(out: &mut impl Write) -> Result<(), CliError> {
    print_json(&api::docs::openapi(), out)
}
