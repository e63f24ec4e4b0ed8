//! Type-erased jobs for the store.
//!
//! Every use case passes a closure of its own type. Only the code that wraps it is compiled for each of them; queues,
//! transactions and retries do not depend on the type of the result and are compiled once.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Error, Reader, Result, Tx};

/// Reads, stores the result in its slot, and returns the outcome.
pub(super) type ReadClosure = Box<dyn Fn(&mut Reader<'_>) -> JobOutcome + Send>;
/// Changes rows, stores the result in its slot, and returns the outcome.
pub(super) type WriteClosure = Box<dyn Fn(&mut Tx<'_>) -> JobOutcome + Send>;

/// The outcome of a type-erased job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobOutcome {
    Done,
    /// The error is in the slot.
    Failed,
}

/// Holds the result of a job. A job that is retried replaces its earlier result.
pub(super) struct Slot<T, E>(Arc<Mutex<Option<Result<T, E>>>>);

impl<T: Send + 'static, E: From<Error> + Send + 'static> Slot<T, E> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    pub(super) fn reading(
        &self,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> ReadClosure {
        let slot = Self(Arc::clone(&self.0));
        Box::new(move |reader| slot.put(read(reader)))
    }

    pub(super) fn writing(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> WriteClosure {
        let slot = Self(Arc::clone(&self.0));
        Box::new(move |tx| slot.put(write(tx)))
    }

    fn put(&self, result: Result<T, E>) -> JobOutcome {
        let went = if result.is_ok() { JobOutcome::Done } else { JobOutcome::Failed };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        went
    }

    /// The result of the job, once the engine has run it.
    pub(super) fn take(&self) -> Result<T, E> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        left.unwrap_or_else(|| Err(E::from(panicked())))
    }
}

pub(super) fn panicked() -> Error {
    Error::Engine("a store operation panicked".into())
}
