//! Incidents: their classification and due times are computed from their facts when they are read; reports are frozen
//! when they are sent.

mod correct;
mod decision;
mod import;
mod links;
mod log;
mod period;
mod product;
mod recurrence;
mod report;
mod statistics;
mod view;

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use domain::{
    approval::{ApprovalAction, ApprovalDetails},
    change::Change,
    id::IncidentId,
    incident::{
        ClassifyInput, FiledInput, FiledReport, Incident, IncidentComplaint, IncidentInput, IncidentStatus,
        Regime,
        due::{DueReport, Stage, due_reports, owed},
    },
    moment::{Day, Moment},
    right::Resource,
    text::{Name, Prose},
    violation::{ArchiveComplaint, Violations},
    vocabulary::Word,
};
use serde_json::{Map, Value, json};
use store::{Reader, TenantScope, Tx, incident as rows, profile};

use crate::{
    Core, Error, Result,
    approval::ApprovalTerms,
    author::Author,
    function,
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub(crate) use self::{decision::given, report::report_of};
pub use self::{
    import::{IncidentImportOutcome, IncidentImportReport},
    log::LogEntry,
    period::{IncidentPeriod, Lesson, Period, PeriodFigures},
    recurrence::SeriesView,
    report::{Entry, ReportContent, ReportField, ReportPlace},
    statistics::{IncidentStatistics, MonthOfIncidents},
    view::IncidentView,
};
pub use store::incident::{IncidentFilter, IncidentRow};

/// The changes that requests make to an incident.
#[derive(Debug, Clone)]
pub enum IncidentChange {
    Fields(Box<IncidentInput>),
    Classify(ClassifyInput),
    Filed(Regime, Stage, FiledInput),
    /// A voluntary notice of a cyber threat: values by field, then recorded as sent.
    ThreatNotice(Map<String, Value>, FiledInput),
    /// The series it seems to belong to, proposed by the monthly comparison.
    Series(Option<IncidentId>),
}

impl From<IncidentInput> for IncidentChange {
    fn from(input: IncidentInput) -> Self {
        Self::Fields(Box::new(input))
    }
}

/// The fields of an incident in events and digests.
pub(crate) fn summary(row: &IncidentRow) -> Value {
    let record = &row.record;
    json!({
        "id": row.id,
        "reference": record.reference,
        "title": record.title.as_str(),
        "status": record.status,
        "owner": record.owner.as_ref().map(Name::as_str),
        "regimes": record.regimes,
        "aware_at": record.times.aware_at,
        "result": record.decision.as_ref().map(|decision| decision.result),
    })
}

impl Author {
    /// An incident that owes a report stays open, because only open incidents remind of what is due.
    fn check_closing(&self, tx: &mut Tx<'_>, after: &Incident, before: &Incident) -> Result<()> {
        if after.status != IncidentStatus::Closed || before.status == IncidentStatus::Closed {
            return Ok(());
        }
        let profile = profile::get(tx, self.scope())?.profile;
        let (classification, filings) = (after.classification(self.now), after.filings());
        let filer = profile.filer();
        let reports =
            due_reports(&after.case(&classification, &filings, &filer, self.now), &self.core.clocks()?);
        let recorded = |report: &&DueReport| {
            report::content(after, report.regime, report.stage, &profile, self.now).is_some()
        };
        let word = |report: &DueReport| Word { word: report.stage.as_str(), label: report.name() };
        let owed: Vec<Word> = owed(&reports).filter(recorded).map(word).collect();
        if owed.is_empty() {
            return Ok(());
        }
        Err(Violations::one("status", IncidentComplaint::StillOwed { reports: owed }).into())
    }
}

impl RecordKind for Incident {
    type Input = IncidentInput;
    type New = IncidentInput;
    type Change = IncidentChange;
    type View = IncidentView;

    const NOUN: &'static str = "incident";
    const LIST: &'static str = "incidents";
    const WORDS: Kind = Kind::new('n');
    const FOUND: Option<&'static str> = Some("incident");
    const RESOURCE: Resource = Resource::Incidents;
    const KEEPS: bool = true;
    const CORRECTS: bool = true;
    const CACHED: bool = true;

    const DECISIONS: &'static [ApprovalAction] = decision::DECISIONS;

    fn detail_names(action: ApprovalAction) -> &'static [&'static str] {
        decision::detail_names(action)
    }

    fn decision(action: ApprovalAction, terms: &ApprovalTerms) -> Option<IncidentChange> {
        decision::change_of(action, terms)
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        decision::made(before, after)
    }

    fn decided_with(&self, _: &Self, action: ApprovalAction) -> ApprovalDetails {
        decision::made_with(self, action)
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &IncidentInput) -> Result<Self> {
        function::check_ids(tx, author.scope(), &new.functions)?;
        let reference = rows::next_reference(tx, author.scope(), author.now.day().year())?;
        let record = author.judge(|context| new.create(reference, context))?;
        author.check_links(tx, &record, None)?;
        Ok(record)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &IncidentRow,
        change: &IncidentChange,
    ) -> Result<Self> {
        let record = &before.record;
        match change {
            IncidentChange::Fields(input) => {
                function::check_ids(tx, author.scope(), &input.functions)?;
                let after = author.judge(|context| input.change(record, context))?;
                author.check_links(tx, &after, Some(record))?;
                author.check_closing(tx, &after, record)?;
                Ok(after)
            }
            IncidentChange::Classify(input) => {
                Ok(input.classify(record, &author.caller.actor().to_string(), author.now)?)
            }
            IncidentChange::Filed(regime, stage, input) => {
                let profile = profile::get(tx, author.scope())?.profile;
                let content = report::content(record, *regime, *stage, &profile, author.now);
                let frozen = content.filter(|_| record.regimes.contains(regime)).ok_or(Error::NotFound)?;
                let by = author.caller.actor().to_string();
                let after = input.file(record, (*regime, *stage), frozen.freeze(), (&by, author.now))?;
                author.check_receipt(tx, after.filings.last().and_then(|filed| filed.receipt), "receipt")?;
                if *regime == Regime::Cra && !author.is_trial {
                    // The decision is about the incident: where it has to be asked for, the report stays as it is.
                    author.check_decision(tx, before, &after, None)?;
                    author.following().file_at_cra_report(tx, &after, *stage)?;
                }
                Ok(after)
            }
            IncidentChange::ThreatNotice(values, input) => {
                let values =
                    IncidentInput { report_values: Change::Set(values.clone()), ..IncidentInput::default() };
                let entered = author.judge(|context| values.change(record, context))?;
                let place = (Regime::Dora, Stage::ThreatNotice);
                let profile = profile::get(tx, author.scope())?.profile;
                let content = report::content(&entered, place.0, place.1, &profile, author.now)
                    .ok_or(Error::NotFound)?;
                let by = author.caller.actor().to_string();
                let after = input.file(&entered, place, content.freeze(), (&by, author.now))?;
                author.check_receipt(tx, after.filings.last().and_then(|filed| filed.receipt), "receipt")?;
                Ok(after)
            }
            IncidentChange::Series(first) => Ok(Self { recurring_group: *first, ..record.clone() }),
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn submitted(before: &Self, after: &Self) -> Vec<Value> {
        let sent = |filed: &FiledReport| {
            json!({
                "regime": filed.regime,
                "stage": filed.stage,
                "submitted_at": filed.at,
                "reference": filed.reference.as_ref().map(Name::as_str),
            })
        };
        after.filings.iter().skip(before.filings.len()).map(sent).collect()
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "status": self.status,
            "owner": self.owner.as_ref().map(Name::as_str),
            "occurred_at": self.times.occurred_at,
            "logged_at": self.times.logged_at,
            "detected_at": self.times.detected_at,
            "aware_at": self.times.aware_at,
            "recovered_at": self.times.recovered_at,
            "resolved_at": self.times.resolved_at,
            "regimes": self.regimes,
            "facts": self.facts.to_json(),
            "functions": self.functions,
            "providers": self.providers,
            "findings": self.findings,
            "controls": self.controls,
            "cra_report_id": self.cra_report,
            "classification": self.decision.as_ref().map(|decision| json!({
                "result": decision.result,
                "computed": decision.computed,
                "classified_at": decision.at,
                "classified_by": decision.by,
                "reason": decision.reason.as_ref().map(Prose::as_str),
            })),
            "root_cause": self.root_cause.as_ref().map(Name::as_str),
            "measures_taken": self.measures_taken.as_ref().map(Prose::as_str),
            "lessons": self.lessons.as_ref().map(Prose::as_str),
            "recurring_group": self.recurring_group,
            "report_values": self.report_values,
            "filed": self.filings.iter().map(|filed| json!({
                "regime": filed.regime,
                "stage": filed.stage,
                "at": filed.at,
                "reference": filed.reference.as_ref().map(Name::as_str),
                "already_provided": filed.already_provided.as_ref().map(Prose::as_str),
                "missing": filed.missing,
                "recorded_by": filed.recorded_by,
                "receipt": filed.receipt,
            })).collect::<Value>(),
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let prose = [&self.description, &self.measures_taken, &self.lessons];
        let body = prose.into_iter().filter_map(|text| text.as_ref().map(Prose::as_str));
        Texts {
            heading: vec![Cow::Owned(self.reference.to_string()), Cow::Borrowed(self.title.as_str())],
            body: body
                .chain([&self.root_cause, &self.owner].into_iter().flatten().map(Name::as_str))
                .collect(),
        }
    }

    fn search_text(filter: &IncidentFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<IncidentRow>,
    ) -> Result<Vec<IncidentView>> {
        let filer = profile::get(reader, scope)?.profile.filer();
        let (clocks, now) = (core.clocks()?, core.clock.now());
        Ok(rows.into_iter().map(|row| IncidentView::of(row, &clocks, &filer, now)).collect())
    }

    fn context(core: &Core, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<u64> {
        let mut digest = DefaultHasher::new();
        profile::get(reader, scope)?.profile.filer().hash(&mut digest);
        digest.write_u64(core.clocks()?.digest());
        Ok(digest.finish())
    }

    fn lasts_until(view: &IncidentView) -> Option<Moment> {
        view.lasts_until
    }

    fn row(view: &IncidentView) -> &IncidentRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(IncidentInput { owner: Change::Set(heir.to_string()), ..IncidentInput::default() }.into())
    }

    /// An open incident reminds of what is due, so it stays in the lists.
    fn check_archive(&self, _: Day) -> Result<()> {
        if self.status.is_open() {
            return Err(Error::invalid("incident", ArchiveComplaint::IncidentIsOpen));
        }
        Ok(())
    }

    /// Incidents cannot be deleted: an event that was no incident is marked as such.
    fn release(_: &Author, _: &mut Tx<'_>, _: &IncidentRow) -> Result<()> {
        Err(Error::NotFound)
    }
}

impl RecordRequest<Incident> for IncidentInput {
    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl RecordRequest<Incident> for IncidentChange {
    /// The classification, and what was sent to an authority, are decisions.
    fn decides(&self, _: Option<&Incident>) -> bool {
        matches!(self, Self::Classify(_) | Self::Filed(..) | Self::ThreatNotice(..))
    }

    fn note(&self) -> Option<Prose> {
        match self {
            Self::Fields(input) => input.note(),
            Self::Classify(input) => input.reason.as_note(),
            Self::Filed(..) | Self::ThreatNotice(..) | Self::Series(_) => None,
        }
    }
}
