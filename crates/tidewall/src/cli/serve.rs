//! `tidewall serve`: the service itself.

use std::io::{self, IsTerminal as _, Write};

use app::{
    audit_key::Beginner,
    clock::Clock,
    health::Surroundings,
    jobs::{self, Scheduler, delivery::Delivery},
};
use clap::Args;
use store::sql::migrate::Migrated;
use tokio::task::JoinHandle;

use super::{CliError, GlobalFlags, ServingFlags};
use crate::{
    compose::{self, ComposeError},
    config::{Configuration, Settings},
    demo,
    lifecycle::{Phase, Shutdown, watch_signals},
    otlp::{Export, continue_trace},
    refresh,
    serve::{Listeners, Surfaces},
    telemetry::{Telemetry, TelemetryError},
};

const EXAMPLES: &str = "\
Examples:
  tidewall serve --demo                              a believable tenant to look at, in ./data
  tidewall serve --listen 0.0.0.0:8080               reachable from other machines
  tidewall serve --database-url postgres://…         several nodes over one PostgreSQL

SIGTERM or Ctrl-C lets requests in progress finish; a second one stops at once. SIGHUP reads the certificate
and the reference data again.";

/// Run the service
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    #[command(flatten)]
    pub serving: ServingFlags,
    /// Fill an empty store with one believable tenant and print how to reach it
    #[arg(long)]
    pub demo: bool,
}

