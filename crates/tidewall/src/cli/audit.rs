//! `tidewall audit`: proof that the audit log is complete.

use std::{fs, io::Write, path::PathBuf};

use app::{App, audit::ChainReport};
use clap::{Args, Subcommand};
use domain::audit::{Head, Unchecked};
use serde_json::{Value, json};
use store::sql::{backup::Anchors, hash_from_hex, hex};

use super::{
    CliError, GlobalFlags,
    offline::{Access, with_app},
    print_json,
};

const EXAMPLES: &str = "\
Examples:
  tidewall audit export --tenant north-bank > audit.jsonl    every entry, the head last
  tidewall audit verify                                      every chain
  tidewall audit verify --heads audit.jsonl                  also against heads exported earlier
  tidewall audit verify --heads audit.jsonl --strict         fail also where something could not be checked

Each chain is read from one snapshot, with the vault key where it is at hand, and compared with the heads that the nightly
check kept on this machine. FILE may be an export, a log in JSON, forwarded security events, or the text of a mail with
heads (audit.heads_to): only with heads kept where the service cannot write can a cut-off end be distinguished from one that never
was.

Exit status: 0 no chain is broken (what was not checked is said); 1 a chain is broken, or the store cannot be used;
2 wrong arguments or settings; 3 with --strict: no chain is broken, but something could not be checked.";

