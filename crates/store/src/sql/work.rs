//! Work for the store, stripped of its types.
//!
//! Every use case hands the seam a closure of its own. Only its packing is compiled for each of them; queues,
//! transactions and retries never see what it gives and are compiled once.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Error, Reader, Result, Tx};

/// Reads, leaves what it found in its slot, and says how it went.
pub(super) type Reading = Box<dyn Fn(&mut Reader<'_>) -> Went + Send>;
/// Changes, leaves what it gives in its slot, and says how it went.
pub(super) type Writing = Box<dyn Fn(&mut Tx<'_>) -> Went + Send>;

/// How work went, for whoever need not know what it gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Went {
    Well,
    /// The error lies in the slot.
    Badly,
}

/// Where work leaves what it gives. Work that is run again replaces what it left before.
pub(super) struct Slot<T, E>(Arc<Mutex<Option<Result<T, E>>>>);

impl<T: Send + 'static, E: From<Error> + Send + 'static> Slot<T, E> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    pub(super) fn reading(&self, read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static) -> Reading {
        let slot = Self(Arc::clone(&self.0));
        Box::new(move |reader| slot.put(read(reader)))
    }

    pub(super) fn writing(&self, write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Writing {
        let slot = Self(Arc::clone(&self.0));
        Box::new(move |tx| slot.put(write(tx)))
    }

    fn put(&self, result: Result<T, E>) -> Went {
        let went = if result.is_ok() { Went::Well } else { Went::Badly };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        went
    }

    /// What the work gave, once the engine says that it ran.
    pub(super) fn take(&self) -> Result<T, E> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        left.unwrap_or_else(|| Err(E::from(panicked())))
    }
}

pub(super) fn panicked() -> Error {
    Error::Engine("a store operation panicked".into())
}
