//! The command line: one module per command, and the flags all commands share.
//!
//! A command parses its arguments into a plain struct here and does its work through the libraries; this module only
//! decides which command runs and how a failure is reported. Results go to standard output, everything else to
//! standard error, so that a script can use the output unchanged.

pub mod audit;
pub mod backup;
mod bucket;
pub mod bundle;
pub mod catalogue;
pub mod completions;
pub mod config;
pub mod doctor;
pub mod import;
pub mod job;
pub mod key;
pub mod man;
pub mod migrate;
mod offline;
pub mod openapi;
mod progress;
pub mod restore;
pub mod scan;
pub mod serve;
mod table;
pub mod tenant;
pub mod user;
pub mod vault;
pub mod version;

use std::{
    env,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::{
    compose::ComposeError,
    config::{ConfigError, Configuration, HiddenText, Layers},
    refresh::CatalogueError,
    serve::ServeError,
    telemetry::TelemetryError,
};

const EXAMPLES: &str = "\
Examples:
  tidewall serve --demo                   a service to look at, at http://127.0.0.1:8080
  tidewall tenant create north-bank --name 'North Bank AG'
  tidewall key create --tenant north-bank --permissions write
  tidewall import arrangements register.csv --tenant north-bank
  tidewall job list                       what runs by itself, when, and how it went
  tidewall import findings report.sarif --tenant north-bank
  tidewall config                         what is in force, and where each value came from
  tidewall config --defaults > tidewall.toml    every setting, documented, as a file to start from
  export TIDEWALL_CONFIG=tidewall.toml    from here on every verb takes that file
  tidewall catalogue check                whether edited reference data is sound
  tidewall backup --output /mnt/safe/tidewall.db
  tidewall restore /mnt/safe/tidewall.db  into an empty data directory
  tidewall doctor                         what is wrong, and what to do about it
  tidewall completions bash               completions for your shell

Settings come from the built-in defaults, then --config FILE (or TIDEWALL_CONFIG), then the environment,
where a.b.c is TIDEWALL_A__B__C, then flags; the last one wins.

Exit status: 0 done, 1 failed, 2 wrong usage or settings.";

/// Compliance and operational resilience for financial institutions.
///
/// One binary: the API, the workspace in the browser and the tools to run them. It needs nothing else; by default
/// everything is kept in the directory ./data.
#[derive(Debug, Parser)]
#[command(name = "tidewall", version, after_help = EXAMPLES, max_term_width = 110, disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalFlags,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Serve(serve::ServeArgs),
    Tenant(tenant::TenantArgs),
    Key(key::KeyArgs),
    Import(import::ImportArgs),
    Scan(scan::ScanArgs),
    User(user::UserArgs),
    Job(job::JobArgs),
    Audit(audit::AuditArgs),
    Bundle(bundle::BundleArgs),
    Catalogue(catalogue::CatalogueArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Vault(vault::VaultArgs),
    Migrate(migrate::MigrateArgs),
    Config(config::ConfigArgs),
    Doctor(doctor::DoctorArgs),
    Openapi(openapi::OpenapiArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Version(version::VersionArgs),
}

/// Flags of every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalFlags {
    #[arg(
        long,
        help = "Configuration file (TOML) [env: TIDEWALL_CONFIG]",
        global = true,
        value_name = "FILE"
    )]
    pub config: Option<PathBuf>,
    #[arg(
        long,
        help = "Directory of the embedded store [env: TIDEWALL_DATA_DIR]",
        global = true,
        value_name = "DIR"
    )]
    pub data_dir: Option<String>,
    #[arg(
        long,
        help = "PostgreSQL instead of the embedded store, postgres://… [env: TIDEWALL_DATABASE_URL]",
        global = true,
        value_name = "URL"
    )]
    pub database_url: Option<HiddenText>,
    #[arg(long, help = "Print JSON for scripts", global = true)]
    pub json: bool,
}

impl GlobalFlags {
    /// The layers of these flags and of the process's environment.
    pub fn layers(&self) -> Layers {
        Layers::default()
            .with_file(self.config.clone())
            .with_environment(env::vars_os())
            .with_flag("data_dir", self.data_dir.clone())
            .with_flag("database_url", self.database_url.clone().map(HiddenText::into_inner))
    }

    /// The settings in force for a command without further flags.
    pub fn configuration(&self) -> Result<Configuration, CliError> {
        Ok(Configuration::load(&self.layers())?)
    }
}

