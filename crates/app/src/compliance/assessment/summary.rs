//! How far each framework and each of its sections is met, now and per day.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use domain::{
    assessment::{Assessment, AssessmentStatus, AssessmentTally},
    evidence::LinkType,
    framework::Framework,
    moment::Day,
    page::{Page, PageRequest},
    profile::Facts,
    rounding::Hundredths,
    wording::Language,
};
use store::{
    Reader, TenantScope, Tx,
    assessment::{self as rows, AssessmentDay, AssessmentRow},
    evidence_link,
};

use super::{AssessmentFilter, AssessmentView, facts, list::at_end_of};
use crate::{Compliance, Error, Result, authz::Caller, catalogue::Edition, pages::Rendered};

/// How many days a trend shows.
const TREND_DAYS: i64 = 30;
/// The sections of ISO/IEC 27001 whose controls a statement of applicability lists.
pub(super) const ANNEX_A: &str = "iso-27001-annex-a-";

/// A framework and its sections, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameworkSummary {
    pub framework: Framework,
    pub whole: PartSummary,
    pub sections: Vec<PartSummary>,
}

/// A framework or a section, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartSummary {
    /// The id of the framework or the section.
    pub id: String,
    pub tally: AssessmentTally,
    /// Earliest first. Days before the first assessment are missing.
    pub trend: Vec<TrendDay>,
}

/// How many requirements of a framework were met on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetDay {
    pub day: Day,
    pub met: u64,
}

/// How far a part was met on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendDay {
    pub day: Day,
    pub met_pct: Hundredths,
    pub approved_pct: Hundredths,
}

impl Compliance {
    /// The current summary of every framework, rendered, from the cache while nothing has changed.
    pub async fn assessment_summary_page(
        &self,
        caller: &Caller,
        framework: Option<Framework>,
        language: Language,
        render: fn(&Edition, &[FrameworkSummary], Language) -> Vec<u8>,
    ) -> Result<Rendered> {
        let edition = self.edition_of(caller).await?;
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let state = format!("{}/{}", edition.version, edition.requirements.len());
        let question = format!("{framework:?} {state} {today} {language:?}");
        let shown = Arc::clone(&edition);
        let load = move |r: &mut Reader<'_>| summaries(&edition, r, &scope, framework, today);
        let write = move |all: &Vec<FrameworkSummary>| render(&shown, all, language);
        self.page(caller, "assessment-summary", &question, load, write).await
    }

    /// The same as values.
    pub async fn assessment_summary(
        &self,
        caller: &Caller,
        framework: Option<Framework>,
        as_of: Option<Day>,
    ) -> Result<Vec<FrameworkSummary>> {
        let edition = self.edition_of(caller).await?;
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let read = move |r: &mut Reader<'_>| match as_of {
            Some(day) => summaries_as_of(&edition, r, &scope, framework, day),
            None => summaries(&edition, r, &scope, framework, today),
        };
        self.db.tenant(&scope).read(read).await
    }

    /// How many requirements of each framework were met on the first stored day since a given one. Frameworks without
    /// a stored day before today are left out.
    pub async fn met_since(&self, caller: &Caller, from: Day) -> Result<HashMap<Framework, MetDay>> {
        let edition = self.edition_of(caller).await?;
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let read = move |r: &mut Reader<'_>| {
            let mut all = HashMap::new();
            for framework in edition.frameworks.iter().map(|framework| framework.id) {
                let first = rows::first_day(r, &scope, framework, from)?.filter(|first| first.day < today);
                all.extend(first.map(|first| (framework, MetDay { day: first.day, met: first.met })));
            }
            Ok(all)
        };
        self.db.tenant(&scope).read(read).await
    }

    /// The requirements of a framework, each with whether it applies and why: of ISO/IEC 27001 the controls of Annex A,
    /// of any other framework what counts in its summary.
    pub async fn statement_of_applicability(
        &self,
        caller: &Caller,
        framework: Framework,
        as_of: Option<Day>,
        language: Language,
    ) -> Result<Vec<AssessmentView>> {
        let filter = AssessmentFilter { framework: framework.into(), as_of, ..AssessmentFilter::default() };
        let edition = self.edition_of(caller).await?;
        let (page, _): (Page<AssessmentView>, _) =
            self.assessments(caller, &filter, PageRequest::part(u32::MAX, 0), language).await?;
        let is_listed = |view: &AssessmentView| {
            let position = edition.requirements.position(&view.row.requirement);
            let found = position.and_then(|position| Some((position, edition.requirements.at(position)?)));
            found.is_some_and(|(position, requirement)| match framework {
                Framework::ISO_27001 => requirement.section.starts_with(ANNEX_A),
                _ => !edition.ledger().is_heading(position),
            })
        };
        Ok(page.items.into_iter().filter(is_listed).collect())
    }
}

impl TrendDay {
    fn of(kept: &AssessmentDay) -> Self {
        let AssessmentDay { day, applicable, met, approved, .. } = *kept;
        let of_all = |count| Hundredths::percent(count, applicable.max(1));
        Self { day, met_pct: of_all(met), approved_pct: of_all(approved) }
    }
}

impl PartSummary {
    /// The stored values of a day.
    fn on(&self, day: Day) -> AssessmentDay {
        AssessmentDay {
            part: self.id.clone(),
            day,
            applicable: self.tally.applicable,
            met: self.tally.with_status(AssessmentStatus::Met),
            approved: self.tally.approved,
        }
    }
}

