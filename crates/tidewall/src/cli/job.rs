//! `tidewall job`: lists scheduled jobs and runs one now.

use std::io::Write;

use app::{
    App,
    jobs::{JobReport, JobRun, RunsOn},
};
use clap::{Args, Subcommand};
use domain::job::JobOutcome;
use serde_json::{Value, json};

use super::{
    CliError, GlobalFlags,
    offline::{Access, with_app},
    print_json,
};
use crate::{config::Settings, refresh};

const EXAMPLES: &str = "\
Examples:
  tidewall job list                    every job: when it runs, and how its last run went
  tidewall job run retention           run one now, beside a running service or without one
  tidewall job run integrity-check     exit status 1 if it fails
  tidewall --json job list             the same for a script";

/// See what runs by the clock, and run it now
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JobArgs {
    #[command(subcommand)]
    pub verb: JobVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum JobVerb {
    /// List every job with its schedule, its last run and its next one
    List,
    /// Run a job now and wait for it; its schedule goes on as before
    Run {
        /// The job's name, as `job list` shows it
        name: String,
    },
}

pub(super) fn run(global: &GlobalFlags, args: JobArgs, out: &mut impl Write) -> Result<(), CliError> {
    let access = match args.verb {
        JobVerb::List => Access::Read,
        JobVerb::Run { .. } => Access::Change,
    };
    with_app(global, access, async |app, settings| match args.verb {
        JobVerb::List => list(global, &app, out).await,
        JobVerb::Run { name } => run_now(global, &app, &settings, &name, out).await,
    })
}

async fn list(global: &GlobalFlags, app: &App, out: &mut impl Write) -> Result<(), CliError> {
    let reports = app.job_reports().await?;
    if global.json {
        return print_json(&reports.iter().map(described).collect::<Value>(), out);
    }
    for report in reports {
        let JobReport { job, state } = report;
        writeln!(out, "{:<18} {:<14} {}  {}", job.name, job.cron.as_str(), job.zone, job.about)?;
        let Some(state) = state else {
            writeln!(out, "  has not run: no service has been started over this store yet")?;
            continue;
        };
        let last = match (state.last_run_at, state.last_outcome) {
            (Some(at), Some(outcome)) => {
                let took = state.last_duration.unwrap_or_default().as_millis();
                format!("last {at}: {outcome} in {took} ms")
            }
            _ => "has not run yet".to_owned(),
        };
        let failing = match state.consecutive_failures {
            0 => String::new(),
            count => format!("; failed {count} times in a row"),
        };
        writeln!(out, "  {last}{failing}; next {}", state.next_run_at)?;
        if !state.last_detail.is_empty() {
            writeln!(out, "  {}", state.last_detail)?;
        }
    }
    Ok(())
}

async fn run_now(
    global: &GlobalFlags,
    app: &App,
    settings: &Settings,
    name: &str,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let Some(job) = app.job(name) else {
        let known: Vec<_> = app.jobs.iter().map(|job| job.name).collect();
        return Err(CliError::Usage(format!("there is no job {name}: write one of {}", known.join(", "))));
    };
    refresh::load_catalogue(app, settings).await?;
    let Some(run) = app.run_job(job).await? else {
        return Err(CliError::Failed(format!(
            "{name} is running already; `tidewall job list` shows since when"
        )));
    };
    if global.json {
        print_json(&shown(&run), out)?;
    } else {
        writeln!(out, "{name}: {} in {} ms  {}", run.outcome, run.duration.as_millis(), run.detail)?;
    }
    match run.outcome {
        JobOutcome::Done => Ok(()),
        outcome => {
            Err(CliError::Failed(format!("{name} {}: {}", outcome.label().en.to_lowercase(), run.detail)))
        }
    }
}

fn described(report: &JobReport) -> Value {
    let JobReport { job, state } = report;
    let state = state.as_ref();
    json!({
        "name": job.name,
        "about": job.about,
        "schedule": job.cron.as_str(),
        "time_zone": job.zone.as_str(),
        "jitter_seconds": job.jitter.as_secs(),
        "timeout_seconds": job.timeout.as_secs(),
        "every_node": job.place == RunsOn::EveryNode,
        "running_since": state.and_then(|state| state.running_since),
        "last_run_at": state.and_then(|state| state.last_run_at),
        "last_outcome": state.and_then(|state| state.last_outcome),
        "last_duration_ms": state.and_then(|state| state.last_duration).map(|took| took.as_millis()),
        "last_detail": state.map(|state| state.last_detail.as_str()),
        "next_run_at": state.map(|state| state.next_run_at),
        "runs": state.map(|state| state.runs),
        "consecutive_failures": state.map(|state| state.consecutive_failures),
    })
}

fn shown(run: &JobRun) -> Value {
    json!({
        "name": run.name,
        "started_at": run.started_at,
        "outcome": run.outcome,
        "duration_ms": run.duration.as_millis(),
        "detail": run.detail,
    })
}
