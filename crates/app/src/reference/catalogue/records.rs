//! The records of one kind, serialised once: a list joins the records it needs instead of serialising them again.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, PoisonError, RwLock},
};

use domain::{page::PageRequest, wording::Language};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Edition;
use crate::{Error, Result};

/// Serialised records, one after the other, in the order of their list.
#[derive(Debug)]
pub struct Records {
    text: String,
    /// The end of each record in `text`.
    ends: Vec<usize>,
    tag: String,
}

/// One page of a list, ready to be joined.
#[derive(Debug)]
pub struct RecordPage<'r> {
    pub items: Vec<&'r str>,
    pub total: u64,
    pub request: PageRequest,
    /// Different after any change of the page.
    pub validator: String,
    /// The same on every page of one list, and different after any change of the list.
    pub list: String,
}

impl Records {
    /// Serialises every record.
    pub fn of<T: Serialize>(records: impl IntoIterator<Item = T>) -> Result<Self> {
        let mut text = Vec::new();
        let mut ends = Vec::new();
        for record in records {
            serde_json::to_writer(&mut text, &record).map_err(Error::internal)?;
            ends.push(text.len());
        }
        let tag = digest(&text);
        Ok(Self { text: String::from_utf8(text).map_err(Error::internal)?, ends, tag })
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One record with its validator.
    pub fn one(&self, position: usize) -> Option<(&str, String)> {
        let record = self.get(position)?;
        Some((record, digest(record.as_bytes())))
    }

    fn get(&self, position: usize) -> Option<&str> {
        let start = position.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(position)?)
    }

    /// Every record, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).filter_map(|position| self.get(position))
    }

    /// Identifies the list of the records at these positions.
    pub fn list_tag(&self, positions: &[usize]) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.tag);
        for position in positions {
            hash.update(position.to_be_bytes());
        }
        digest(&hash.finalize())
    }

    /// The page of the records at these positions, in this order.
    pub fn page(&self, positions: &[usize], request: PageRequest) -> RecordPage<'_> {
        let skip = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let mut hash = Sha256::new();
        hash.update(&self.tag);
        for number in [positions.len() as u64, u64::from(request.limit()), request.offset()] {
            hash.update(number.to_be_bytes());
        }
        let mut items = Vec::new();
        for position in positions.iter().skip(skip).take(request.limit() as usize) {
            hash.update(position.to_be_bytes());
            items.extend(self.get(*position));
        }
        let validator = digest(&hash.finalize());
        RecordPage {
            items,
            total: positions.len() as u64,
            request,
            validator,
            list: self.list_tag(positions),
        }
    }
}

/// A short digest of these bytes.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..12].iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A kind of records and how they are serialised.
#[derive(Debug, Clone, Copy)]
pub struct RecordSet {
    pub name: &'static str,
    pub write: fn(&Edition, Language) -> Result<Records>,
}

/// The serialised records, by kind and language.
#[derive(Debug, Default)]
pub(crate) struct RecordSets(RwLock<HashMap<(&'static str, Language), Arc<Records>>>);

impl RecordSets {
    pub(crate) fn get(
        &self,
        key: (&'static str, Language),
        write: impl FnOnce() -> Result<Records>,
    ) -> Result<Arc<Records>> {
        if let Some(records) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(records));
        }
        // Two callers may both serialise it the first time; either result will do.
        let records = Arc::new(write()?);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&records));
        Ok(records)
    }
}

impl Edition {
    /// The records of the set in this language.
    pub fn records(&self, set: &RecordSet, language: Language) -> Result<Arc<Records>> {
        self.records.get((set.name, language), || (set.write)(self, language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(records: &Records, positions: &[usize], limit: u64, offset: u64) -> (Vec<String>, u64, String) {
        let page = records.page(positions, PageRequest::new(Some(limit), Some(offset)).unwrap());
        (page.items.iter().map(|item| (*item).to_owned()).collect(), page.total, page.validator)
    }

    #[test]
    fn a_page_is_joined_from_pieces() {
        let records = Records::of(["a", "bé", "", "d"]).unwrap();
        let (items, total, _) = page(&records, &[3, 0, 1], 2, 1);
        assert_eq!((items, total), (vec!["\"a\"".to_owned(), "\"bé\"".to_owned()], 3));
        assert_eq!(page(&records, &[3, 0, 1], 2, 9).0, Vec::<String>::new());
        assert_eq!(page(&Records::of([0_u8; 0]).unwrap(), &[], 5, 0).1, 0);
    }

    #[test]
    fn the_validator_differs_whenever_the_answer_does() {
        let records = Records::of(["a", "b", "c"]).unwrap();
        let other = Records::of(["a", "b", "d"]).unwrap();
        let tags = [
            page(&records, &[0, 1], 5, 0).2,
            page(&records, &[0, 2], 5, 0).2,
            page(&records, &[0, 1], 6, 0).2,
            page(&records, &[0, 1], 5, 1).2,
            page(&records, &[0, 1, 2], 2, 0).2,
            page(&other, &[0, 1], 5, 0).2,
        ];
        let different: std::collections::HashSet<_> = tags.iter().collect();
        assert_eq!(different.len(), tags.len());
        assert_eq!(page(&records, &[0, 1], 5, 0).2, tags[0]);
    }
}
