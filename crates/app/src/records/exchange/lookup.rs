//! Records by what a table calls them: their reference or their title.

use std::collections::{HashMap, hash_map::Entry};

use domain::{
    id::Uuid7,
    page::PageRequest,
    violation::{Complaint, RecordComplaint},
};
use store::Reader;

use crate::{
    Result,
    author::Author,
    records::{AnyKind, Pick},
};

/// How many records are read at a time.
const PART: u32 = 2_000;

/// What one kind of records is called.
#[derive(Debug, Default)]
struct Called {
    by_reference: HashMap<String, String>,
    /// None for a title of several records.
    by_title: HashMap<String, Option<String>>,
}

/// The kinds that were looked up so far, each read once.
#[derive(Debug, Default)]
pub(super) struct Lookup(HashMap<&'static str, Called>);

impl Lookup {
    /// The record of a kind with this reference.
    pub(super) fn by_reference(
        &mut self,
        author: &Author,
        reader: &mut Reader<'_>,
        noun: &'static str,
        reference: &str,
    ) -> Result<Option<String>> {
        Ok(self.called(author, reader, noun)?.by_reference.get(&folded(reference)).cloned())
    }

    /// The id that a cell means. An id, and what names no record, is left for the rules of the record to judge.
    pub(super) fn id_of(
        &mut self,
        author: &Author,
        reader: &mut Reader<'_>,
        nouns: &[&'static str],
        cell: &str,
    ) -> Result<std::result::Result<String, Complaint>> {
        if Uuid7::of_id(cell).is_some() {
            return Ok(Ok(cell.to_owned()));
        }
        let wanted = folded(cell);
        let mut found = None;
        for noun in nouns {
            let called = self.called(author, reader, noun)?;
            if let Some(id) = called.by_reference.get(&wanted) {
                return Ok(Ok(id.clone()));
            }
            match called.by_title.get(&wanted) {
                None => {}
                Some(Some(id)) if found.is_none() => found = Some(id.clone()),
                Some(_) => return Ok(Err(RecordComplaint::SeveralRecords { typed: cell.to_owned() }.into())),
            }
        }
        Ok(Ok(found.unwrap_or_else(|| cell.to_owned())))
    }

    fn called(&mut self, author: &Author, reader: &mut Reader<'_>, noun: &'static str) -> Result<&Called> {
        match self.0.entry(noun) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(read(author, reader, noun)?)),
        }
    }
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The records of a kind that the caller may read.
fn read(author: &Author, reader: &mut Reader<'_>, noun: &str) -> Result<Called> {
    let mut called = Called::default();
    let Some(kind) = AnyKind::of_noun(noun).filter(|kind| kind.is_open_to(&author.caller)) else {
        return Ok(called);
    };
    let mut taken = 0;
    loop {
        let part = kind.list(reader, author.scope(), None, PageRequest::part(PART, taken))?;
        let count = part.len() as u64;
        for Pick { id, reference, title } in part {
            if let Some(title) = title {
                let same = called.by_title.entry(folded(&title));
                same.and_modify(|known| *known = None).or_insert_with(|| Some(id.clone()));
            }
            if let Some(reference) = reference {
                called.by_reference.insert(folded(&reference), id);
            }
        }
        taken += count;
        if count < u64::from(PART) {
            return Ok(called);
        }
    }
}
