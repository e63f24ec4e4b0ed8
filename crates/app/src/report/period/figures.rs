//! The figures of a report, read from one snapshot as of the last day of its period and of the period before.

use domain::{
    approval::{Approval, ApprovalAction, ApprovalState},
    finding::{Finding, FindingStatus},
    moment::{Day, Moment},
    page::PageRequest,
    programme::Programme,
    risk::{Risk, RiskCategory, RiskLevel, RiskStatus, RiskTreatment},
    test_case::{TestCase, TestCaseStatus},
    time_zone::TimeZone,
    training::{Training, TrainingState},
    vocabulary::Severity,
    wording::Language,
};
use store::{
    Reader, TenantScope, analysis,
    approval::ApprovalFilter,
    finding::{FindingFilter, States},
    programme::ProgrammeFilter,
    record::RecordRow,
    register_filing::{RegisterFilingFilter, RegisterFilingRow},
    risk::RiskFilter,
    risk_appetite,
    test_case::TestCaseFilter,
    training::TrainingFilter,
};

use super::{
    past::{ANALYSES, Past},
    review_figures::ReviewFigures,
};
use crate::{
    Resilience, Result,
    analysis::{Analysis, BreachRow},
    assessment::{self, FrameworkSummary},
    authz::Caller,
    catalogue::Edition,
    coverage::{self, TestCoverage},
    incident::{IncidentPeriod, Period},
};

/// A figure of the last day, or of the period, and the same before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Compared<T> {
    pub(super) now: T,
    pub(super) before: T,
}

impl<T> Compared<T> {
    pub(super) fn map<U>(&self, of: impl Fn(&T) -> U) -> Compared<U> {
        Compared { now: of(&self.now), before: of(&self.before) }
    }
}

#[derive(Debug)]
pub(super) struct ApprovalNote {
    pub(super) title: String,
    pub(super) subject: String,
    pub(super) action: ApprovalAction,
    pub(super) state: ApprovalState,
    pub(super) asked_at: Moment,
    pub(super) until: Option<Day>,
    pub(super) decided_at: Option<Moment>,
}

#[derive(Debug)]
pub(super) struct RiskNote {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) category: RiskCategory,
    pub(super) owner: String,
    pub(super) level: Option<RiskLevel>,
    /// The limit of its category, if it is above it.
    pub(super) exceeds: Option<RiskLevel>,
    pub(super) status: RiskStatus,
    pub(super) treatment: RiskTreatment,
    pub(super) accepted_until: Option<Day>,
}

#[derive(Debug)]
pub(super) struct FindingNote {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) owner: String,
    pub(super) severity: Severity,
    pub(super) status: FindingStatus,
    pub(super) due_on: Option<Day>,
    pub(super) created_at: Moment,
    pub(super) closed_at: Option<Moment>,
}

impl FindingNote {
    pub(super) fn is_overdue(&self, day: Day) -> bool {
        self.status.is_open() && self.due_on.is_some_and(|due| due < day)
    }
}

#[derive(Debug)]
pub(super) struct TestNote {
    pub(super) programme: String,
    pub(super) status: TestCaseStatus,
    pub(super) due_on: Option<Day>,
    pub(super) executed_at: Option<Moment>,
}

#[derive(Debug)]
pub(super) struct ProgrammeNote {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) label: domain::wording::Label,
}

#[derive(Debug)]
pub(super) struct TrainingNote {
    pub(super) is_member: bool,
    pub(super) state: TrainingState,
}

/// How many arrangements and providers there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ThirdPartyCounts {
    pub(super) arrangements: u64,
    pub(super) critical: u64,
    pub(super) providers: u64,
}

/// Everything that a report shows.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) period: Period,
    pub(super) before: Period,
    /// The day on which the records were read.
    pub(super) today: Day,
    pub(super) zone: TimeZone,
    pub(super) approvals: Compared<Vec<ApprovalNote>>,
    pub(super) frameworks: Vec<Compared<FrameworkSummary>>,
    pub(super) risks: Compared<Vec<RiskNote>>,
    pub(super) incidents: IncidentPeriod,
    pub(super) findings: Compared<Vec<FindingNote>>,
    pub(super) tests: Compared<Vec<TestNote>>,
    pub(super) programmes: Vec<ProgrammeNote>,
    pub(super) coverage: Compared<TestCoverage>,
    pub(super) third_parties: Compared<ThirdPartyCounts>,
    pub(super) analysis: Compared<Option<Analysis>>,
    pub(super) breaches: Vec<BreachRow>,
    pub(super) filings: Vec<RegisterFilingRow>,
    pub(super) trainings: Compared<Vec<TrainingNote>>,
    /// What a management review shows besides.
    pub(super) review: Option<ReviewFigures>,
    /// Whether there are more records of a kind than were counted.
    pub(super) is_cut: bool,
}

