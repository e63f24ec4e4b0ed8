//! `tidewall doctor`: problems with this machine or store, and their remedies.

use std::{io::Write, path::PathBuf};

use app::clock::Clock;
use clap::Args;
use serde_json::json;

use super::{CliError, GlobalFlags, ServingFlags, audit::exported_heads, print_json};
use crate::{
    config::Configuration,
    doctor::{Depth, Finding, Verdict, examine},
};

const EXAMPLES: &str = "\
Examples:
  tidewall doctor --first-start               before the first start, when there is no store yet
  tidewall doctor                             when something is odd
  tidewall doctor --quick                     without reading the whole store
  tidewall doctor --heads audit.jsonl         also compare the audit log with heads exported earlier
  tidewall doctor --config /etc/tidewall.toml --json

Nothing is changed. Exit status 1 if anything must be put right.";

/// Check the settings, the machine and the store
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub serving: ServingFlags,
    /// Do not read the whole store: no integrity check, no audit chains
    #[arg(long)]
    pub quick: bool,
    /// There is no store yet, which is a fault otherwise
    #[arg(long)]
    pub first_start: bool,
    /// An export of the audit log whose heads its chains must still pass through
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    pub heads: Option<PathBuf>,
}

pub(super) fn run(global: &GlobalFlags, args: &DoctorArgs, out: &mut impl Write) -> Result<(), CliError> {
    let anchors = args.heads.as_ref().map(exported_heads).transpose()?;
    let depth = if args.quick { Depth::Quick } else { Depth::Whole(anchors) };
    let findings = match Configuration::load(&args.serving.over(global.layers())) {
        Ok(configuration) => {
            examine(&configuration.settings, Clock::system().now(), &depth, args.first_start)
        }
        Err(error) => vec![Finding::fault("settings", error.to_string(), "correct it, then look again")],
    };
    let faults = findings.iter().filter(|finding| finding.verdict == Verdict::Fault).count();
    if global.json {
        print_json(&json!({ "ok": faults == 0, "findings": findings }), out)?;
    } else {
        print_text(&findings, out)?;
    }
    match faults {
        0 => Ok(()),
        1 => Err(CliError::Failed("one thing must be put right".to_owned())),
        more => Err(CliError::Failed(format!("{more} things must be put right"))),
    }
}

fn print_text(findings: &[Finding], out: &mut impl Write) -> Result<(), CliError> {
    for Finding { check, verdict, detail, remedy } in findings {
        let mark = match verdict {
            Verdict::Ok => "ok     ",
            Verdict::Warning => "warning",
            Verdict::Fault => "FAULT  ",
        };
        writeln!(out, "{mark}  {check:<16}  {detail}")?;
        if let Some(remedy) = remedy {
            writeln!(out, "{:27}→ {remedy}", "")?;
        }
    }
    Ok(())
}
