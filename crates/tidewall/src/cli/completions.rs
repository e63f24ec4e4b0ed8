//! `tidewall completions`: shell completions.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::CliError;

const EXAMPLES: &str = "\
Examples:
  bash   tidewall completions bash > /etc/bash_completion.d/tidewall
  zsh    tidewall completions zsh > \"${fpath[1]}/_tidewall\"
  fish   tidewall completions fish > ~/.config/fish/completions/tidewall.fish";

/// Print completions for a shell
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell to write them for
    #[arg(value_enum)]
    pub shell: Shell,
}

pub(super) fn run(
    args: &CompletionsArgs,
    mut command: clap::Command,
    out: &mut impl Write,
) -> Result<(), CliError> {
    // The generator panics when it cannot write, so it gets a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tidewall", &mut script);
    Ok(out.write_all(&script)?)
}
