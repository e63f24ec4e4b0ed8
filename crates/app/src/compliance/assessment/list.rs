//! Lists of assessments: the requirements of the catalogue in its order, each with its assessment.
//!
//! Without a filter on assessments, a page reads only its own rows; with one, it reads all rows of the framework in
//! one statement.

use std::{collections::HashMap, sync::Arc};

use catalogue::record::Needle;
use domain::{
    any_of::AnyOf,
    assessment::{Assessment, AssessmentStatus},
    framework::Framework,
    key_limits::Verb,
    moment::{Day, Moment},
    page::{Cursor, CursorOrder, Page, PageRequest},
    violation::FieldComplaint,
    wording::Language,
};
use store::{Reader, Revision, TenantScope, assessment as rows};

use super::{AssessmentRow, AssessmentView, facts, untouched, version::from_fields, views};
use crate::{
    Compliance, Error, Result,
    authz::Caller,
    catalogue::{CurrentEdition, Edition, framework::Requirement},
    pages::{self, Rendered},
    records::end_of,
};

/// Which assessments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssessmentFilter {
    pub framework: AnyOf<Framework>,
    pub section: Option<String>,
    pub status: AnyOf<AssessmentStatus>,
    pub owner: AnyOf<String>,
    pub due_before: AnyOf<Day>,
    pub applies: Option<bool>,
    pub approved: Option<bool>,
    pub search: Option<String>,
    /// The assessments as of the end of this day.
    pub as_of: Option<Day>,
}

impl AssessmentFilter {
    /// Whether the filter needs the stored assessments.
    fn asks_rows(&self, request: PageRequest) -> bool {
        let Self { status, owner, due_before, applies, approved, search, as_of, .. } = self;
        status.asks()
            || owner.asks()
            || due_before.asks()
            || applies.is_some()
            || approved.is_some()
            || search.is_some()
            || as_of.is_some()
            || request.updated_since().is_some()
    }
}

/// A requirement with its position in the catalogue and its assessment.
type Found<'e> = (usize, &'e Requirement, AssessmentRow);

impl Compliance {
    /// A rendered page of the list, from the cache while nothing has changed.
    pub async fn assessment_page(
        &self,
        caller: &Caller,
        CurrentEdition { edition, revision }: CurrentEdition,
        filter: AssessmentFilter,
        request: PageRequest,
        language: Language,
        render: fn(&Edition, &Page<AssessmentView>, Language) -> Vec<u8>,
    ) -> Result<Rendered> {
        // The catalogue can be replaced without a change of the tenant.
        let state = format!("{}/{}", edition.version, edition.requirements.len());
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        // Evidence expires with the day, without a change of the tenant.
        let question = format!("{} {state} {today} {language:?}", pages::question(&filter, request));
        let shown = Arc::clone(&edition);
        let load = move |r: &mut Reader<'_>| page(&edition, r, &scope, &filter, request, (language, today));
        let write = move |page: &Page<AssessmentView>| render(&shown, page, language);
        self.page_at(caller, revision, ("assessments", &question), load, write).await
    }

    /// A page of the list as values.
    pub async fn assessments(
        &self,
        caller: &Caller,
        filter: &AssessmentFilter,
        request: PageRequest,
        language: Language,
    ) -> Result<(Page<AssessmentView>, Revision)> {
        // The statement of applicability and the exchange formats show them too.
        caller.require_noun("assessment", Verb::Read)?;
        let edition = self.edition_of(caller).await?;
        let (scope, filter) = (*caller.scope(), filter.clone());
        let today = self.clock.now().day();
        let read = move |r: &mut Reader<'_>| page(&edition, r, &scope, &filter, request, (language, today));
        self.db.tenant(&scope).read_at(read).await
    }
}

