//! The `tidewall` program. Everything it does is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    tidewall::cli::run()
}
