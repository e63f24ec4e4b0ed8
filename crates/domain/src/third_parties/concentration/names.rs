//! Interned names: every text is stored once, and rows contain four-byte numbers instead.

use std::{collections::HashMap, sync::Arc};

use foldhash::fast::RandomState;

#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// Looked up several times for every row of a register, so it uses a fast hash.
    numbers: HashMap<Arc<str>, u32, RandomState>,
    names: Vec<Arc<str>>,
}

impl Names {
    pub(super) fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = small(self.names.len());
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(super) fn get(&self, number: u32) -> &Arc<str> {
        &self.names[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

/// A length as a row stores it. Four billion names or rows do not fit in memory, so the maximum is never reached.
pub(super) fn small(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