fn page(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &AssessmentFilter,
    request: PageRequest,
    (language, today): (Language, Day),
) -> Result<Page<AssessmentView>> {
    let facts = facts(reader, scope)?;
    // What applied is judged on the day that is asked for.
    let day = filter.as_of.unwrap_or(today);
    let candidates = candidates(edition, filter);
    let mut page = if filter.asks_rows(request) {
        let said = match filter.as_of {
            None => rows::all(reader, scope, filter.framework.one().copied())?,
            Some(day) => at_end_of(reader, scope, filter.framework.one().copied(), day)?,
        };
        let kept = kept(edition, &candidates, said, filter, (&facts, day), request, language);
        sliced(kept, request, |(position, _, row)| (*position, row.updated_at))?
    } else {
        // The page is cut out of the positions alone, which is all that its order depends on.
        let mut page = sliced(candidates, request, |position| (*position, Moment::from_millis(0)))?;
        let bare = std::mem::take(&mut page.items).into_iter().filter_map(|position| {
            let requirement = edition.requirements.at(position)?;
            Some((position, requirement, untouched(requirement)))
        });
        let mut page = page.with(bare.collect());
        fill(reader, scope, &mut page.items)?;
        page
    };
    let chosen = std::mem::take(&mut page.items).into_iter().map(|(_, requirement, row)| (requirement, row));
    let shown = views(edition, reader, scope, (&facts, day), chosen.collect())?;
    Ok(page.with(shown))
}

/// The positions of the requirements that match the filter on the catalogue alone.
fn candidates(edition: &Edition, filter: &AssessmentFilter) -> Vec<usize> {
    let ledger = edition.ledger();
    let all = match (&filter.section, filter.framework.one()) {
        (Some(section), _) => ledger.of_section(section).to_vec(),
        (None, Some(framework)) => ledger.of_framework(*framework).to_vec(),
        (None, None) => (0..edition.requirements.len()).collect(),
    };
    let of_framework = |position: &usize| {
        let requirement = edition.requirements.at(*position);
        requirement.is_some_and(|requirement| filter.framework.allows(&requirement.framework))
    };
    all.into_iter().filter(of_framework).collect()
}

/// Those that match the filter on their rows.
fn kept<'e>(
    edition: &'e Edition,
    candidates: &[usize],
    said: Vec<AssessmentRow>,
    filter: &AssessmentFilter,
    (facts, day): (&domain::profile::Facts, Day),
    request: PageRequest,
    language: Language,
) -> Vec<Found<'e>> {
    let mut said: HashMap<String, AssessmentRow> =
        said.into_iter().map(|row| (row.requirement.clone(), row)).collect();
    let needle = filter.search.as_deref().map(Needle::new);
    let named: Vec<usize> = needle
        .as_ref()
        .map(|needle| edition.requirements.positions(needle, language, |_| true))
        .unwrap_or_default();
    let mut kept = Vec::new();
    for position in candidates.iter().copied() {
        let Some(requirement) = edition.requirements.at(position) else { continue };
        let row = said.remove(&*requirement.id).unwrap_or_else(|| untouched(requirement));
        let found = needle
            .as_ref()
            .is_none_or(|needle| named.binary_search(&position).is_ok() || mentions(&row.assessment, needle));
        let since = request.updated_since().is_none_or(|since| row.version > 0 && row.updated_at >= since);
        let fits = found && since && passes(&row.assessment, filter);
        let applies = || row.assessment.applies(edition.verdict(requirement, facts, day).applies());
        if fits && filter.applies.is_none_or(|wanted| applies() == wanted) {
            kept.push((position, requirement, row));
        }
    }
    if request.updated_since().is_some() {
        kept.sort_by_key(|(position, _, row)| (row.updated_at, *position));
    }
    kept
}

fn mentions(assessment: &Assessment, needle: &Needle) -> bool {
    let texts = [
        assessment.rationale.as_ref().map(AsRef::<str>::as_ref),
        assessment.owner.as_ref().map(AsRef::<str>::as_ref),
    ];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    !texts.is_empty() && needle.is_in_any(&texts)
}