/// Verify and export the audit log
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArgs {
    #[command(subcommand)]
    pub verb: AuditVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum AuditVerb {
    /// Walk the chains and check every link; exit status 1 if one is broken
    Verify {
        /// Only this tenant's chain
        #[arg(long)]
        tenant: Option<String>,
        /// An earlier export whose heads the chains must still pass through
        #[arg(long, value_name = "FILE")]
        heads: Option<PathBuf>,
        /// Exit status 3 where something could not be checked
        #[arg(long)]
        strict: bool,
    },
    /// Print the entries as JSON lines, each chain's head last
    Export {
        /// Only this tenant's chain
        #[arg(long)]
        tenant: Option<String>,
    },
}

pub(super) fn run(global: &GlobalFlags, args: AuditArgs, out: &mut impl Write) -> Result<(), CliError> {
    with_app(global, Access::Read, async |app, _| match args.verb {
        AuditVerb::Verify { tenant, heads, strict } => {
            let unchecked = verify(global, &app, tenant, heads.as_ref(), out).await?;
            if strict && unchecked > 0 { Err(CliError::Unchecked(unchecked)) } else { Ok(()) }
        }
        AuditVerb::Export { tenant } => export(&app, tenant, out).await,
    })
}

async fn chains(app: &App, tenant: Option<String>) -> Result<Vec<String>, CliError> {
    let Some(slug) = tenant else { return Ok(app.operations.audit_chains().await?) };
    let slug = slug.parse().map_err(|error| CliError::Usage(format!("--tenant {slug}: {error}")))?;
    Ok(vec![app.people.tenant_by_slug(slug).await?.id.to_string()])
}

/// Verifies chains and says of how many something could not be checked.
async fn verify(
    global: &GlobalFlags,
    app: &App,
    tenant: Option<String>,
    heads: Option<&PathBuf>,
    out: &mut impl Write,
) -> Result<usize, CliError> {
    let anchors = heads.map(exported_heads).transpose()?.unwrap_or_default();
    let mut names = chains(app, tenant.clone()).await?;
    if tenant.is_none() {
        // An exported chain that no longer exists at all is the largest possible truncation.
        let gone: Vec<String> = anchors.keys().filter(|chain| !names.contains(chain)).cloned().collect();
        names.extend(gone);
    }
    let mut reports = Vec::new();
    for chain in names {
        let report =
            app.operations.verify_audit(&chain, anchors.get(&chain).cloned().unwrap_or_default()).await?;
        if !global.json {
            let verdict = report.outcome.as_ref().map_or_else(ToString::to_string, |_| "ok".to_owned());
            writeln!(out, "{chain}  {} entries  {verdict}", report.entries)?;
        }
        reports.push(report);
    }
    let broken = reports.iter().filter(|report| report.outcome.is_err()).count();
    let whole: Vec<&ChainReport> = reports.iter().filter(|report| report.outcome.is_ok()).collect();
    let unanchored = whole.iter().filter(|report| !report.anchored).count();
    let sum = whole.iter().fold(Unchecked::default(), |sum, report| sum.and(report.unchecked));
    let mut notes = not_checked(sum);
    notes.extend((unanchored > 0).then(|| end_not_checked(unanchored, heads.is_some())));
    if global.json {
        let chains: Vec<Value> = reports.iter().map(described).collect();
        print_json(&json!({ "ok": broken == 0, "chains": chains, "not_checked": notes }), out)?;
    } else {
        for note in &notes {
            writeln!(out, "not checked: {note}")?;
        }
    }
    if broken == 0 {
        Ok(notes.len())
    } else {
        Err(CliError::Failed(format!("{broken} audit chain(s) are broken")))
    }
}

fn described(report: &ChainReport) -> Value {
    let fault = report.outcome.as_ref().err().map(ToString::to_string);
    let Unchecked { before_keys, without_key, lost_key, restores } = report.unchecked;
    json!({
        "chain": report.chain, "entries": report.entries, "ok": fault.is_none(), "fault": fault,
        "anchored": report.anchored, "before_keys": before_keys, "without_key": without_key,
        "lost_key": lost_key, "restores": restores,
    })
}

async fn export(app: &App, tenant: Option<String>, out: &mut impl Write) -> Result<(), CliError> {
    for chain in chains(app, tenant).await? {
        let (mut seq, mut hash) = (0, Head::EMPTY.hash);
        loop {
            let batch = app.operations.audit_after(&chain, seq).await?;
            let Some(last) = batch.last() else { break };
            (seq, hash) = (last.seq, last.hash);
            for row in &batch {
                let detail: Value = serde_json::from_str(&row.entry.detail)?;
                let line = json!({
                    "chain": chain, "seq": row.seq, "at": row.entry.at, "actor": row.entry.actor,
                    "action": row.entry.action, "subject": row.entry.subject, "detail": detail,
                    "hash": hex(&row.hash),
                });
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out, "{}", json!({ "chain": chain, "head": { "seq": seq, "hash": hex(&hash) } }))?;
    }
    Ok(())
}

/// What could not be checked of the entries, and why.
pub(crate) fn not_checked(unchecked: Unchecked) -> Vec<String> {
    let Unchecked { before_keys, without_key, lost_key, restores } = unchecked;
    let says = [
        (
            without_key,
            "entries are hashed with a vault key that is not at hand here: put the key file in place",
        ),
        (lost_key, "entries are hashed with a vault key that was given up as lost"),
        (
            before_keys,
            "entries are from before the log was keyed: their links hold, and are fixed since it is",
        ),
        (restores, "restores were written without the vault key"),
    ];
    says.into_iter().filter(|(count, _)| *count > 0).map(|(count, text)| format!("{count} {text}")).collect()
}

/// What a check without heads cannot see, and what would show it.
fn end_not_checked(chains: usize, some_given: bool) -> String {
    let remedy = if some_given {
        "the file has no head of them; export one now"
    } else {
        "compare with an earlier export: --heads FILE"
    };
    format!("whether the end of {chains} chain(s) was cut off ({remedy})")
}

/// A head in a line of an export, of a log in JSON, of forwarded events, or of a mail.
fn head_in(line: &str) -> Option<(String, i64, String)> {
    let Ok(written) = serde_json::from_str::<Value>(line) else {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [chain, seq, hash] = words[..] else { return None };
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hash.then(|| Some((chain.to_owned(), seq.parse().ok()?, hash.to_owned()))).flatten();
    };
    // The entries of an export are left out: its heads say as much, and are few.
    if written["actor"].is_string() {
        return None;
    }
    let head = if written["head"].is_object() { &written["head"] } else { &written };
    let (chain, seq, hash) = (written["chain"].as_str()?, head["seq"].as_i64()?, head["hash"].as_str()?);
    Some((chain.to_owned(), seq, hash.to_owned()))
}

/// The heads of an earlier export, by their chains.
pub(super) fn exported_heads(path: &PathBuf) -> Result<Anchors, CliError> {
    let wrong = |what: String| CliError::Usage(format!("--heads {}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let mut heads = Anchors::new();
    for (chain, seq, hash) in text.lines().filter_map(head_in) {
        let hash = hash_from_hex(&hash).map_err(|error| wrong(error.to_string()))?;
        heads.entry(chain).or_default().push(Head { seq, hash });
    }
    if heads.is_empty() {
        Err(wrong("no head in it; write it with `tidewall audit export`".into()))
    } else {
        Ok(heads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_found_in_exports_logs_events_and_mails() {
        let hash = "ab".repeat(32);
        let found = Some(("platform".to_owned(), 7, hash.clone()));
        for line in [
            format!(r#"{{"chain":"platform","head":{{"seq":7,"hash":"{hash}"}}}}"#),
            format!(r#"{{"level":"INFO","target":"security","chain":"platform","seq":7,"hash":"{hash}"}}"#),
            format!("platform 7 {hash}"),
            format!("  platform  7 {hash}\r"),
        ] {
            assert_eq!(head_in(&line), found, "{line}");
        }
        for line in ["Hello,", "", "platform 7 abc", "{}", r#"{"chain":"platform","seq":7}"#] {
            assert_eq!(head_in(line), None, "{line}");
        }
    }
}
