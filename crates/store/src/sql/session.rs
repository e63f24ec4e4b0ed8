//! The handles of storage code: a [`Reader`] over a consistent snapshot, or a [`Tx`] that changes rows.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
};

use domain::{
    audit::{Entry, Head},
    audit_key::AuditKeys,
    moment::Moment,
};

use super::{
    Dialect, Error, Result, Statement, Value, chain,
    counters::Counters,
    documents::Sets,
    many::Posted,
    meter::Meter,
    postgres::{Client, Prepared, ReadFailure, note, prepare},
    row::{self, Row},
    sqlite,
    stream::RecordWrite,
};

pub(super) enum Connection<'c> {
    Sqlite(&'c rusqlite::Connection),
    Postgres {
        client: &'c Client,
        prepared: &'c mut Prepared,
        /// Set when the server aborted the transaction because of a concurrent one: it may be retried.
        given_up: &'c mut bool,
    },
}

/// Reads rows from one consistent snapshot.
pub struct Reader<'c> {
    pub(super) connection: Connection<'c>,
    changed: bool,
    sets: Option<Arc<Sets>>,
    /// Measures statements of the service; backups are not measured.
    pub(super) meter: Option<Arc<Meter>>,
    pub(super) posted: Vec<Posted>,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("changed", &self.changed).finish_non_exhaustive()
    }
}

impl<'c> Reader<'c> {
    pub(super) fn new(connection: Connection<'c>) -> Self {
        Self { connection, changed: false, sets: None, meter: None, posted: Vec::new() }
    }

    /// A reader that uses the shared cache of document sets.
    pub(super) fn sharing(connection: Connection<'c>, sets: &Arc<Sets>, meter: &Arc<Meter>) -> Self {
        Self { sets: Some(Arc::clone(sets)), ..Self::measured(connection, meter) }
    }

    fn measured(connection: Connection<'c>, meter: &Arc<Meter>) -> Self {
        Self { meter: Some(Arc::clone(meter)), ..Self::new(connection) }
    }

    pub(super) fn kept_sets(&self) -> Option<Arc<Sets>> {
        self.sets.clone()
    }

    pub fn query<T>(
        &mut self,
        statement: &Statement,
        params: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.for_each(statement, params, |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row, if there is one.
    pub fn query_opt<T>(
        &mut self,
        statement: &Statement,
        params: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.query(statement, params, read).map(|rows| rows.into_iter().next())
    }

    /// The one row of a statement that always has one, such as a count.
    pub fn query_one<T>(
        &mut self,
        statement: &Statement,
        params: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.query_opt(statement, params, read)?
            .ok_or_else(|| Error::corrupt(format_args!("{} found no row", statement.name)))
    }

    /// Calls `each` row by row without collecting them, for results larger than memory.
    pub fn for_each(
        &mut self,
        statement: &Statement,
        params: &[Value<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let text = self.text_of(statement);
        self.each_row((statement.name, text), params, &mut each)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite(_) => Dialect::Sqlite,
            Connection::Postgres { .. } => Dialect::Postgres,
        }
    }

    pub(super) fn text_of(&mut self, statement: &Statement) -> &'static str {
        let text = statement.text.on(self.dialect());
        // An `INSERT … RETURNING` is a change although it returns rows.
        self.changed |= !(text.starts_with("SELECT") || text.starts_with("WITH"));
        text
    }

    /// Runs a text, which has the name of its statement or list. Only this module composes texts, and only from
    /// static parts.
    pub(super) fn each_row(
        &mut self,
        text: (&'static str, &str),
        params: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.each_row_while(text, params, &mut |row| each(row).map(|()| true))
    }

    /// The same, until `each` returns false.
    pub(super) fn each_row_while(
        &mut self,
        (name, text): (&'static str, &str),
        params: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<bool>,
    ) -> Result<()> {
        self.send_posted()?;
        self.timed(name, 1, |reader| match &mut reader.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(text)?;
                sqlite::bind(&mut statement, params)?;
                let mut rows = statement.raw_query();
                while let Some(row) = rows.next()? {
                    if !each(&Row(row::Engine::Sqlite(row)))? {
                        break;
                    }
                }
                Ok(())
            }
            Connection::Postgres { client, prepared, given_up } => {
                let mut noting = |error| note(given_up, error);
                let statement = prepare(client, prepared, text).map_err(&mut noting)?;
                let read =
                    client.each_row(&statement, params, &mut |row| each(&Row(row::Engine::Postgres(row))));
                read.map_err(|failure| match failure {
                    ReadFailure::Ours(error) => noting(error),
                    ReadFailure::Theirs(error) => error,
                })
            }
        })
    }

    fn execute(&mut self, statement: &Statement, params: &[Value<'_>]) -> Result<u64> {
        self.send_posted()?;
        let text = self.text_of(statement);
        self.timed(statement.name, 1, |reader| match &mut reader.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(text)?;
                sqlite::bind(&mut statement, params)?;
                Ok(statement.raw_execute()? as u64)
            }
            Connection::Postgres { client, prepared, given_up } => {
                let mut noting = |error| note(given_up, error);
                let statement = prepare(client, prepared, text).map_err(&mut noting)?;
                let params: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> =
                    params.iter().map(|value| value as _).collect();
                client.execute(&statement, &params).map_err(&mut noting)
            }
        })
    }
}

