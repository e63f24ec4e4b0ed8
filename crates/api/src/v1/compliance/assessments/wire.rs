//! The wire types of assessments.

use std::collections::BTreeMap;

use app::{
    assessment::{AssessmentView, FrameworkSummary, Justification, PartSummary, TrendDay},
    catalogue::Edition,
    control::CompactControl,
    history::{Detail, HistoryRow},
};
use domain::{
    assessment::{AssessmentStatus as Status, StatedApplicability},
    id::ControlId,
    moment::{Day, Moment},
    rounding::Hundredths,
    wording::{Language, Sentence as _},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::v1::{
    compliance::controls::wire::{ControlStatus, Effectiveness},
    wire::{Framework, HistoryStep, words},
};

words! {
    AssessmentStatus = domain::assessment::AssessmentStatus, "How far a requirement is met.";
    ProfileVerdict = app::catalogue::applicability::VerdictWord, "Whether a requirement applies according to the profile.";
    JustificationSource = domain::assessment::JustificationSource, "Where a justification comes from.";
}

/// What the institution says about one requirement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Assessment {
    requirement: AssessedRequirement,
    /// Whether the requirement applies: by the profile, or by the word of a person.
    applies: bool,
    applies_reason: String,
    status: AssessmentStatus,
    /// What the controls suggest. It never changes `status`.
    proposed_status: AssessmentStatus,
    /// Why it is suggested.
    proposed_because: String,
    /// From 0 (nothing) to 4 (optimised).
    #[schema(minimum = 0, maximum = 4)]
    maturity: Option<u8>,
    rationale: Option<String>,
    #[schema(example = "Dana Weber")]
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// The controls that answer the requirement.
    controls: Vec<AnsweringControl>,
    /// The ids of evidence linked to it.
    evidence: Vec<String>,
    /// Open findings that name a measure of the requirement.
    open_findings: u64,
    #[schema(value_type = Option<String>, format = DateTime)]
    assessed_at: Option<Moment>,
    /// The id of the API key or user, `operator`, or `system`.
    assessed_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    approved_at: Option<Moment>,
    approved_by: Option<String>,
    /// Whether the approval rests on evidence that has expired. It stands again once the evidence is renewed or unlinked.
    in_doubt: bool,
    #[schema(value_type = Option<String>, format = Date)]
    next_review_on: Option<Day>,
    /// The requirement whose answer was carried over, with the crosswalk that relates the two.
    carried_from: Option<CarriedAnswer>,
    /// `null` before the first change.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Moment>,
    /// By the profile alone; what is unknown excludes nothing.
    verdict: ProfileVerdict,
    /// The day from which the requirement applies, if the verdict is `from`. Until then percentages leave it out.
    #[schema(value_type = Option<String>, format = Date)]
    applies_from: Option<Day>,
    /// The day on which the requirement changed, if the assessment is older: saving it again confirms it.
    #[schema(value_type = Option<String>, format = Date)]
    changed_on: Option<Day>,
}

/// The requirement that is assessed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AssessedRequirement {
    #[schema(example = "dora-art-05-01")]
    id: String,
    framework: Framework,
    section: String,
    /// As printed: `Art. 5(1)`.
    number: String,
    title: String,
    citation: String,
}

/// A control that answers a requirement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnsweringControl {
    #[schema(value_type = String)]
    id: ControlId,
    reference: String,
    title: String,
    status: ControlStatus,
    effectiveness: Effectiveness,
}

/// Where an answer was carried over from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CarriedAnswer {
    requirement: String,
    crosswalk: String,
}

/// An assessment with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AssessmentDetail {
    #[serde(flatten)]
    assessment: Assessment,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// How far a framework is met. Percentages count what applies, and no requirement whose points are counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AssessmentSummary {
    framework: Framework,
    title: String,
    #[serde(flatten)]
    whole: AssessmentCounts,
    sections: Vec<SectionAssessments>,
}

/// How far a section of a framework is met.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SectionAssessments {
    id: String,
    title: String,
    #[serde(flatten)]
    counts: AssessmentCounts,
}

/// Requirements, counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AssessmentCounts {
    requirements: u64,
    applicable: u64,
    #[schema(value_type = BTreeMap<String, u64>)]
    by_status: BTreeMap<&'static str, u64>,
    /// `null` where nothing applies.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    met_pct: Option<Hundredths>,
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    approved_pct: Option<Hundredths>,
    /// How many a second person approved.
    approved: u64,
    /// Approvals that rest on expired evidence; `approved` and `approved_pct` do not count them.
    in_doubt: u64,
    /// The days of the last month that were kept and today, earliest first.
    trend: Vec<AssessmentTrendDay>,
}

/// How far a part was met at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AssessmentTrendDay {
    #[schema(value_type = String, format = Date)]
    day: Day,
    #[schema(value_type = f64)]
    met_pct: Hundredths,
    #[schema(value_type = f64)]
    approved_pct: Hundredths,
}

/// One control of Annex A, or requirement of another framework, in the statement of applicability.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApplicableControl {
    #[schema(example = "iso-27001-a-8-13")]
    id: String,
    /// As printed: `A.8.13`.
    number: String,
    title: String,
    /// What the institution decided; `null` while it decided nothing.
    applicable: Option<bool>,
    /// Why it applies or not: the rationale, or the reason for its applicability.
    justification: String,
    /// `proposed` if the justification only follows from the profile.
    justification_source: JustificationSource,
    status: AssessmentStatus,
    owner: Option<String>,
    controls: Vec<AnsweringControl>,
    #[schema(value_type = Option<String>, format = DateTime)]
    approved_at: Option<Moment>,
    approved_by: Option<String>,
}

