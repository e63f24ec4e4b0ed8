//! Search results by kind: the tenant's own records first, then those of the catalogue, best match first in each.

use catalogue::search::Query;
use domain::{
    page::{Page, PageRequest},
    wording::Language,
};
use store::{Reader, document};

use super::{Cut, Finder, HEADING, Hit, HitKind, LOOKED_AT, SearchText, TEXT, own};
use crate::{Reference, Result, authz::Caller};

/// The hits of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub kind: HitKind,
    pub total: u64,
    /// The best few.
    pub hits: Vec<Hit>,
}

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grouped {
    pub groups: Vec<Group>,
    /// There are more own records than were counted, so the numbers of their kinds are lower bounds.
    pub has_more: bool,
}

impl Grouped {
    pub fn total(&self) -> u64 {
        self.groups.iter().map(|group| group.total).sum()
    }
}

/// A record of the tenant: its kind, its id, and its score.
type OwnId = (HitKind, String, f32);

impl Reference {
    /// The number of results of each kind, with the best few of each.
    pub async fn search_by_kind(
        &self,
        caller: &Caller,
        question: SearchText,
        language: Language,
        few: u32,
    ) -> Result<Grouped> {
        let (edition, viewer) = (self.edition_of(caller).await?, caller.clone());
        let find = move |reader: &mut Reader<'_>| {
            let query = Query::new(&question.0, language);
            Finder::new(&edition, &query, language, viewer.clone()).grouped(reader, few)
        };
        self.db.tenant(caller.scope()).read(find).await
    }

    /// The results of one kind, given by name. An unknown name finds nothing.
    pub async fn search_one_kind(
        &self,
        caller: &Caller,
        question: SearchText,
        language: Language,
        kind: String,
        request: PageRequest,
    ) -> Result<Page<Hit>> {
        let (edition, viewer) = (self.edition_of(caller).await?, caller.clone());
        let find = move |reader: &mut Reader<'_>| {
            let query = Query::new(&question.0, language);
            Finder::new(&edition, &query, language, viewer.clone()).of_kind(reader, &kind, request)
        };
        self.db.tenant(caller.scope()).read(find).await
    }
}

impl Finder<'_> {
    fn grouped(&self, reader: &mut Reader<'_>, few: u32) -> Result<Grouped> {
        let (own, has_more) = self.own_ids(reader)?;
        let mut groups = Vec::new();
        for kind in own::kinds() {
            let ids: Vec<_> = own.iter().filter(|(of, ..)| *of == kind).collect();
            let mut hits = Vec::new();
            for (_, id, worth) in ids.iter().take(few as usize) {
                hits.extend(own::hit(reader, &self.scope, id, &self.asked, *worth)?);
            }
            groups.push(Group { kind, total: ids.len() as u64, hits });
        }
        for found in &self.matches {
            let kind = HitKind::of(found);
            let place = groups.iter().position(|group| group.kind == kind).unwrap_or_else(|| {
                groups.push(Group { kind, total: 0, hits: Vec::new() });
                groups.len() - 1
            });
            let group = &mut groups[place];
            group.total += 1;
            if group.hits.len() < few as usize {
                group.hits.push(self.of_catalogue(found));
            }
        }
        groups.retain(|group| group.total > 0);
        Ok(Grouped { groups, has_more })
    }

    fn of_kind(&self, reader: &mut Reader<'_>, word: &str, request: PageRequest) -> Result<Page<Hit>> {
        // Own requirements are found with the catalogue, which they extend.
        let mut stored = own::kinds().filter(|kind| *kind != HitKind::OWN_REQUIREMENT);
        if let Some(kind) = stored.find(|kind| kind.as_str() == word) {
            let (own, _) = self.own_ids(reader)?;
            let ids: Vec<_> = own.into_iter().filter(|(of, ..)| *of == kind).collect();
            let Page { items, total, .. } = Page::cut(ids.into_iter(), request);
            let mut hits = Vec::new();
            for (_, id, worth) in &items {
                hits.extend(own::hit(reader, &self.scope, id, &self.asked, *worth)?);
            }
            return Ok(Page::new(hits, total, request));
        }
        let of_kind: Vec<_> =
            self.matches.iter().filter(|found| HitKind::of(found).as_str() == word).copied().collect();
        let mut cut = Cut::of(request);
        self.add_matches(&mut cut, &of_kind);
        Ok(Page::new(cut.hits, of_kind.len() as u64, request))
    }

    /// The tenant's records with every word, those with all of them in the heading first, and whether there are more.
    fn own_ids(&self, reader: &mut Reader<'_>) -> Result<(Vec<OwnId>, bool)> {
        let anywhere = document::find(reader, &self.scope, &self.everywhere.anywhere)?;
        let in_headings = document::find(reader, &self.scope, &self.everywhere.in_headings)?;
        let in_texts = &anywhere - &in_headings;
        let mut own = Vec::new();
        for (found, each) in [(&in_headings, HEADING), (&in_texts, TEXT)] {
            let (worth, left) = (self.worth(each), LOOKED_AT.saturating_sub(own.len() as u64));
            let ids = document::records(reader, &self.scope, found, left, 0)?;
            let shown = self.visible(reader, ids)?.into_iter();
            own.extend(shown.filter_map(|id| Some((own::kind_of(&id)?, id, worth))));
        }
        Ok((own, in_headings.len() + in_texts.len() > LOOKED_AT))
    }
}