/// Flags of the commands that start or describe a running service.
#[derive(Clone, Debug, Default, Args)]
pub struct ServingFlags {
    #[arg(long, help = "Address and port to listen on [env: TIDEWALL_LISTEN]", value_name = "ADDRESS")]
    pub listen: Option<String>,
    #[arg(
        long,
        help = "Redis or Valkey for several nodes, redis://… [env: TIDEWALL_REDIS_URL]",
        value_name = "URL"
    )]
    pub redis_url: Option<HiddenText>,
    #[arg(
        long,
        help = "Reference data to serve instead of the built-in one [env: TIDEWALL_CATALOGUE_DIR]",
        value_name = "DIR"
    )]
    pub catalogue_dir: Option<String>,
    #[arg(
        long,
        help = "Directory whose folders are layers over it [env: TIDEWALL_CATALOGUE_LAYERS]",
        value_name = "DIR"
    )]
    pub catalogue_layers: Option<String>,
}

impl ServingFlags {
    /// Adds these flags to the last layer.
    pub fn over(&self, layers: Layers) -> Layers {
        layers
            .with_flag("listen", self.listen.clone())
            .with_flag("redis_url", self.redis_url.clone().map(HiddenText::into_inner))
            .with_flag("catalogue_dir", self.catalogue_dir.clone())
            .with_flag("catalogue_layers", self.catalogue_layers.clone())
    }
}

/// Why a command failed, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("the output could not be written ({0}); check where it goes")]
    Output(#[from] io::Error),
    #[error("the output could not be put into JSON ({0})")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error("{0}")]
    App(app::Error),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Backup(#[from] app::backup::BackupError),
    /// The arguments contradict each other.
    #[error("{0}")]
    Usage(String),
    /// The command ran and its result is negative.
    #[error("{0}")]
    Failed(String),
    /// Nothing is wrong, but so many things could not be checked.
    #[error("{0} thing(s) could not be checked")]
    Unchecked(usize),
}

impl From<app::Error> for CliError {
    /// On the operator's own machine nothing is hidden: the cause is printed.
    fn from(error: app::Error) -> Self {
        match error {
            app::Error::Internal(cause) => Self::Failed(cause.to_string()),
            app::Error::Unavailable(why) => Self::Failed(format!("the store is unavailable: {why}")),
            app::Error::StorageAway(why) => {
                Self::Failed(format!("the storage of files is unavailable: {why}"))
            }
            other => Self::App(other),
        }
    }
}

fn print_json(value: &impl serde::Serialize, out: &mut impl io::Write) -> Result<(), CliError> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    Ok(writeln!(out)?)
}

impl CliError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Config(_) | Self::Usage(_) => ExitCode::from(2),
            Self::Unchecked(_) => ExitCode::from(3),
            _ => ExitCode::FAILURE,
        }
    }

    /// A reader that stops early (`tidewall config | head`) is no failure.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Runs the command given to this process.
pub fn run() -> ExitCode {
    let Cli { global, command } = Cli::parse();
    let out = &mut io::stdout().lock();
    let done = match command {
        Command::Serve(args) => serve::run(&global, &args, out),
        Command::Tenant(args) => tenant::run(&global, args, out),
        Command::Key(args) => key::run(&global, args, out),
        Command::Import(args) => import::run(&global, args, out),
        Command::Scan(args) => scan::run(&global, args, out),
        Command::User(args) => user::run(&global, args, out),
        Command::Job(args) => job::run(&global, args, out),
        Command::Audit(args) => audit::run(&global, args, out),
        Command::Bundle(args) => bundle::run(&global, args, out),
        Command::Catalogue(args) => catalogue::run(&global, args, out),
        Command::Backup(args) => backup::run(&global, &args, out),
        Command::Restore(args) => restore::run(&global, &args, out),
        Command::Vault(args) => vault::run(&global, &args, out),
        Command::Migrate(args) => migrate::run(&global, &args, out),
        Command::Openapi(_) => openapi::run(out),
        Command::Config(args) => config::run(&global, &args, out),
        Command::Doctor(args) => doctor::run(&global, &args, out),
        Command::Completions(args) => completions::run(&args, Cli::command(), out),
        Command::Man(args) => man::run(&args, Cli::command(), out),
        Command::Version(_) => version::run(&global, out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tidewall: {error}");
            error.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_flags_stand_before_or_after_the_verb() {
        for line in [["tidewall", "--data-dir", "/d", "config"], ["tidewall", "config", "--data-dir", "/d"]] {
            let cli = Cli::try_parse_from(line).unwrap();
            assert_eq!(cli.global.data_dir.as_deref(), Some("/d"));
        }
    }
}
