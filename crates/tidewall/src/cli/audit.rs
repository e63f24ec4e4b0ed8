//! `tidewall audit`: proof that the log of changes is whole.

use std::{fs, io::Write, path::PathBuf};

use app::App;
use clap::{Args, Subcommand};
use domain::audit::Head;
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

Keep an export where the service cannot write: only with it can a cut-off end be told from one that never was.";

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
        AuditVerb::Verify { tenant, heads } => verify(global, &app, tenant, heads, out).await,
        AuditVerb::Export { tenant } => export(&app, tenant, out).await,
    })
}

async fn chains(app: &App, tenant: Option<String>) -> Result<Vec<String>, CliError> {
    let Some(slug) = tenant else { return Ok(app.audit_chains().await?) };
    let slug = slug.parse().map_err(|error| CliError::Usage(format!("--tenant {slug}: {error}")))?;
    Ok(vec![app.tenant_by_slug(slug).await?.id.to_string()])
}

async fn verify(
    global: &GlobalFlags,
    app: &App,
    tenant: Option<String>,
    heads: Option<PathBuf>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let anchors = heads.as_ref().map(exported_heads).transpose()?.unwrap_or_default();
    let (mut reports, mut broken, mut unanchored) = (Vec::new(), 0, 0);
    let mut names = chains(app, tenant.clone()).await?;
    if tenant.is_none() {
        // A chain that was exported and is now gone altogether is the largest truncation of all.
        let gone: Vec<String> = anchors.keys().filter(|chain| !names.contains(chain)).cloned().collect();
        names.extend(gone);
    }
    for chain in names {
        let anchor = anchors.get(&chain).copied();
        unanchored += usize::from(anchor.is_none());
        let report = app.verify_audit(&chain, anchor).await?;
        let fault = report.outcome.as_ref().err().map(ToString::to_string);
        broken += usize::from(fault.is_some());
        if !global.json {
            let verdict = fault.as_deref().unwrap_or("ok");
            writeln!(out, "{chain}  {} entries  {verdict}", report.entries)?;
        }
        reports.push(json!({
            "chain": chain, "entries": report.entries, "ok": fault.is_none(), "fault": fault,
            "anchored": anchor.is_some(),
        }));
    }
    if global.json {
        print_json(&json!({ "ok": broken == 0, "chains": reports }), out)?;
    } else if unanchored > 0 {
        writeln!(out, "{}", not_checked(unanchored, heads.is_some()))?;
    }
    if broken == 0 { Ok(()) } else { Err(CliError::Failed(format!("{broken} audit chain(s) are broken"))) }
}

async fn export(app: &App, tenant: Option<String>, out: &mut impl Write) -> Result<(), CliError> {
    for chain in chains(app, tenant).await? {
        let (mut seq, mut hash) = (0, Head::EMPTY.hash);
        loop {
            let batch = app.audit_after(&chain, seq).await?;
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

/// What a walk without heads cannot see, and what would show it.
fn not_checked(chains: usize, some_given: bool) -> String {
    let remedy = if some_given {
        "the file has no head of them; export one now"
    } else {
        "compare with an earlier export: --heads FILE"
    };
    format!("not checked: whether the end of {chains} chain(s) was cut off ({remedy})")
}

/// The heads of an earlier export, by their chains.
pub(super) fn exported_heads(path: &PathBuf) -> Result<Anchors, CliError> {
    let wrong = |what: String| CliError::Usage(format!("--heads {}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let mut heads = Anchors::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let (Some(chain), Some(seq), Some(hash)) =
            (line["chain"].as_str(), line["head"]["seq"].as_i64(), line["head"]["hash"].as_str())
        else {
            continue;
        };
        let hash = hash_from_hex(hash).map_err(|error| wrong(error.to_string()))?;
        heads.insert(chain.to_owned(), Head { seq, hash });
    }
    if heads.is_empty() {
        Err(wrong("no head in it; write it with `tidewall audit export`".into()))
    } else {
        Ok(heads)
    }
}
