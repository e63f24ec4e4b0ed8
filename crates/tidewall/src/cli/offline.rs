//! What the verbs that work on the store share: the application without a listener.
//!
//! Only the verb that makes the first tenant makes a store. Every other verb refuses where there is none, because an
//! empty store made in the wrong directory would answer "ok".

use app::{App, authz::Caller, clock::Clock};

use super::{CliError, GlobalFlags};
use crate::{compose, config::Settings};

/// What a verb does with the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Changes nothing, and leaves no file behind.
    Read,
    /// Changes a store that exists.
    Change,
    /// Makes the store where there is none.
    Create,
}

/// Runs `work` with the application over the store the flags name, beside a running service or without one.
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
    Ok(compose::application_in(settings, clock, around).await?)
}

/// The operator acting for the tenant with this slug.
pub(super) async fn acting_for(app: &App, slug: &str) -> Result<Caller, CliError> {
    let slug = slug.parse().map_err(|error| CliError::Usage(format!("--tenant {slug}: {error}")))?;
    Ok(Caller::operator(&app.tenant_by_slug(slug).await?))
}
