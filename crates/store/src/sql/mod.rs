//! The seam: where storage code runs, on which engine. Nothing outside this folder names an engine.

pub mod backup;
mod care;
mod chain;
mod documents;
mod error;
mod hints;
mod list;
mod listen;
mod looks;
mod meter;
pub mod migrate;
mod place;
mod postgres;
mod readers;
mod revisions;
mod row;
mod search;
mod session;
mod sqlite;
mod statement;
mod table;
mod value;
mod work;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) use chain::{PLATFORM, head};
pub use chain::{STATEMENTS, hash_from_hex, hex};
pub use documents::{Documents, STATEMENTS as DOCUMENT_STATEMENTS};
pub use error::{Error, Result};
pub use hints::Hint;
pub(crate) use list::walk;
pub use list::{Dialect, FEW, Filter, Found, List, ListQuery, Order, Walk};
pub use meter::{Distribution, MeterReading};
pub use revisions::Revision;
pub use row::{Column, Row};
pub use search::{Mark, Search, Term, Tokens};
pub use session::{Reader, Tx};
pub use sqlite::numbered;
pub use statement::{Statement, Text};
pub use table::{Cells, Table, TableColumn, TableStatements};
pub use value::Value;

use self::{
    documents::Sets,
    hints::Hints,
    looks::Looks,
    meter::Meter,
    postgres::{Postgres, Visibility},
    revisions::Revisions,
    session::{Footing, Kept},
    sqlite::{Company, Sqlite},
    work::{Reading, Slot, Writing},
};
use crate::TenantScope;

/// Where the store is and how many connections it may use.
#[derive(Clone)]
pub enum Location {
    /// A SQLite file.
    File { path: PathBuf, readers: usize },
    /// A PostgreSQL server, by its connection string.
    Server { url: String, connections: usize },
}

impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File { path, .. } => f.debug_tuple("File").field(path).finish(),
            // The connection string holds a password.
            Self::Server { .. } => f.write_str("Server(…)"),
        }
    }
}

/// The open store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Db {
    engine: Arc<Engine>,
    revisions: Arc<Revisions>,
    looks: Arc<Looks>,
    hints: Arc<Hints>,
    meter: Arc<Meter>,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Engine {
    async fn read(&self, visible: Visibility, work: Reading) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.read(work).await,
            Self::Postgres(postgres) => postgres.read(visible, work).await,
        }
    }

    /// Gives what is not known in this process yet; SQLite's writer makes it known before it answers.
    async fn write(
        &self,
        visible: Visibility,
        footing: Footing,
        company: Company,
        work: Writing,
    ) -> Result<Kept> {
        match self {
            Self::Sqlite(sqlite) => sqlite.write(footing, company, work).await.map(|()| Kept::Nothing),
            Self::Postgres(postgres) => postgres.write(visible, footing, work).await,
        }
    }
}

impl Db {
    /// Opens the store and checks that its schema is the one this binary was built for.
    pub async fn open(location: &Location) -> Result<Self> {
        let location = location.clone();
        off_runtime(move || Self::open_blocking(&location)).await
    }

    fn open_blocking(location: &Location) -> Result<Self> {
        migrate::check(location)?;
        let (revisions, hints) = (Arc::new(Revisions::default()), Hints::new());
        let (meter, sets) = (Arc::new(Meter::default()), Arc::new(Sets::default()));
        let engine = match location {
            Location::File { path, readers } => {
                Engine::Sqlite(Sqlite::open(path, *readers, &sets, &revisions, &hints, &meter)?)
            }
            Location::Server { url, connections } => {
                Engine::Postgres(Box::new(Postgres::open(url, *connections, &sets, &meter)?))
            }
        };
        Ok(Self { engine: Arc::new(engine), revisions, looks: Arc::default(), hints, meter })
    }