fn passes(assessment: &Assessment, filter: &AssessmentFilter) -> bool {
    let owner = assessment.owner.as_ref().map(ToString::to_string);
    filter.status.allows(&assessment.status)
        && filter.owner.allows_opt(owner.as_ref())
        && filter.due_before.allows_before(assessment.due_on)
        && filter.approved.is_none_or(|wanted| assessment.approved.is_some() == wanted)
}

/// Cuts out the page, given the position in the catalogue and the last change of each. A cursor is such a position,
/// which no change of an assessment moves.
fn sliced<T>(all: Vec<T>, request: PageRequest, place: impl Fn(&T) -> (usize, Moment)) -> Result<Page<T>> {
    let total = all.len() as u64;
    let since = request.updated_since();
    let skip = match request.cursor() {
        None => usize::try_from(request.offset()).unwrap_or(usize::MAX),
        Some(cursor) => all.iter().take_while(|found| is_before(place(found), cursor)).count(),
    };
    let fits = match request.cursor().map(|cursor| cursor.order) {
        None => true,
        Some(CursorOrder::Oldest) => since.is_none(),
        Some(CursorOrder::Changed { .. }) => since.is_some(),
        Some(_) => false,
    };
    if !fits {
        return Err(Error::invalid("cursor", FieldComplaint::OtherCursor));
    }
    let limit = request.limit() as usize;
    let more = all.len() > skip.saturating_add(limit);
    let items: Vec<T> = all.into_iter().skip(skip).take(limit).collect();
    let next = items.last().filter(|_| more).map(|last| {
        let (position, at) = place(last);
        let order = since.map_or(CursorOrder::Oldest, |since| CursorOrder::Changed { since, at });
        Cursor { order, key: position as u128 }
    });
    Ok(Page { next, ..Page::new(items, total, request) })
}

/// Whether a page up to the cursor has shown it.
fn is_before((position, changed): (usize, Moment), cursor: Cursor) -> bool {
    match cursor.order {
        CursorOrder::Changed { at, .. } => (changed, position as u128) <= (at, cursor.key),
        _ => position as u128 <= cursor.key,
    }
}

/// Reads the assessments of one page.
fn fill(reader: &mut Reader<'_>, scope: &TenantScope, items: &mut [Found<'_>]) -> Result<()> {
    let ids: Vec<&str> = items.iter().map(|(_, requirement, _)| &*requirement.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let mut said: HashMap<String, AssessmentRow> =
        rows::get_many(reader, scope, &ids)?.into_iter().map(|row| (row.requirement.clone(), row)).collect();
    for (_, requirement, row) in items {
        if let Some(found) = said.remove(&*requirement.id) {
            *row = found;
        }
    }
    Ok(())
}

/// The assessments of these requirements; what the catalogue does not have is left out.
pub(crate) fn of_requirements(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[String],
    today: Day,
) -> Result<Vec<AssessmentView>> {
    let known = ids.iter().filter_map(|id| edition.requirements.get(id));
    let mut found: Vec<Found<'_>> = known.map(|one| (0, one, untouched(one))).collect();
    fill(reader, scope, &mut found)?;
    let facts = facts(reader, scope)?;
    let chosen = found.into_iter().map(|(_, requirement, row)| (requirement, row)).collect();
    views(edition, reader, scope, (&facts, today), chosen)
}

/// The assessments as of the end of a day.
pub(crate) fn at_end_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Option<Framework>,
    day: Day,
) -> Result<Vec<AssessmentRow>> {
    let end = end_of(reader, scope, day)?;
    let mut said = rows::all(reader, scope, framework)?;
    said.retain(|row| row.updated_at <= end);
    for earlier in rows::earlier(reader, scope, end)? {
        let content = serde_json::from_str(&earlier.content).map_err(Error::internal)?;
        said.push(AssessmentRow {
            requirement: earlier.requirement,
            assessment: from_fields(&content)?,
            version: earlier.version,
            created_at: earlier.from,
            updated_at: earlier.from,
        });
    }
    Ok(said)
}