/// A transaction: its changes are committed together or not at all.
pub struct Tx<'c> {
    reader: Reader<'c>,
    chain: Option<Chain>,
    hint: bool,
    /// There while the transaction collects what it adds to counters.
    pub(super) counters: Option<Counters>,
    /// What it wrote to records so far.
    pub(super) writes: Vec<RecordWrite>,
}

/// The kind of a transaction: which revision it moves, and whether it must be audited.
#[derive(Debug, Clone)]
pub(super) enum TxKind {
    /// Rows that belong to no chain.
    Loose,
    /// A business change: moves the chain's revision and must append to its audit log.
    Audited(Ledger),
    /// Bookkeeping that shows: moves the revision, and appends only what deserves an entry.
    Showing(Ledger),
}

/// A chain, and what its entries are hashed with where it is keyed.
#[derive(Debug, Clone)]
pub(super) struct Ledger {
    pub(super) name: String,
    pub(super) keys: Option<Arc<AuditKeys>>,
}

/// The audit chain a change belongs to, with the head it has reached inside this transaction.
struct Chain {
    ledger: Ledger,
    revision: i64,
    head: Head,
    /// The root key of a keyed chain.
    key: Option<String>,
    owes_entry: bool,
    appended: bool,
    /// The author and the time of the last entry.
    signed: Option<(String, Moment)>,
}

impl Chain {
    /// Moves the head behind an entry, with the key in use where the chain is keyed.
    fn append(&mut self, entry: &Entry) -> Result<()> {
        let name = &self.ledger.name;
        self.head = if self.key.is_some() {
            let key = self.ledger.keys.as_ref().and_then(|keys| keys.current(name)).ok_or_else(keyless)?;
            self.key = Some(key.id().to_owned());
            self.head.append_keyed(name, entry, &key)
        } else {
            self.head.append(name, entry)
        };
        self.appended = true;
        self.signed = Some((entry.actor.clone(), entry.at));
        Ok(())
    }
}

fn keyless() -> Error {
    Error::Refused(
        "audit entries of this store are hashed with the vault key, which is not at hand: put the key file in place"
            .into(),
    )
}

/// The new revision of a chain, to be made known once the commit is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bump {
    pub(super) chain: String,
    pub(super) revision: i64,
}

/// The outcome of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TxOutcome {
    /// Nothing changed: the transaction is rolled back, and the revision stays.
    Nothing,
    /// Changed rows, the new revision of their chain if they have one, and whether to wake workers.
    Rows { bump: Option<Bump>, hint: bool },
}

impl fmt::Debug for Tx<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tx")
            .field("chain", &self.chain.as_ref().map(|chain| &chain.ledger.name))
            .finish_non_exhaustive()
    }
}

