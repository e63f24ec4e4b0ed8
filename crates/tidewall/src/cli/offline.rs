//! Shared by the commands that work on the store: the application without a listener.
//!
//! Only the command that creates the first tenant creates a store. Every other command refuses if there is none,
//! because an empty store created in the wrong directory would look fine.

use app::{App, audit_key::Beginner, authz::Caller, clock::Clock};

use super::{CliError, GlobalFlags};
use crate::{compose, config::Settings};

/// What a command does with the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Changes nothing, and creates no file.
    Read,
    /// Changes an existing store.
    Change,
    /// Creates the store if there is none.
    Create,
}

/// Runs `work` with the application over the configured store, beside a running service or without one.
pub(super) fn with_app<T, F>(
    global: &GlobalFlags,
    access: Access,
    work: impl FnOnce(App, Settings) -> F,
) -> Result<T, CliError>
where
    F: Future<Output = Result<T, CliError>>,
{
    let settings = global.configuration()?.settings;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let app = opened(&settings, access).await?;
        work(app, settings).await
    })
}

async fn opened(settings: &Settings, access: Access) -> Result<App, CliError> {
    let clock = Clock::system();
    if access == Access::Read {
        return Ok(compose::reading(settings, clock).await?);
    }
    if access == Access::Change {
        compose::require_store(settings).await?;
    }
    compose::migrate(settings, &clock).await?;
    let around = compose::surroundings(settings);
    Ok(compose::application_in(settings, clock, around, Beginner::Other).await?)
}

/// The operator acting for the tenant with this slug.
pub(super) async fn acting_for(app: &App, slug: &str) -> Result<Caller, CliError> {
    let slug = slug.parse().map_err(|error| CliError::Usage(format!("--tenant {slug}: {error}")))?;
    Ok(Caller::operator(&app.people.tenant_by_slug(slug).await?))
}
