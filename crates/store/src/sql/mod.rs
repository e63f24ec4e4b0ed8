//! Runs storage code, on either engine. Nothing outside this folder names an engine.

pub mod backup;
mod cells;
mod chain;
mod counters;
mod documents;
mod error;
mod list;
mod listen;
mod maintenance;
mod many;
mod meter;
pub mod migrate;
mod postgres;
mod readers;
mod revision_batch;
mod revisions;
mod row;
mod search;
mod session;
mod slow;
mod sqlite;
mod statement;
mod store_lock;
pub mod stream;
mod table;
pub mod trace;
mod value;
mod wakeup;
mod work;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use domain::audit_key::AuditKeys;

pub use cells::Cells;
pub(crate) use chain::{PLATFORM, head};
pub use chain::{STATEMENTS, hash_from_hex, hex};
pub use documents::{Documents, STATEMENTS as DOCUMENT_STATEMENTS};
pub use error::{Error, Result};
pub use list::{CursorColumns, Dialect, FEW, Filter, Found, List, ListQuery, Order};
pub(crate) use list::{among, cursor_columns};
pub use meter::{Distribution, MeterReading};
pub use revisions::Revision;
pub use row::{Column, Row};
pub use search::{Mark, Search, Term, Tokens};
pub use session::{Reader, Tx};
pub use statement::{Statement, Text};
pub use table::{ARCHIVED, CUSTOM, Table, TableColumn, TableStatements};
pub use value::{Params, Value};
pub use wakeup::Hint;

use self::{
    documents::Sets,
    meter::Meter,
    postgres::{Postgres, Visibility},
    revision_batch::RevisionBatch,
    revisions::Revisions,
    session::{Ledger, TxKind, TxOutcome},
    sqlite::{Batching, Sqlite},
    wakeup::Hints,
    work::{ReadClosure, Slot, WriteClosure},
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
    batches: Arc<RevisionBatch>,
    hints: Arc<Hints>,
    meter: Arc<Meter>,
    /// What entries of keyed chains are hashed with, once it is known.
    audit_keys: Arc<RwLock<Option<Arc<AuditKeys>>>>,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Engine {
    async fn read(&self, visible: Visibility, work: ReadClosure) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.read(work).await,
            Self::Postgres(postgres) => postgres.read(visible, work).await,
        }
    }

    /// Returns the revision that this process has not published yet; SQLite's writer publishes it before it answers.
    async fn write(
        &self,
        visible: Visibility,
        tx_kind: TxKind,
        batching: Batching,
        work: WriteClosure,
    ) -> Result<TxOutcome> {
        match self {
            Self::Sqlite(sqlite) => sqlite.write(tx_kind, batching, work).await.map(|()| TxOutcome::Nothing),
            Self::Postgres(postgres) => postgres.write(visible, tx_kind, batching, work).await,
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
        let audit_keys = Arc::default();
        Ok(Self { engine: Arc::new(engine), revisions, batches: Arc::default(), hints, meter, audit_keys })
    }

    /// From now on entries of keyed chains are hashed with the current one of these keys.
    pub fn use_audit_keys(&self, keys: AuditKeys) {
        *self.audit_keys.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(keys));
    }

    fn ledger(&self, name: String) -> Ledger {
        let keys = self.audit_keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ledger { name, keys }
    }

    /// The tenant's part of the store.
    pub fn tenant(&self, scope: &TenantScope) -> TenantDb<'_> {
        TenantDb { db: self, scope: *scope }
    }

    /// The data that belongs to no tenant, and everything jobs read across tenants.
    pub fn platform(&self) -> PlatformDb<'_> {
        PlatformDb { db: self }
    }

    /// Increases whenever another process was seen writing to the same SQLite file.
    pub fn foreign_changes(&self) -> u64 {
        self.revisions.foreign_changes()
    }

    /// Whether other nodes can change the data without this process noticing, so that revisions must be queried.
    pub fn is_shared(&self) -> bool {
        matches!(*self.engine, Engine::Postgres(_))
    }

    /// Wakes its holder when a process, here or on another node, committed work for the workers.
    ///
    /// A hint may be lost with a connection, so workers also poll.
    pub fn hint(&self) -> Result<Hint> {
        if let Engine::Postgres(postgres) = &*self.engine {
            self.hints.listen_once(|hints| listen::start(postgres.config(), hints))?;
        }
        Ok(self.hints.subscribe())
    }

    /// The metrics of the store.
    pub fn meter(&self) -> MeterReading {
        self.meter.read()
    }

    /// The path of the SQLite file, if the store is one.
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
        tx_kind: TxKind,
        batching: Batching,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let slot = Slot::new();
        let kept = self.engine.write(visible, tx_kind, batching, slot.writing(write)).await?;
        self.make_known(&kept);
        slot.take()
    }

    fn make_known(&self, kept: &TxOutcome) {
        if let TxOutcome::Rows { bump, hint } = kept {
            if let Some(bump) = bump {
                self.revisions.publish(&bump.chain, bump.revision);
            }
            if *hint {
                self.hints.raise();
            }
        }
    }
}

/// Runs blocking store work on a thread of its own: the PostgreSQL driver must not run on the runtime's threads.
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
        self.db.write(visible, TxKind::Audited(self.db.ledger(self.chain())), Batching::Shared, write)
    }

    /// The same for a change of very many rows, such as an import: it does not share its commit.
    pub fn write_alone<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let visible = Visibility::tenant(self.scope.tenant());
        self.db.write(visible, TxKind::Audited(self.db.ledger(self.chain())), Batching::Alone, write)
    }

    /// A change that is no business change but is visible to the tenant, such as the result of a delivery: it moves
    /// the revision, and may append to the audit log.
    pub fn bookkeep<T, E>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let visible = Visibility::tenant(self.scope.tenant());
        self.db.write(visible, TxKind::Showing(self.db.ledger(self.chain())), Batching::Shared, write)
    }

    /// The current revision of the tenant's data: from memory where this process sees every write, else from the
    /// store.
    pub async fn revision(&self) -> Result<Revision> {
        if self.db.is_shared() {
            return revision_batch::revision(self.db, self.scope.tenant()).await.map(Revision);
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
        let tx_kind = TxKind::Audited(self.db.ledger(PLATFORM.into()));
        self.db.write(Visibility::platform(), tx_kind, Batching::Shared, write)
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
        self.db.write(Visibility::platform(), TxKind::Loose, Batching::Shared, write)
    }
}