    /// The tenant's part of the store.
    pub fn tenant(&self, scope: &TenantScope) -> TenantDb<'_> {
        TenantDb { db: self, scope: *scope }
    }

    /// The part that belongs to no tenant, and everything jobs must see across tenants.
    pub fn platform(&self) -> PlatformDb<'_> {
        PlatformDb { db: self }
    }

    /// Grows whenever another process was seen writing to the same SQLite file.
    pub fn foreign_changes(&self) -> u64 {
        self.revisions.foreign_changes()
    }

    /// Changes by other nodes are not noticed by themselves: they must be looked for.
    pub fn is_shared(&self) -> bool {
        matches!(*self.engine, Engine::Postgres(_))
    }

    /// Tells its holder when somebody, here or on another node, committed something workers should look at.
    ///
    /// A hint may be lost with a connection: whoever waits for one also looks by themselves now and then.
    pub fn hint(&self) -> Result<Hint> {
        if let Engine::Postgres(postgres) = &*self.engine {
            self.hints.listen_once(|hints| listen::start(postgres.config(), hints))?;
        }
        Ok(self.hints.subscribe())
    }

    /// What the store has measured of itself.
    pub fn meter(&self) -> MeterReading {
        self.meter.read()
    }

    /// The SQLite file, if that is what this store is.
    pub fn file(&self) -> Option<&Path> {
        match &*self.engine {
            Engine::Sqlite(sqlite) => Some(&sqlite.path),
            Engine::Postgres(_) => None,
        }
    }

    async fn read<T, E>(
        &self,
        visible: Visibility,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let slot = Slot::new();
        self.engine.read(visible, slot.reading(read)).await?;
        slot.take()
    }

    async fn write<T, E>(
        &self,
        visible: Visibility,
        footing: Footing,
        company: Company,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let slot = Slot::new();
        let kept = self.engine.write(visible, footing, company, slot.writing(write)).await?;
        self.make_known(&kept);
        slot.take()
    }

    fn make_known(&self, kept: &Kept) {
        if let Kept::Rows { bump, hint } = kept {
            if let Some(bump) = bump {
                self.revisions.publish(&bump.chain, bump.revision);
            }
            if *hint {
                self.hints.raise();
            }
        }
    }
}

/// Runs blocking store work on a thread of its own: the PostgreSQL driver refuses the runtime's threads.
pub async fn off_runtime<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let (answer, wait) = tokio::sync::oneshot::channel();
    let run = move || {
        let _ = answer.send(work());
    };
    std::thread::Builder::new()
        .name("store-work".into())
        .spawn(run)
        .map_err(|error| Error::Engine(Box::new(error)))?;
    wait.await.map_err(|_| Error::Engine("a store operation panicked".into()))?
}

/// One tenant's part of the store.
#[derive(Debug, Clone, Copy)]
pub struct TenantDb<'d> {
    db: &'d Db,
    scope: TenantScope,
}

impl TenantDb<'_> {
    /// Runs `read` over one consistent snapshot.
    pub fn read<T, E>(
        &self,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.db.read(Visibility::tenant(self.scope.tenant()), read)
    }

    /// Like [`read`](Self::read), together with the revision the snapshot shows.
    pub async fn read_at<T, E>(
        &self,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<(T, Revision), E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let name = self.chain();
        let foreign_changes = self.db.foreign_changes();
        let (value, revision) = self
            .read(move |reader| {
                let revision = chain::revision(reader, &name)?;
                Ok::<_, E>((read(reader)?, revision))
            })
            .await?;
        self.db.revisions.publish_seen(&self.chain(), revision, foreign_changes);
        Ok((value, Revision(revision)))
    }

    /// Runs `write` in one transaction that also moves the tenant's revision; it must append to the audit log.
    pub fn write<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let visible = Visibility::tenant(self.scope.tenant());
        self.db.write(visible, Footing::Audited(self.chain()), Company::Shared, write)
    }

    /// The same for a change of very many rows, such as an import: it shares its commit with nobody.
    pub fn write_alone<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let visible = Visibility::tenant(self.scope.tenant());
        self.db.write(visible, Footing::Audited(self.chain()), Company::Alone, write)
    }

    /// A change that is no business change but shows in what the tenant sees, such as the outcome of a delivery:
    /// it moves the revision, and may append to the audit log.
    pub fn bookkeep<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let visible = Visibility::tenant(self.scope.tenant());
        self.db.write(visible, Footing::Showing(self.chain()), Company::Shared, write)
    }

    /// The state of the tenant's data now: from memory where this process sees every write, else from the store.
    pub async fn revision(&self) -> Result<Revision> {
        if self.db.is_shared() {
            return looks::revision(self.db, self.scope.tenant()).await.map(Revision);
        }
        if let Some(known) = self.db.revisions.get(&self.chain()) {
            return Ok(Revision(known));
        }
        self.read_at(|_| Ok::<_, Error>(())).await.map(|((), revision)| revision)
    }

    fn chain(&self) -> String {
        self.scope.tenant().to_string()
    }
}

/// The part of the store that belongs to no tenant.
#[derive(Debug, Clone, Copy)]
pub struct PlatformDb<'d> {
    db: &'d Db,
}

impl PlatformDb<'_> {
    pub fn read<T, E>(
        &self,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.db.read(Visibility::platform(), read)
    }

    /// An audited change on the platform's own chain.
    pub fn write<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let footing = Footing::Audited(PLATFORM.into());
        self.db.write(Visibility::platform(), footing, Company::Shared, write)
    }

    /// A change that is no business change and leaves no audit entry: leases, last use, samples, retention.
    pub fn bookkeep<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.db.write(Visibility::platform(), Footing::Loose, Company::Shared, write)
    }
}
