//! The reference catalogue in use: loaded at first use, replaced as a whole on request.
//!
//! A caller holds an [`Edition`] for the duration of its request, so replacing the catalogue affects no running
//! request. Serialised records are cached with their edition and dropped with it.

mod ledger;
mod own_edition;
pub(crate) mod records;

use std::{
    ops::Deref,
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use arc_swap::ArcSwapOption;
use catalogue::{Catalogue, fault::Faults};
/// The types of the catalogue, for the API and the workspace.
pub use catalogue::{
    act, applicability, change, clock, compliance, crosswalk, drill, evidence, framework, gap, language,
    measure, milestone, own, proof, provider, question, record, risk, signal, training, vendor, vocabulary,
    widget, wording,
};

pub use self::own_edition::CurrentEdition;
pub(crate) use self::own_edition::OwnEditions;
use self::records::RecordSets;
pub use self::{
    ledger::Ledger,
    records::{RecordPage, RecordSet, Records, digest},
};
use crate::{Core, Error, Result};

/// The source of the catalogue, and the edition in use.
#[derive(Debug)]
pub struct Library {
    /// `None` for the catalogue embedded in the program.
    folder: Option<PathBuf>,
    /// A folder of additional layers.
    layers: Option<PathBuf>,
    current: ArcSwapOption<Edition>,
    /// Held while the first edition is loaded, so that it is loaded once.
    opening: Mutex<()>,
}

/// One edition of the catalogue with its serialised records.
#[derive(Debug)]
pub struct Edition {
    catalogue: Catalogue,
    records: RecordSets,
    ledger: OnceLock<Ledger>,
}

impl Edition {
    fn new(catalogue: Catalogue) -> Self {
        Self { catalogue, records: RecordSets::default(), ledger: OnceLock::new() }
    }

    /// The catalogue of the program itself.
    pub fn embedded() -> Result<Self, Faults> {
        Catalogue::embedded().map(Self::new)
    }
}

impl Deref for Edition {
    type Target = Catalogue;

    fn deref(&self) -> &Catalogue {
        &self.catalogue
    }
}

/// The catalogue of the program itself, which all applications of a process share.
static EMBEDDED: LazyLock<Result<Arc<Edition>, Faults>> = LazyLock::new(|| Edition::embedded().map(Arc::new));

impl Library {
    /// Loads nothing yet: a command that never uses the catalogue does not wait for it.
    #[must_use]
    pub fn new(folder: Option<PathBuf>, layers: Option<PathBuf>) -> Self {
        Self { folder, layers, current: ArcSwapOption::empty(), opening: Mutex::new(()) }
    }

    fn read(&self) -> Result<Catalogue, Faults> {
        Catalogue::read(self.folder.as_deref(), self.layers.as_deref())
    }

    /// The edition in use, loaded now if there is none yet. Blocks while it is loaded.
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

    /// Loads the catalogue and puts it in use. With any fault the old one stays. Blocks.
    fn replace(&self) -> Result<Arc<Edition>, Faults> {
        let edition = match (&self.folder, &self.layers) {
            (None, None) => EMBEDDED.clone()?,
            _ => Arc::new(Edition::new(self.read()?)),
        };
        self.current.store(Some(Arc::clone(&edition)));
        Ok(edition)
    }

    /// Whether the catalogue can change while the service runs.
    fn is_editable(&self) -> bool {
        self.folder.is_some()
    }
}

impl Core {
    /// The catalogue in use.
    pub fn catalogue(&self) -> Result<Arc<Edition>> {
        self.library.edition().map_err(Error::internal)
    }

    /// Loads the catalogue again and puts it in use. A faulty one is refused and changes nothing.
    pub async fn reload_catalogue(&self) -> Result<Result<Arc<Edition>, Faults>> {
        let this = self.clone();
        let reload = move || {
            let unchanged = this.library.current.load_full().filter(|_| !this.library.is_editable());
            unchanged.map_or_else(|| this.library.replace(), Ok)
        };
        tokio::task::spawn_blocking(reload).await.map_err(Error::internal)
    }
}
