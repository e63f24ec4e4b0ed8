//! One statement for many sets of parameters: PostgreSQL gets them without waiting for each answer.

use super::{
    Dialect, Params, Reader, Result, Row, Statement, Tx, Value,
    postgres::{note, prepare},
    row,
    session::Connection,
    sqlite,
};

/// How many statements wait at most, so that a large change takes little memory.
const MOST_POSTED: usize = 256;

impl Reader<'_> {
    /// The rows of a query for each set of parameters, in their order.
    pub fn query_many<T>(
        &mut self,
        statement: &Statement,
        sets: &[Params<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<Vec<T>>> {
        self.send_posted()?;
        let text = self.text_of(statement);
        if self.dialect() == Dialect::Sqlite {
            return sets.iter().map(|params| self.query(statement, params, &mut read)).collect();
        }
        self.timed(statement.name, sets.len(), |reader| match &mut reader.connection {
            Connection::Sqlite(_) => Ok(Vec::new()),
            Connection::Postgres { client, prepared, given_up } => {
                let mut noting = |error| note(given_up, error);
                let prepared = prepare(client, prepared, text).map_err(&mut noting)?;
                let found = client.query_many(&prepared, sets).map_err(&mut noting)?;
                let mut read_all = |rows: &Vec<tokio_postgres::Row>| {
                    rows.iter().map(|row| read(&Row(row::Engine::Postgres(row)))).collect()
                };
                found.iter().map(&mut read_all).collect()
            }
        })
    }

    /// Sends what was posted, in its order and in one round trip.
    pub(super) fn send_posted(&mut self) -> Result<()> {
        if self.posted.is_empty() {
            return Ok(());
        }
        let posted = std::mem::take(&mut self.posted);
        let name = posted.first().map_or("", |first| first.name);
        self.timed(name, posted.len(), |reader| reader.send(&posted))
    }

    fn send(&mut self, posted: &[Posted]) -> Result<()> {
        if let Connection::Postgres { client, prepared, given_up } = &mut self.connection {
            let mut noting = |error| note(given_up, error);
            let mut ready = Vec::with_capacity(posted.len());
            for Posted { text, params, .. } in posted {
                ready.push((prepare(client, prepared, text).map_err(&mut noting)?, params));
            }
            client.execute_all(&ready).map_err(&mut noting)?;
        }
        Ok(())
    }
}

/// A statement for PostgreSQL that waits for the next round trip.
pub(super) struct Posted {
    name: &'static str,
    text: &'static str,
    params: Params<'static>,
}

impl Tx<'_> {
    /// Executes a statement whose count does not matter. PostgreSQL gets it together with others, before the next
    /// statement that is waited for or before the commit; an error shows there.
    pub fn post(&mut self, statement: &Statement, params: &[Value<'_>]) -> Result<()> {
        let owned: Option<Params<'static>> = match self.connection {
            Connection::Sqlite(_) => None,
            Connection::Postgres { .. } => params.iter().map(Value::owned).collect(),
        };
        let Some(params) = owned else { return self.execute(statement, params).map(|_| ()) };
        let text = self.text_of(statement);
        self.posted.push(Posted { name: statement.name, text, params });
        if self.posted.len() < MOST_POSTED { Ok(()) } else { self.send_posted() }
    }

    /// Executes a statement for each set of parameters, in their order; returns how many rows each of them changed.
    pub fn execute_many(&mut self, statement: &Statement, sets: &[Params<'_>]) -> Result<Vec<u64>> {
        if sets.is_empty() {
            return Ok(Vec::new());
        }
        self.send_posted()?;
        let text = self.text_of(statement);
        self.timed(statement.name, sets.len(), |reader| match &mut reader.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(text)?;
                let execute = |params: &Params<'_>| {
                    sqlite::bind(&mut statement, params)?;
                    Ok(statement.raw_execute()? as u64)
                };
                sets.iter().map(execute).collect()
            }
            Connection::Postgres { client, prepared, given_up } => {
                let mut noting = |error| note(given_up, error);
                let statement = prepare(client, prepared, text).map_err(&mut noting)?;
                client.execute_many(&statement, sets).map_err(&mut noting)
            }
        })
    }
}
