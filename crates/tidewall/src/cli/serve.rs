//! `tidewall serve`: the service itself.

use std::io::Write;

use app::{clock::Clock, jobs::delivery::Delivery};
use clap::Args;
use tokio::task::JoinHandle;

use super::{CliError, GlobalFlags, ServingFlags};
use crate::{
    compose::{self, ComposeError},
    config::{Configuration, Settings},
    demo,
    lifecycle::{Shutdown, Stage, watch_signals},
    refresh,
    serve::{Listeners, Surfaces},
    telemetry::Telemetry,
    upkeep,
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
    let _telemetry = Telemetry::start(&configuration.settings.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(start(&configuration.settings, args.demo, out));
    // What still runs on blocking threads (such as compressing public bodies) holds nothing worth waiting for.
    runtime.shutdown_background();
    served
}

async fn start(settings: &Settings, fill_demo: bool, out: &mut impl Write) -> Result<(), CliError> {
    let listeners = Listeners::bind(settings)?;
    let (shutdown, reload) = watch_signals(settings.server.shutdown)?;
    let clock = Clock::system();
    let migrated = compose::migrate(settings, &clock).await?;
    for name in &migrated.applied {
        tracing::info!(migration = name, "applied");
    }
    if let Some(backup) = &migrated.backup {
        tracing::info!(backup = %backup.display(), "the store as it was before");
    }
    let app = compose::application(settings, clock).await?;
    refresh::load_catalogue(&app, settings).await?;
    for origin in &settings.outbound.dev_destinations {
        tracing::warn!(
            "outbound.dev_destinations: webhooks may reach {origin}; never set this in production"
        );
    }
    let base_url = base_url(settings, &listeners);
    if fill_demo {
        demo::fill(&app, &base_url, out).await?;
    }
    if let Some(token) = app.set_up_link().await? {
        writeln!(out, "Nobody can sign in yet. Open this link once to make the first account:")?;
        writeln!(out, "  {base_url}/workspace/link/{}\n", token.reveal())?;
        out.flush()?;
    }
    tokio::spawn(refresh::reload_whenever(app.clone(), reload.clone()));
    let upkeep = tokio::spawn(upkeep::run(
        app.clone(),
        settings.retention.clone(),
        settings.advisory_db.clone(),
        shutdown.clone(),
    ));
    let delivery =
        Delivery::start(app.clone(), compose::delivery_options(settings)).map_err(ComposeError::App)?;
    let delivery = tokio::spawn(deliver(delivery, shutdown.clone()));
    let surfaces = surfaces(&app, settings);
    listeners.serve(surfaces, shutdown.clone(), reload).await;
    finish(shutdown, upkeep, delivery).await;
    Ok(())
}

/// Where to find the service: what the operator says, or the port the system chose.
fn base_url(settings: &Settings, listeners: &Listeners) -> String {
    if settings.listen.port() != 0 {
        return settings.public_url.clone();
    }
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    format!("{scheme}://{}", listeners.address())
}

fn surfaces(app: &app::App, settings: &Settings) -> Surfaces {
    let options = api::ApiOptions {
        cors_origins: settings.server.cors_origins.clone(),
        public_per_minute: settings.limits.public_per_minute,
    };
    let pages = workspace::WorkspaceOptions {
        public_url: settings.public_url.clone(),
        client: |extensions| extensions.get::<api::ClientAddr>().map(|client| client.0),
    };
    let public = workspace::router(app, pages).merge(api::router(app, &options));
    Surfaces { public, operator: axum::Router::new() }
}

/// Delivers until the process drains, then lets the messages under way come back.
async fn deliver(delivery: Delivery, shutdown: Shutdown) {
    shutdown.reached(Stage::Draining).await;
    delivery.stop().await;
}

/// Lets the upkeep and the delivery write what they still hold.
async fn finish(shutdown: Shutdown, upkeep: JoinHandle<()>, delivery: JoinHandle<()>) {
    let done = async { tokio::join!(upkeep, delivery) };
    tokio::select! {
        _ = done => {}
        () = shutdown.reached(Stage::Ending) => {}
    }
}