impl Figures {
    pub(super) fn read(
        resilience: &Resilience,
        caller: &Caller,
        reader: &mut Reader<'_>,
        edition: &Edition,
        (period, zone, is_review): (Period, TimeZone, bool),
    ) -> Result<Self> {
        let (scope, before, today) =
            (*caller.scope(), period.before(), zone.local(resilience.clock.now()).day);
        let mut past = Past::new(reader, scope, [period.until, before.until])?;
        let appetite = risk_appetite::get(reader, &scope)?;
        let risk = |row: RecordRow<Risk>| RiskNote {
            id: row.id.to_string(),
            name: format!("{} {}", row.record.reference, row.record.title),
            category: row.record.category,
            owner: shown(row.record.owner.as_ref()),
            level: row.record.residual.map(domain::risk::Rating::level),
            exceeds: appetite.exceeded(&row.record),
            status: row.record.status,
            treatment: row.record.treatment,
            accepted_until: row.record.accepted_until(),
        };
        let days = [period.until, before.until];
        let analysis = past.analyses(reader)?;
        let breaches = match &analysis.now {
            Some(analysis) => {
                let all = PageRequest::part(ANALYSES, 0);
                analysis::breaches(reader, &scope, analysis.head.id, None, false, all)?.items
            }
            None => Vec::new(),
        };
        let all_findings = FindingFilter { states: States::All, ..FindingFilter::default() };
        let figures = Self {
            approvals: past.both(reader, &ApprovalFilter::default(), approval)?,
            frameworks: frameworks(edition, reader, &scope, days)?,
            risks: past.both(reader, &RiskFilter::default(), risk)?,
            incidents: resilience.incident_period_in(caller, reader, period, &zone)?,
            findings: past.both(reader, &all_findings, finding)?,
            tests: past.both(reader, &TestCaseFilter::default(), test)?,
            programmes: past.rows(reader, 0, &ProgrammeFilter::default(), &programme)?,
            coverage: Compared {
                now: coverage::picture(reader, &scope, days[0].year(), days[0])?,
                before: coverage::picture(reader, &scope, days[1].year(), days[1])?,
            },
            third_parties: Compared {
                now: past.third_parties(reader, 0)?,
                before: past.third_parties(reader, 1)?,
            },
            analysis,
            breaches,
            filings: past.rows(reader, 0, &RegisterFilingFilter::default(), &filing)?,
            trainings: Compared {
                now: past.rows(reader, 0, &TrainingFilter::default(), &training(days[0]))?,
                before: past.rows(reader, 1, &TrainingFilter::default(), &training(days[1]))?,
            },
            review: is_review.then(|| ReviewFigures::read(reader, &mut past, period)).transpose()?,
            is_cut: false,
            period,
            before,
            today,
            zone,
        };
        Ok(Self { is_cut: past.is_cut, ..figures })
    }

    /// The same with the names of sectors in the language of the report.
    pub(super) fn spoken(mut self, language: Language) -> Self {
        let Compared { now, before } = self.analysis;
        let spoken = |analysis: Option<Analysis>| analysis.map(|analysis| analysis.spoken(language));
        self.analysis = Compared { now: spoken(now), before: spoken(before) };
        self
    }

    /// The day of a moment where the institution is.
    pub(super) fn day_of(&self, at: Moment) -> Day {
        self.zone.local(at).day
    }

    /// How many moments are in the period, and in the one before.
    pub(super) fn within(&self, moments: impl Iterator<Item = Moment>) -> Compared<u64> {
        let mut counts = Compared::default();
        for day in moments.map(|at| self.day_of(at)) {
            counts.now += u64::from(self.period.holds(day));
            counts.before += u64::from(self.before.holds(day));
        }
        counts
    }
}

fn frameworks(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    [until, before]: [Day; 2],
) -> Result<Vec<Compared<FrameworkSummary>>> {
    let now = assessment::summaries_as_of(edition, reader, scope, None, until)?;
    let before = assessment::summaries_as_of(edition, reader, scope, None, before)?;
    let both = now.into_iter().zip(before).map(|(now, before)| Compared { now, before });
    Ok(both
        .filter(|both| both.now.whole.tally.is_started() || both.before.whole.tally.is_started())
        .collect())
}

pub(super) fn shown(text: Option<&domain::text::Name>) -> String {
    text.map_or_else(|| "–".to_owned(), ToString::to_string)
}

fn approval(row: RecordRow<Approval>) -> ApprovalNote {
    let approval = row.record;
    ApprovalNote {
        title: approval.title.to_string(),
        subject: approval.subject.to_string(),
        action: approval.action,
        state: approval.state,
        asked_at: row.created_at,
        until: approval.until,
        decided_at: approval.decided_at,
    }
}

pub(super) fn finding(row: RecordRow<Finding>) -> FindingNote {
    let finding = row.record;
    FindingNote {
        id: row.id.to_string(),
        name: format!("{} {}", finding.reference, finding.title),
        owner: shown(finding.owner.as_ref()),
        severity: finding.severity,
        status: finding.status,
        due_on: finding.due_on,
        created_at: row.created_at,
        closed_at: finding.closed_at,
    }
}

fn test(row: RecordRow<TestCase>) -> TestNote {
    let test = row.record;
    TestNote {
        programme: test.programme_id.to_string(),
        status: test.status,
        due_on: test.due_on,
        executed_at: test.executed_at.filter(|_| test.status.is_executed()),
    }
}

fn programme(row: RecordRow<Programme>) -> ProgrammeNote {
    let (id, programme) = (row.id.to_string(), row.record);
    ProgrammeNote { id, name: programme.name.to_string(), label: programme.status.label() }
}

fn filing(row: RegisterFilingRow) -> RegisterFilingRow {
    row
}

fn training(day: Day) -> impl Fn(RecordRow<Training>) -> TrainingNote {
    move |row| TrainingNote { is_member: row.record.management_body, state: row.record.state(day) }
}