/// The chain of a change, its revision, and who signed it and when, if an entry was appended.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) chain: String,
    pub(super) revision: i64,
    pub(super) signed: Option<(String, Moment)>,
}

impl<'c> Tx<'c> {
    /// Starts a transaction: increasing the chain's revision first also serialises concurrent writers of one tenant.
    pub(super) fn begin(connection: Connection<'c>, meter: &Arc<Meter>, tx_kind: &TxKind) -> Result<Self> {
        let mut reader = Reader::measured(connection, meter);
        let chain = match tx_kind {
            TxKind::Loose => None,
            TxKind::Audited(ledger) | TxKind::Showing(ledger) => {
                let chain::Start { revision, head, key } = chain::advance(&mut reader, &ledger.name)?;
                let owes_entry = matches!(tx_kind, TxKind::Audited(_));
                let ledger = ledger.clone();
                Some(Chain { ledger, revision, head, key, owes_entry, appended: false, signed: None })
            }
        };
        reader.changed = false;
        Ok(Self { reader, chain, hint: false, counters: None, writes: Vec::new() })
    }

    /// Wakes the workers of every node once this change is committed.
    pub fn hint(&mut self) {
        self.hint = true;
    }

    pub fn execute(&mut self, statement: &Statement, params: &[Value<'_>]) -> Result<u64> {
        self.reader.execute(statement, params)
    }

    /// Appends to the audit chain of this change.
    pub fn audit(&mut self, entry: &Entry) -> Result<()> {
        let Some(chain) = self.chain.as_mut() else { return Err(Error::Unaudited) };
        chain.append(entry)?;
        let (name, head, key) = (chain.ledger.name.clone(), chain.head, chain.key.clone());
        chain::append(self, &name, head, key.as_deref(), entry)
    }

    /// From the next entry on the chain of this change is keyed. Says whether it was not so before.
    pub fn begin_keys(&mut self) -> Result<bool> {
        let Some(chain) = self.chain.as_mut() else { return Err(Error::Unaudited) };
        if chain.key.is_some() {
            return Ok(false);
        }
        let keys = chain.ledger.keys.as_ref();
        let key = keys.and_then(|keys| keys.current(&chain.ledger.name)).ok_or_else(keyless)?;
        chain.key = Some(key.id().to_owned());
        Ok(true)
    }

    /// Whether this change belongs to this chain.
    pub(super) fn is_chain_of(&self, name: &str) -> bool {
        self.chain.as_ref().is_some_and(|chain| chain.ledger.name == name)
    }

    pub(super) fn signature(&self) -> Option<Signature> {
        let chain = self.chain.as_ref()?;
        Some(Signature {
            chain: chain.ledger.name.clone(),
            revision: chain.revision,
            signed: chain.signed.clone(),
        })
    }

    /// The revision this transaction will commit.
    pub fn revision(&self) -> Option<i64> {
        self.chain.as_ref().map(|chain| chain.revision)
    }

    pub(super) fn finish(mut self) -> Result<TxOutcome> {
        if !self.reader.changed {
            return Ok(TxOutcome::Nothing);
        }
        self.append_writes()?;
        let hint = self.hint;
        let Some(chain) = self.chain.take() else {
            self.send_posted()?;
            return Ok(TxOutcome::Rows { bump: None, hint });
        };
        if chain.appended {
            chain::store_head(&mut self, &chain.ledger.name, chain.head, chain.key.as_deref())?;
        } else if chain.owes_entry {
            return Err(Error::Unaudited);
        }
        self.send_posted()?;
        let bump = Bump { chain: chain.ledger.name, revision: chain.revision };
        Ok(TxOutcome::Rows { bump: Some(bump), hint })
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = Reader<'c>;

    fn deref(&self) -> &Reader<'c> {
        &self.reader
    }
}

impl<'c> DerefMut for Tx<'c> {
    fn deref_mut(&mut self) -> &mut Reader<'c> {
        &mut self.reader
    }
}
