//! What a management review shows besides the figures of other reports: what became of the work that was open at the
//! earlier review, the controls that were performed, and what auditors asked for.

use std::collections::BTreeSet;

use domain::{
    control::{Control, ControlStatus, Effectiveness},
    evidence_request::{EvidenceRequest, EvidenceRequestStatus},
    moment::{Day, Moment},
    page::PageRequest,
    period_report::ReportPart,
    report_template::OwnParagraph,
    task::{Task, TaskStatus},
};
use store::{
    Reader, approved_document as documents, control,
    control::ControlFilter,
    evidence_request::EvidenceRequestFilter,
    finding::{FindingFilter, States},
    period_report as rows,
    record::RecordRow,
};

use super::{
    figures::{Compared, FindingNote, finding, shown},
    past::Past,
};
use crate::{Result, assessment::STATEMENT, incident::Period};

/// How many versions of the statement are looked through for the one that was in force on a day.
const VERSIONS: u32 = 100;

/// Everything that only a management review shows.
#[derive(Debug)]
pub(super) struct ReviewFigures {
    pub(super) earlier: Option<Earlier>,
    pub(super) controls: Compared<Vec<ControlNote>>,
    /// How often controls were performed in each period, and how many different ones.
    pub(super) performances: Compared<u64>,
    pub(super) performed: Compared<u64>,
    pub(super) requests: Compared<Vec<RequestNote>>,
    /// The number of the statement of applicability that was approved last by the end, and when that was.
    pub(super) statement: Option<(i64, Moment)>,
}

#[derive(Debug)]
pub(super) struct ControlNote {
    pub(super) status: ControlStatus,
    pub(super) effectiveness: Effectiveness,
    pub(super) next_due_on: Option<Day>,
}

impl ControlNote {
    pub(super) fn is_overdue(&self, day: Day) -> bool {
        self.status != ControlStatus::Retired && self.next_due_on.is_some_and(|due| due < day)
    }
}

#[derive(Debug)]
pub(super) struct RequestNote {
    pub(super) status: EvidenceRequestStatus,
    pub(super) due_on: Day,
}

impl RequestNote {
    pub(super) fn is_late(&self, day: Day) -> bool {
        self.status == EvidenceRequestStatus::Open && self.due_on < day
    }
}

#[derive(Debug)]
pub(super) struct TaskNote {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) owner: String,
    pub(super) is_open: bool,
    pub(super) due_on: Option<Day>,
}

impl TaskNote {
    pub(super) fn is_overdue(&self, day: Day) -> bool {
        self.is_open && self.due_on.is_some_and(|due| due < day)
    }
}

/// The last management review before this one, and what became of the work that was open at the end of its period.
#[derive(Debug)]
pub(super) struct Earlier {
    pub(super) version: i64,
    pub(super) period: Period,
    /// What it decided.
    pub(super) resolutions: Vec<OwnParagraph>,
    pub(super) findings: Followed<FindingNote>,
    pub(super) tasks: Followed<TaskNote>,
}

/// Records that were open at the end of the earlier review.
#[derive(Debug)]
pub(super) struct Followed<T> {
    pub(super) all: u64,
    /// Those that are still open.
    pub(super) open: Vec<T>,
}

impl<T> Followed<T> {
    fn new(then: &[T], now: Vec<T>, is_open: impl Fn(&T) -> bool, id: impl Fn(&T) -> &str) -> Self {
        let known: BTreeSet<&str> = then.iter().filter(|one| is_open(one)).map(&id).collect();
        let all = known.len() as u64;
        let open = now.into_iter().filter(|one| is_open(one) && known.contains(id(one))).collect();
        Self { all, open }
    }
}

impl ReviewFigures {
    pub(super) fn read(reader: &mut Reader<'_>, past: &mut Past, period: Period) -> Result<Self> {
        let (scope, before) = (past.scope(), period.before());
        let now = control::performed_within(reader, &scope, (period.from, period.until))?;
        let then = control::performed_within(reader, &scope, (before.from, before.until))?;
        let versions = documents::list(reader, &scope, STATEMENT, PageRequest::part(VERSIONS, 0))?.items;
        let end = past.end();
        let in_force = versions.into_iter().find(|version| version.approved_at <= end);
        Ok(Self {
            earlier: Self::earlier(reader, past, period)?,
            controls: past.both(reader, &ControlFilter::default(), control_note)?,
            performances: Compared { now: now.0, before: then.0 },
            performed: Compared { now: now.1, before: then.1 },
            requests: past.both(reader, &EvidenceRequestFilter::default(), request)?,
            statement: in_force.map(|version| (version.number, version.approved_at)),
        })
    }

    fn earlier(reader: &mut Reader<'_>, past: &mut Past, period: Period) -> Result<Option<Earlier>> {
        let scope = past.scope();
        let Some(review) = rows::last_review(reader, &scope, period.until)? else { return Ok(None) };
        let wish = review.wish;
        // As of the end of this period, and of that of the earlier review.
        let mut both = Past::new(reader, scope, [period.until, wish.until])?;
        let all = FindingFilter { states: States::All, ..FindingFilter::default() };
        let findings = both.both(reader, &all, finding)?;
        let tasks = both.both(reader, &(), task)?;
        past.is_cut |= both.is_cut;
        let version = review.released.and_then(|released| released.version);
        Ok(Some(Earlier {
            version: version.unwrap_or_default(),
            period: Period::new(wish.from, wish.until)?,
            resolutions: wish.own.of(Some(ReportPart::Resolutions)).cloned().collect(),
            findings: Followed::new(
                &findings.before,
                findings.now,
                |one| one.status.is_open(),
                |one| one.id.as_str(),
            ),
            tasks: Followed::new(&tasks.before, tasks.now, |one| one.is_open, |one| one.id.as_str()),
        }))
    }
}

fn control_note(row: RecordRow<Control>) -> ControlNote {
    let control = row.record;
    ControlNote {
        status: control.status,
        effectiveness: control.effectiveness(),
        next_due_on: control.next_due_on,
    }
}

fn request(row: RecordRow<EvidenceRequest>) -> RequestNote {
    let request = row.record;
    RequestNote { status: request.status, due_on: request.due_on }
}

fn task(row: RecordRow<Task>) -> TaskNote {
    let (id, task) = (row.id.to_string(), row.record);
    TaskNote {
        id,
        title: task.title.to_string(),
        owner: shown(task.owner.as_ref()),
        is_open: task.status == TaskStatus::Open,
        due_on: task.due_on,
    }
}