impl From<&CompactControl> for AnsweringControl {
    fn from(control: &CompactControl) -> Self {
        Self {
            id: control.id,
            reference: control.reference.to_string(),
            title: control.title.clone(),
            status: control.status.into(),
            effectiveness: control.effectiveness.into(),
        }
    }
}

impl AssessedRequirement {
    fn of(edition: &Edition, id: &str, language: Language) -> Option<Self> {
        let requirement = edition.requirements.get(id)?;
        Some(Self {
            id: requirement.id.to_string(),
            framework: requirement.framework.into(),
            section: requirement.section.to_string(),
            number: requirement.number.to_string(),
            title: requirement.title.get(language).to_owned(),
            citation: requirement.cite.to_string(),
        })
    }
}

impl Assessment {
    /// `None` only for a requirement that the catalogue does not contain.
    pub(crate) fn of(edition: &Edition, view: &AssessmentView, language: Language) -> Option<Self> {
        let (row, said) = (&view.row, &view.row.assessment);
        Some(Self {
            requirement: AssessedRequirement::of(edition, &row.requirement, language)?,
            applies: view.applies(),
            applies_reason: view.applies_reason(Some(language)),
            status: said.status.into(),
            proposed_status: view.proposal.status.into(),
            proposed_because: view.proposal.because.text(language),
            maturity: said.maturity,
            rationale: said.rationale.as_ref().map(ToString::to_string),
            owner: said.owner.as_ref().map(ToString::to_string),
            due_on: said.due_on,
            controls: view.controls.iter().map(AnsweringControl::from).collect(),
            evidence: view.evidence.iter().map(ToString::to_string).collect(),
            open_findings: view.open_findings,
            assessed_at: said.assessed.as_ref().map(|signed| signed.at),
            assessed_by: said.assessed.as_ref().map(|signed| signed.by.clone()),
            approved_at: said.approved.as_ref().map(|signed| signed.at),
            approved_by: said.approved.as_ref().map(|signed| signed.by.clone()),
            in_doubt: view.is_in_doubt(),
            next_review_on: said.next_review_on,
            carried_from: said.carried_from.as_ref().map(|from| CarriedAnswer {
                requirement: from.requirement.clone(),
                crosswalk: from.crosswalk.clone(),
            }),
            updated_at: (row.version > 0).then_some(row.updated_at),
            verdict: view.verdict.into(),
            applies_from: view.applies_from,
            changed_on: view.changed_on,
        })
    }
}

impl AssessmentDetail {
    pub(crate) fn of(edition: &Edition, detail: &Detail<AssessmentView>, language: Language) -> Option<Self> {
        let history = detail.history.iter().map(|row: &HistoryRow| HistoryStep::from(row)).collect();
        Some(Self { assessment: Assessment::of(edition, &detail.record, language)?, history })
    }
}

impl From<&TrendDay> for AssessmentTrendDay {
    fn from(day: &TrendDay) -> Self {
        Self { day: day.day, met_pct: day.met_pct, approved_pct: day.approved_pct }
    }
}

impl From<&PartSummary> for AssessmentCounts {
    fn from(part: &PartSummary) -> Self {
        let tally = &part.tally;
        Self {
            requirements: tally.requirements,
            applicable: tally.applicable,
            by_status: Status::ALL
                .iter()
                .map(|status| (status.as_str(), tally.with_status(*status)))
                .collect(),
            met_pct: tally.met_pct(),
            approved_pct: tally.approved_pct(),
            approved: tally.approved,
            in_doubt: tally.in_doubt,
            trend: part.trend.iter().map(AssessmentTrendDay::from).collect(),
        }
    }
}

impl AssessmentSummary {
    pub(crate) fn of(edition: &Edition, summary: &FrameworkSummary, language: Language) -> Self {
        let title = |found: Option<&str>| found.unwrap_or_default().to_owned();
        let framework = edition.frameworks.get(summary.framework.as_str());
        let section = |part: &PartSummary| SectionAssessments {
            id: part.id.clone(),
            title: title(edition.sections.get(&part.id).map(|section| section.title.get(language))),
            counts: AssessmentCounts::from(part),
        };
        Self {
            framework: summary.framework.into(),
            title: title(framework.map(|framework| framework.title.get(language))),
            whole: AssessmentCounts::from(&summary.whole),
            sections: summary.sections.iter().map(section).collect(),
        }
    }
}

impl ApplicableControl {
    pub(crate) fn of(edition: &Edition, view: &AssessmentView, language: Language) -> Option<Self> {
        let requirement = edition.requirements.get(&view.row.requirement)?;
        let said = &view.row.assessment;
        let Justification { text, source } = view.justification(language);
        Some(Self {
            id: requirement.id.to_string(),
            number: requirement.number.to_string(),
            title: requirement.title.get(language).to_owned(),
            applicable: match view.stated() {
                StatedApplicability::Applies => Some(true),
                StatedApplicability::DoesNotApply => Some(false),
                StatedApplicability::NotDecided => None,
            },
            justification: text,
            justification_source: source.into(),
            status: said.status.into(),
            owner: said.owner.as_ref().map(ToString::to_string),
            controls: view.controls.iter().map(AnsweringControl::from).collect(),
            approved_at: said.approved.as_ref().map(|signed| signed.at),
            approved_by: said.approved.as_ref().map(|signed| signed.by.clone()),
        })
    }
}