fn summaries(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Option<Framework>,
    today: Day,
) -> Result<Vec<FrameworkSummary>> {
    let facts = facts(reader, scope)?;
    let said = AssessedRows::of(reader, scope, framework, today)?;
    let mut trends: HashMap<String, Vec<TrendDay>> = HashMap::new();
    let days = rows::days(reader, scope, framework, today.plus_days(-TREND_DAYS))?;
    for kept in days.into_iter().filter(|kept| kept.day < today) {
        trends.entry(kept.part.clone()).or_default().push(TrendDay::of(&kept));
    }
    let mut all = counted(edition, (&facts, today), &said, framework);
    for summary in &mut all {
        let begun = said.has_begun(summary.framework);
        for part in std::iter::once(&mut summary.whole).chain(&mut summary.sections) {
            part.trend = trends.remove(&part.id).unwrap_or_default();
            // Today is counted and not read, so that the result does not depend on when the day was stored.
            let now = TrendDay::of(&part.on(today));
            part.trend.extend(begun.then_some(now));
        }
    }
    Ok(all)
}

/// The totals as of the end of a day, without their trend. Which requirements apply follows from the profile of today.
pub(crate) fn summaries_as_of(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Option<Framework>,
    day: Day,
) -> Result<Vec<FrameworkSummary>> {
    let facts = facts(reader, scope)?;
    let rows = at_end_of(reader, scope, framework, day)?;
    let expired = evidence_link::with_expired(reader, scope, LinkType::Assessment, day)?;
    Ok(counted(edition, (&facts, day), &AssessedRows { rows, expired }, framework))
}

/// The assessments, and the requirements whose evidence has expired.
pub(crate) struct AssessedRows {
    rows: Vec<AssessmentRow>,
    expired: HashSet<String>,
}

impl AssessedRows {
    pub(crate) fn of(
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        framework: Option<Framework>,
        today: Day,
    ) -> Result<Self> {
        let rows = rows::all(reader, scope, framework)?;
        // Most institutions start without evidence, and all of them without assessments.
        let expired = match rows.as_slice() {
            [] => HashSet::new(),
            _ => evidence_link::with_expired(reader, scope, LinkType::Assessment, today)?,
        };
        Ok(Self { rows, expired })
    }

    /// Whether a framework has any assessment.
    fn has_begun(&self, framework: Framework) -> bool {
        let begins = format!("{framework}-");
        self.rows.iter().any(|row| row.requirement.starts_with(&begins))
    }
}

/// The totals of every framework; empty while there is no assessment at all.
pub(crate) fn tallies(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    today: Day,
) -> Result<HashMap<Framework, AssessmentTally>> {
    let said = AssessedRows::of(reader, scope, None, today)?;
    if said.rows.is_empty() {
        return Ok(HashMap::new());
    }
    let all = counted(edition, (&facts(reader, scope)?, today), &said, None);
    Ok(all.into_iter().map(|summary| (summary.framework, summary.whole.tally)).collect())
}

/// Counts the assessments. A requirement whose points are requirements of their own is not counted in addition to
/// them.
fn counted(
    edition: &Edition,
    (facts, today): (&Facts, Day),
    said: &AssessedRows,
    framework: Option<Framework>,
) -> Vec<FrameworkSummary> {
    let AssessedRows { rows, expired } = said;
    let said: HashMap<&str, &Assessment> =
        rows.iter().map(|row| (row.requirement.as_str(), &row.assessment)).collect();
    let (ledger, untouched) = (edition.ledger(), Assessment::UNTOUCHED);
    let tally = |positions: &[usize]| {
        let mut tally = AssessmentTally::default();
        for position in positions.iter().copied().filter(|position| !ledger.is_heading(*position)) {
            let Some(requirement) = edition.requirements.at(position) else { continue };
            let assessment = said.get(&*requirement.id).copied().unwrap_or(&untouched);
            let by_profile = edition.verdict(requirement, facts, today).applies();
            tally.add(assessment, by_profile, expired.contains(&*requirement.id));
        }
        tally
    };
    let frameworks = edition.frameworks.iter().filter(|known| framework.is_none_or(|one| one == known.id));
    let summary = |known: &catalogue::framework::Framework| {
        let own = edition.sections.iter().filter(|section| section.framework == known.id);
        let part = |section: &catalogue::framework::Section| PartSummary {
            id: section.id.to_string(),
            tally: tally(ledger.of_section(&section.id)),
            trend: Vec::new(),
        };
        let sections: Vec<PartSummary> = own.map(part).collect();
        let mut whole = AssessmentTally::default();
        for section in &sections {
            whole.join(&section.tally);
        }
        let whole = PartSummary { id: known.id.to_string(), tally: whole, trend: Vec::new() };
        FrameworkSummary { framework: known.id, whole, sections }
    };
    frameworks.map(summary).collect()
}

/// Stores how far every framework and section is met today, once there is any assessment.
pub(crate) fn keep_today(edition: &Edition, tx: &mut Tx<'_>, scope: &TenantScope, today: Day) -> Result<()> {
    let said = AssessedRows::of(tx, scope, None, today)?;
    if said.rows.is_empty() {
        return Ok(());
    }
    let facts = facts(tx, scope)?;
    let all = counted(edition, (&facts, today), &said, None);
    for summary in all.into_iter().filter(|one| said.has_begun(one.framework)) {
        for part in std::iter::once(&summary.whole).chain(&summary.sections) {
            rows::keep_day(tx, scope, &part.on(today)).map_err(Error::from)?;
        }
    }
    Ok(())
}