pub(super) fn run(global: &GlobalFlags, args: &ServeArgs, out: &mut impl Write) -> Result<(), CliError> {
    let configuration = Configuration::load(&args.serving.over(global.layers()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let export =
        Export::start(&configuration.settings.telemetry, runtime.handle()).map_err(TelemetryError::Export)?;
    let _telemetry = Telemetry::start(&configuration.settings.log, export.as_ref())?;
    let served = runtime.block_on(start(&configuration.settings, export, args.demo, out));
    // Work that is still running on blocking threads (such as compressing public bodies) can be abandoned.
    runtime.shutdown_background();
    served
}

async fn start(
    settings: &Settings,
    export: Option<Export>,
    fill_demo: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let listeners = Listeners::bind(settings)?;
    let (shutdown, reload) = watch_signals(settings.server.shutdown)?;
    let clock = Clock::system();
    let migrated = compose::migrate(settings, &clock).await?;
    compose::check_role(settings).await?;
    let around = Surroundings { certificate: listeners.certificate_end(), ..compose::surroundings(settings) };
    let app = compose::application_in(settings, clock, around, Beginner::Service).await?;
    let forwarding = compose::forwarding(&app, settings)?;
    if let Some(export) = &export {
        export.attach(&app, &shutdown);
    }
    refresh::load_catalogue(&app, settings).await?;
    for origin in &settings.outbound.dev_destinations {
        tracing::warn!(
            "outbound.dev_destinations: webhooks may reach {origin}; never set this in production"
        );
    }
    if is_exposed(settings) {
        tracing::warn!(
            "listen: {} is reachable from other machines without TLS, so passwords and session cookies cross the \
             network unprotected; set tls.cert_file and tls.key_file, or public_url to the https address of the proxy \
             in front, or server.allow_plain_http if this is meant",
            settings.listen
        );
    }
    warn_of_unbound_providers(&app, settings).await?;
    let base_url = base_url(settings, &listeners);
    if fill_demo {
        demo::fill(&app, &base_url, out).await?;
    }
    say_migrated(&migrated);
    if let Some(token) = app.access.set_up_link().await? {
        writeln!(out, "There is no account yet. Open this link once to make the first one:")?;
        writeln!(out, "  {base_url}/workspace/link/{}\n", token.reveal())?;
        out.flush()?;
    }
    tokio::spawn(refresh::reload_whenever(app.clone(), reload.clone()));
    let watch = tokio::spawn(watch(app.clone(), shutdown.clone()));
    let schedule = tokio::spawn(schedule(Scheduler::start(app.clone()), shutdown.clone()));
    let delivery =
        Delivery::start(app.clone(), compose::delivery_options(settings)).map_err(ComposeError::App)?;
    let delivery = tokio::spawn(deliver(delivery, shutdown.clone()));
    let surfaces = surfaces(&app, settings);
    listeners.announce();
    say_where(&base_url, out);
    listeners.serve(surfaces, shutdown.clone(), reload).await;
    finish(shutdown.clone(), [watch, schedule, delivery]).await;
    if let Some(forwarding) = forwarding {
        forwarding.stop().await;
    }
    if let Some(export) = export {
        export.stop(&app, &shutdown).await;
    }
    Ok(())
}

/// A provider host that is bound to no institution is used by none as soon as there are several.
async fn warn_of_unbound_providers(app: &app::App, settings: &Settings) -> Result<(), CliError> {
    let unbound = settings.outbound.identity_providers.iter().filter(|host| host.tenant.is_none());
    let several = app.people.tenants().await?.len() > 1;
    for host in unbound.filter(|_| several) {
        tracing::warn!(
            "outbound.identity_providers: {} is used by no institution, because there are several; write \
             host=institution with the short name of the one whose provider it is",
            host.host
        );
    }
    Ok(())
}

/// Whether other machines reach the service over plain http although no setting allows it.
fn is_exposed(settings: &Settings) -> bool {
    settings.tls.is_none()
        && !settings.listen.ip().is_loopback()
        && !settings.public_url.starts_with("https://")
        && !settings.server.allow_plain_http
}

/// The line with the address, for the person who started the service; and in the log where that is a file.
fn say_where(base_url: &str, out: &mut impl Write) {
    // A closed terminal is no reason not to serve.
    let _ = writeln!(out, "Tidewall is ready: open {base_url}/workspace").and_then(|()| out.flush());
    if !io::stderr().is_terminal() {
        tracing::info!("ready: open {base_url}/workspace");
    }
}

/// Logs the migrations in one line, however many there were.
fn say_migrated(migrated: &Migrated) {
    let (Some(last), count) = (migrated.applied.last(), migrated.applied.len()) else { return };
    let backup = migrated.backup.as_ref().map(|path| path.display().to_string());
    tracing::info!(count, last, backup, "the store was brought up to date");
}

/// The address of the service: as configured, or with the port that the system chose.
fn base_url(settings: &Settings, listeners: &Listeners) -> String {
    if settings.listen.port() != 0 {
        return settings.public_url.clone();
    }
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    format!("{scheme}://{}", listeners.address())
}

fn surfaces(app: &app::App, settings: &Settings) -> Surfaces<api::CachedAnswers> {
    let options = api::ApiOptions {
        cors_origins: settings.server.cors_origins.clone(),
        public_per_minute: settings.limits.public_per_minute,
        operations_networks: settings.server.operations_networks.clone(),
        continue_trace: settings
            .telemetry
            .collector
            .is_some()
            .then_some(continue_trace as api::ContinueTrace),
    };
    let pages = workspace::WorkspaceOptions {
        public_url: settings.public_url.clone(),
        client: |extensions| extensions.get::<api::ClientAddr>().map(|client| client.0),
        design: settings.design_page,
        security_contact: settings.security_contact.clone(),
    };
    let pages = workspace::router(app, pages).layer(api::ObserveLayer::new(app, options.continue_trace));
    Surfaces { public: api::service(app, &options, pages), operator: api::operator_router(app) }
}

/// Delivers until the process drains, then waits for the messages in flight.
async fn deliver(delivery: Delivery, shutdown: Shutdown) {
    shutdown.reached(Phase::Draining).await;
    delivery.stop().await;
}

/// Runs the jobs until the process drains.
async fn schedule(scheduler: Scheduler, shutdown: Shutdown) {
    shutdown.reached(Phase::Draining).await;
    scheduler.stop().await;
}

/// Maintains the caches of this process until it drains.
async fn watch(app: app::App, shutdown: Shutdown) {
    jobs::watch(app, shutdown.reached(Phase::Draining)).await;
}

/// Waits for the background workers, which still store what they hold in memory.
async fn finish(shutdown: Shutdown, workers: [JoinHandle<()>; 3]) {
    let done = async {
        for worker in workers {
            // A failed worker has nothing more to store.
            let _ = worker.await;
        }
    };
    tokio::select! {
        () = done => {}
        () = shutdown.reached(Phase::Ending) => {}
    }
}
