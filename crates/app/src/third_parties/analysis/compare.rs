//! Two kept analyses beside each other: which shares moved, by how many percentage points, and which breaches came and went.

use std::collections::BTreeMap;

use domain::id::AnalysisId;

use super::{Analysis, DimensionContent, EntryContent, NamedContent, ShareContent};
use crate::{Error, Result, ThirdParties, authz::Caller};

/// The concentration of one dimension in both analyses, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HhiDifference {
    pub dimension: String,
    pub before: i64,
    pub after: i64,
}

/// Two analyses compared.
#[derive(Debug, Clone)]
pub struct AnalysisComparison {
    pub before: Analysis,
    pub after: Analysis,
    pub hhi: Vec<HhiDifference>,
    /// Entries that changed, the largest change of each dimension first.
    pub shares: Vec<ShareContent>,
    pub new_breaches: Vec<NamedContent>,
    pub gone_breaches: Vec<NamedContent>,
}

impl AnalysisComparison {
    /// Whether both were measured by the same basis over the same arrangements, so that shares compare one to one.
    pub fn is_alike(&self) -> bool {
        let (before, after) = (&self.before.head, &self.after.head);
        before.basis == after.basis && before.scope == after.scope
    }

    fn of(before: Analysis, after: Analysis) -> Self {
        let (mut hhi, mut shares) = (Vec::new(), Vec::new());
        let (mut new_breaches, mut gone_breaches) = (Vec::new(), Vec::new());
        for old in &before.content.dimensions {
            let Some(new) = after.content.dimensions.iter().find(|new| new.dimension == old.dimension) else {
                continue;
            };
            hhi.push(HhiDifference { dimension: old.dimension.clone(), before: old.hhi, after: new.hhi });
            let pairs = pairs(old, new);
            let named = |entry: &EntryContent| NamedContent {
                dimension: old.dimension.clone(),
                name: entry.name.clone(),
            };
            for (was, is) in pairs.values() {
                let (had, has) = (was.is_some_and(|was| was.breach), is.is_some_and(|is| is.breach));
                match (was, is) {
                    (_, Some(is)) if has && !had => new_breaches.push(named(is)),
                    (Some(was), _) if had && !has => gone_breaches.push(named(was)),
                    _ => {}
                }
            }
            let mut moved: Vec<_> =
                pairs.into_values().filter_map(|(was, is)| moved(&old.dimension, was, is)).collect();
            moved.sort_by(|one, other| {
                other.difference.abs().cmp(&one.difference.abs()).then_with(|| one.name.cmp(&other.name))
            });
            shares.append(&mut moved);
        }
        Self { before, after, hhi, shares, new_breaches, gone_breaches }
    }
}

/// The entries of both by what they are recognised by: a LEI, or else a name.
fn pairs<'c>(
    old: &'c DimensionContent,
    new: &'c DimensionContent,
) -> BTreeMap<&'c str, (Option<&'c EntryContent>, Option<&'c EntryContent>)> {
    fn key(entry: &EntryContent) -> &str {
        entry.lei.as_ref().unwrap_or(&entry.name)
    }
    let mut pairs: BTreeMap<&str, (Option<&EntryContent>, Option<&EntryContent>)> = BTreeMap::new();
    for entry in &old.entries {
        pairs.entry(key(entry)).or_default().0 = Some(entry);
    }
    for entry in &new.entries {
        pairs.entry(key(entry)).or_default().1 = Some(entry);
    }
    pairs
}

fn moved(dimension: &str, was: Option<&EntryContent>, is: Option<&EntryContent>) -> Option<ShareContent> {
    let share = |entry: Option<&EntryContent>| entry.map_or(0, |entry| entry.share);
    let difference = share(is) - share(was);
    // A company may be called otherwise now; its newest name counts.
    let name = is.or(was)?.name.clone();
    let changed = difference != 0 || was.is_none() || is.is_none();
    changed.then(|| ShareContent {
        dimension: dimension.to_owned(),
        name,
        before: was.map(|entry| entry.share),
        after: is.map(|entry| entry.share),
        difference,
    })
}

impl ThirdParties {
    /// Compares an analysis with a later one; without one, with the latest.
    pub async fn compare_analyses(
        &self,
        caller: &Caller,
        from: AnalysisId,
        to: Option<AnalysisId>,
    ) -> Result<AnalysisComparison> {
        let before = self.kept_analysis(caller, from).await?;
        let after = match to {
            Some(to) => self.kept_analysis(caller, to).await?,
            None => self.analysis(caller).await?.ok_or(Error::NotFound)?,
        };
        Ok(AnalysisComparison::of(before, after))
    }
}
