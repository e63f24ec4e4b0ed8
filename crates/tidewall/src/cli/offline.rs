//! What the verbs that work on the store share: the application without a listener.

use app::{App, authz::Caller, clock::Clock};

use super::{CliError, GlobalFlags};
use crate::{compose, config::Settings};

/// Runs `work` with the application over the store the flags name, beside a running service or without one.
pub(super) fn with_app<T, F>(
    global: &GlobalFlags,
    work: impl FnOnce(App, Settings) -> F,
) -> Result<T, CliError>
where
    F: Future<Output = Result<T, CliError>>,
{
    let settings = global.configuration()?.settings;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let clock = Clock::system();
        compose::migrate(&settings, &clock).await?;
        let app = compose::application(&settings, clock).await?;
        work(app, settings).await
    })
}

/// The operator acting for the tenant with this slug.
pub(super) async fn acting_for(app: &App, slug: &str) -> Result<Caller, CliError> {
    let slug = slug.parse().map_err(|error| CliError::Usage(format!("--tenant {slug}: {error}")))?;
    Ok(Caller::operator(&app.tenant_by_slug(slug).await?))
}
