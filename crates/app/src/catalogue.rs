//! The reference catalogue in use: read when first asked for, replaced as a whole on request.
//!
//! A reader holds an [`Edition`] for as long as its request takes, so replacing the catalogue disturbs nobody.
//! What is written of an edition more than once (bodies, records) is kept with it and goes when it goes.

mod page;
mod print;
pub(crate) mod records;

use std::{
    ops::Deref,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use arc_swap::ArcSwapOption;
use catalogue::{Catalogue, fault::Faults};
/// The nouns of the catalogue, for surfaces to translate.
pub use catalogue::{
    act, applicability, clock, compliance, crosswalk, drill, evidence, framework, gap, language, measure,
    milestone, proof, provider, question, record, risk, signal, training, vendor, vocabulary, widget,
};

use self::{page::KeptPages, print::Prints, records::RecordSets};
pub use self::{
    print::{Coding, Print, Sheet, tag},
    records::{RecordPage, RecordSet, Records},
};
use crate::{App, Error, Result};

/// Where the catalogue comes from, and the edition in use.
#[derive(Debug)]
pub struct Library {
    /// `None` for the catalogue the program carries.
    folder: Option<PathBuf>,
    /// A folder of layers over it.
    layers: Option<PathBuf>,
    current: ArcSwapOption<Edition>,
    /// Held while the first edition is read, so that it is read once.
    opening: Mutex<()>,
}

/// One state of the catalogue and everything written of it so far.
#[derive(Debug)]
pub struct Edition {
    catalogue: Catalogue,
    prints: Prints,
    records: RecordSets,
    pages: KeptPages,
}

impl Edition {
    fn new(catalogue: Catalogue) -> Self {
        let (prints, records, pages) = (Prints::default(), RecordSets::default(), KeptPages::default());
        Self { catalogue, prints, records, pages }
    }
}

impl Deref for Edition {
    type Target = Catalogue;

    fn deref(&self) -> &Catalogue {
        &self.catalogue
    }
}

impl Library {
    /// Nothing is read yet: a verb that never looks into the catalogue does not wait for it.
    #[must_use]
    pub fn new(folder: Option<PathBuf>, layers: Option<PathBuf>) -> Self {
        Self { folder, layers, current: ArcSwapOption::empty(), opening: Mutex::new(()) }
    }

    fn read(&self) -> Result<Catalogue, Faults> {
        Catalogue::read(self.folder.as_deref(), self.layers.as_deref())
    }

    /// The edition in use, read now if there is none yet. Blocks while it is read.
    fn edition(&self) -> Result<Arc<Edition>, Faults> {
        if let Some(edition) = self.current.load_full() {
            return Ok(edition);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        match self.current.load_full() {
            Some(edition) => Ok(edition),
            None => self.replace(),
        }
    }

    /// Reads the catalogue and puts it in use. With any fault the old one stays. Blocks.
    fn replace(&self) -> Result<Arc<Edition>, Faults> {
        let edition = Arc::new(Edition::new(self.read()?));
        self.current.store(Some(Arc::clone(&edition)));
        Ok(edition)
    }

    /// The catalogue can have changed since it was read.
    fn is_editable(&self) -> bool {
        self.folder.is_some()
    }
}

impl App {
    /// The catalogue in use.
    pub fn catalogue(&self) -> Result<Arc<Edition>> {
        self.library.edition().map_err(Error::internal)
    }

    /// Reads the catalogue again and puts it in use. A broken one is refused and changes nothing.
    pub async fn reload_catalogue(&self) -> Result<Result<Arc<Edition>, Faults>> {
        let app = self.clone();
        let reload = move || {
            let unchanged = app.library.current.load_full().filter(|_| !app.library.is_editable());
            unchanged.map_or_else(|| app.library.replace(), Ok)
        };
        tokio::task::spawn_blocking(reload).await.map_err(Error::internal)
    }
}
