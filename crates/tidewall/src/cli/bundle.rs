//! `tidewall bundle`: checks an audit bundle, anywhere. Needs neither a store nor a service.

use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

use bundle::{KindCount, PublicKey, Report};
use clap::{Args, Subcommand};
use serde_json::json;

use super::{CliError, GlobalFlags, print_json};

const EXAMPLES: &str = "\
Examples:
  tidewall bundle verify bundle.zip --key KEY    KEY as published by the institution at /api/bundle-key
  tidewall bundle verify bundle.zip              what the bundle proves by itself, and who sealed it

Exit status: 0 nothing is wrong; 1 something is wrong, or the file cannot be read; 2 wrong arguments; 3 nothing is wrong,
but the key was not compared: anyone can seal a bundle with a key of their own.";

/// Verify audit bundles
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BundleArgs {
    #[command(subcommand)]
    pub verb: BundleVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum BundleVerb {
    /// Check every byte, file, audit entry and claim of a bundle; exit status 1 if something is wrong
    Verify {
        /// The bundle
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The public key of the institution: 64 hexadecimal digits
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
    },
}

pub(super) fn run(global: &GlobalFlags, args: BundleArgs, out: &mut impl Write) -> Result<(), CliError> {
    let BundleVerb::Verify { file, key } = args.verb;
    let expected = key.map(|key| key.trim().parse::<PublicKey>()).transpose();
    let expected = expected.map_err(|error| CliError::Usage(format!("--key: {error}")))?;
    match (bundle::verify(opened(&file)?, expected), global.json) {
        (Err(fault), is_json) => {
            if is_json {
                print_json(&json!({ "ok": false, "code": fault.code(), "fault": fault.to_string() }), out)?;
            }
            Err(CliError::Failed(format!("{}: {fault}", file.display())))
        }
        (Ok(report), is_json) => {
            if is_json {
                as_json(&report, out)?;
            } else {
                as_text(&report, out)?;
            }
            if report.key_was_compared { Ok(()) } else { Err(CliError::Unchecked(1)) }
        }
    }
}

fn opened(path: &Path) -> Result<BufReader<File>, CliError> {
    let unreadable = |error| CliError::Failed(format!("{} cannot be read ({error})", path.display()));
    File::open(path).map(BufReader::new).map_err(unreadable)
}

fn as_json(report: &Report, out: &mut impl Write) -> Result<(), CliError> {
    let value = json!({
        "ok": true,
        "key": report.key.to_string(),
        "key_was_compared": report.key_was_compared,
        "stamped": report.is_stamped,
        "subject": report.manifest.subject,
        "files": report.files,
        "missing": report.manifest.missing,
        "entries": report.entries,
        "keyed_entries": report.keyed_entries,
        "requirements": report.requirements,
        "lists": report.lists,
    });
    print_json(&value, out)
}

/// Says which claim rests on what.
fn as_text(report: &Report, out: &mut impl Write) -> Result<(), CliError> {
    let (subject, chain) = (&report.manifest.subject, &report.manifest.chain);
    writeln!(out, "{} as of {}: nothing is wrong", subject.institution, subject.as_of)?;
    writeln!(out, "archive       every byte rests on the seal of key {}", report.key)?;
    writeln!(out, "              fingerprint {}", report.key.fingerprint())?;
    if !report.key_was_compared {
        writeln!(out, "not checked:  whether this key is that of the institution (--key)")?;
    }
    if report.is_stamped {
        writeln!(out, "time stamp    manifest.tsr is about this manifest")?;
        writeln!(
            out,
            "not checked:  who signed it, and when (openssl ts -verify -data manifest.json -in manifest.tsr)"
        )?;
    }
    writeln!(out, "files         {} rest on their SHA-256 in the signed manifest", report.files)?;
    let plain = report.entries - report.keyed_entries;
    writeln!(out, "audit chain   entries {} to {}, head {}", chain.first, chain.last, chain.head)?;
    writeln!(
        out,
        "              {} rest on their link, {plain} of them also on a plain hash",
        report.entries
    )?;
    writeln!(out, "requirements  {} rest on records and files that are in the bundle", report.requirements)?;
    for (name, count) in &report.lists {
        writeln!(out, "{name}: {}", rests(*count))?;
    }
    for missing in &report.manifest.missing {
        writeln!(out, "missing       {}: {}", missing.what, missing.why)?;
    }
    Ok(())
}

fn rests(count: KindCount) -> String {
    let KindCount { in_slice, before_slice, without_entry } = count;
    format!(
        "{in_slice} rest on an audit entry in the bundle, {before_slice} on an earlier one, {without_entry} on the \
         signature alone"
    )
}
