//! Puts the reference catalogue in use: at the start, where a broken one stops it, and again whenever asked to,
//! where a broken one is refused and the old one stays.

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

/// Reads the catalogue the settings name.
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

/// Reads the catalogue again whenever asked to, for as long as the process lives.
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

/// Says which catalogue is in use, and makes the search index, which readers would have to wait for. Public bodies are
/// written and packed when they are asked for.
fn announce(edition: &Arc<Edition>) {
    tracing::info!(version = %edition.version, measures = edition.measures.len(), "the catalogue is in use");
    let edition = Arc::clone(edition);
    tokio::task::spawn_blocking(move || {
        edition.search();
    });
}
