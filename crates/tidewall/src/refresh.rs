//! Loads the reference catalogue: at the start, where a faulty one is an error, and again on request, where a faulty
//! one is refused and the old one stays.

use std::{path::PathBuf, sync::Arc};

use app::{App, catalogue::Edition};
use catalogue::fault::Faults;

use crate::{config::Settings, lifecycle::Reload};

#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error("{setting}: {} cannot be served; correct this first:\n{faults}", .folder.display())]
    Folder { setting: &'static str, folder: PathBuf, faults: Faults },
    #[error("the built-in catalogue is damaged: {0}")]
    Embedded(Faults),
    #[error("the catalogue could not be read: {0}")]
    App(#[from] app::Error),
}

/// Loads the configured catalogue.
pub async fn load_catalogue(app: &App, settings: &Settings) -> Result<(), CatalogueError> {
    let layers = settings.catalogue_layers.clone().map(|folder| ("catalogue_layers", folder));
    let folder = || layers.or_else(|| settings.catalogue_dir.clone().map(|folder| ("catalogue_dir", folder)));
    let edition = app.reload_catalogue().await?.map_err(|faults| match folder() {
        Some((setting, folder)) => CatalogueError::Folder { setting, folder, faults },
        None => CatalogueError::Embedded(faults),
    })?;
    announce(&edition);
    Ok(())
}

/// Loads the catalogue again on every request, for the life of the process.
pub async fn reload_whenever(app: App, mut reload: Reload) {
    loop {
        reload.requested().await;
        match app.reload_catalogue().await {
            Ok(Ok(edition)) => announce(&edition),
            Ok(Err(faults)) => {
                for fault in faults.as_slice() {
                    tracing::error!(file = fault.file, line = fault.line, "{}", fault.message);
                }
                tracing::error!(faults = faults.as_slice().len(), "the old catalogue stays in use");
            }
            Err(error) => tracing::error!(%error, "the old catalogue stays in use"),
        }
    }
}

/// Logs which catalogue is in use, and builds the search index, which the first search would otherwise wait for.
/// Public bodies are serialised and compressed on demand.
fn announce(edition: &Arc<Edition>) {
    tracing::info!(version = %edition.version, measures = edition.measures.len(), "the catalogue is in use");
    let edition = Arc::clone(edition);
    tokio::task::spawn_blocking(move || {
        edition.search();
    });
}
