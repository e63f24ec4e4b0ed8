//! Tags and regions as results of the search: each leads to the list of the records that have it.

use catalogue::record::Needle;
use domain::{
    arrangement::Arrangement,
    right::{Resource, Right},
};
use store::{Reader, arrangement, record::Kind as _, tag};

use super::SearchText;
use crate::{Error, Reference, Result, authz::Caller, records::AnyKind, view};

/// The maximum number of regions that are looked at and offered.
const REGIONS: u32 = 500;
/// The maximum number of tags that are looked at, of which the reader may see a part.
const TAGS: u32 = 100;

/// What a list is narrowed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NarrowedBy {
    Tag,
    Region,
}

/// A list that contains only records with a tag, or in a region.
#[derive(Debug, Clone)]
pub struct NarrowedList {
    pub by: NarrowedBy,
    /// The tag or the region, as it was written.
    pub value: String,
    pub kind: &'static AnyKind,
}

impl Reference {
    /// The lists of the tags that begin with the text, and of the regions that contain all its words; of each the
    /// first few.
    pub async fn narrowed_lists(
        &self,
        caller: &Caller,
        question: SearchText,
        few: u32,
    ) -> Result<Vec<NarrowedList>> {
        let viewer = caller.clone();
        let find = move |reader: &mut Reader<'_>| {
            let mut found = tagged(reader, &viewer, &question, few)?;
            found.extend(in_regions(reader, &viewer, &question, few)?);
            Ok::<_, Error>(found)
        };
        self.db.tenant(caller.scope()).read(find).await
    }

    /// The regions of the arrangements in the register.
    pub async fn regions(&self, caller: &Caller) -> Result<Vec<String>> {
        let viewer = caller.clone();
        let read = move |reader: &mut Reader<'_>| regions(reader, &viewer);
        self.db.tenant(caller.scope()).read(read).await
    }
}

/// The list of records of a table, if there is one and the viewer may read it.
fn list_of(viewer: &Caller, table: &str) -> Option<&'static AnyKind> {
    let kind = AnyKind::of_table(table).filter(|kind| kind.is_open_to(viewer))?;
    view::lists().contains(&kind.table).then_some(kind)
}

fn tagged(
    reader: &mut Reader<'_>,
    viewer: &Caller,
    question: &SearchText,
    few: u32,
) -> Result<Vec<NarrowedList>> {
    let letters = question.0.trim().to_lowercase();
    let found = tag::beginning(reader, viewer.scope(), &letters, TAGS)?;
    let lists = found.into_iter().filter_map(|(table, value)| {
        Some(NarrowedList { by: NarrowedBy::Tag, value, kind: list_of(viewer, &table)? })
    });
    Ok(lists.take(few as usize).collect())
}

fn in_regions(
    reader: &mut Reader<'_>,
    viewer: &Caller,
    question: &SearchText,
    few: u32,
) -> Result<Vec<NarrowedList>> {
    let Some(kind) = list_of(viewer, Arrangement::TABLE.name) else { return Ok(Vec::new()) };
    let needle = Needle::new(&question.0);
    let found = regions(reader, viewer)?.into_iter().filter(|region| needle.is_in_any(&[region.as_str()]));
    let lists = found.map(|value| NarrowedList { by: NarrowedBy::Region, value, kind });
    Ok(lists.take(few as usize).collect())
}

fn regions(reader: &mut Reader<'_>, viewer: &Caller) -> Result<Vec<String>> {
    if !viewer.has(Resource::Arrangements, Right::Read) {
        return Ok(Vec::new());
    }
    Ok(arrangement::regions(reader, viewer.scope(), REGIONS)?)
}
