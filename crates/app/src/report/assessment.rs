//! Assessments as tables: those of a framework, and the statement of applicability.

use domain::{
    framework::Framework,
    moment::Day,
    page::{PageRequest, Reading},
    wording::Language,
};
use reports::csv::ColumnKind::{self, Number, Text};

use super::{Content, File, TableFormat, rows::Table};
use crate::{
    App, Result,
    assessment::{AssessmentFilter, AssessmentView, Justification},
    authz::Caller,
    catalogue::Edition,
    control::CompactControl,
    costly::{Work, WorkContext},
    library_text::control_title,
};

const STATEMENT: [(&str, ColumnKind); 10] = [
    ("number", Text),
    ("title", Text),
    ("applicable", Text),
    ("justification", Text),
    ("justification_source", Text),
    ("status", Text),
    ("owner", Text),
    ("controls", Text),
    ("approved_at", Text),
    ("approved_by", Text),
];

const COLUMNS: [(&str, ColumnKind); 19] = [
    ("requirement", Text),
    ("framework", Text),
    ("number", Text),
    ("title", Text),
    ("applies", Text),
    ("applies_reason", Text),
    ("status", Text),
    ("proposed_status", Text),
    ("maturity", Number),
    ("rationale", Text),
    ("owner", Text),
    ("due_on", Text),
    ("next_review_on", Text),
    ("controls", Text),
    ("evidence", Text),
    ("open_findings", Number),
    ("assessed_at", Text),
    ("approved_at", Text),
    ("in_doubt", Text),
];

impl App {
    /// The statement of applicability in the reader's language.
    pub async fn statement_file(
        &self,
        caller: &Caller,
        (framework, as_of): (Framework, Option<Day>),
        format: TableFormat,
        language: Language,
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let edition = self.edition_of(caller).await?;
        let views = self.statement_of_applicability(caller, framework, as_of, language).await?;
        let row = move |view: &AssessmentView| statement_cells(&edition, view, language);
        let name = ("statement-of-applicability", format);
        Ok(file_of(&work, name, STATEMENT, views, row).await?.named_as_of(Reading::as_of(as_of)))
    }

    /// The assessments that a page with these filters lists, at most one per requirement of the catalogue.
    pub async fn assessments_file(
        &self,
        caller: &Caller,
        filter: &AssessmentFilter,
        format: TableFormat,
        language: Language,
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let edition = self.edition_of(caller).await?;
        let all = PageRequest::part(u32::MAX, 0);
        let (page, _) = self.assessments(caller, filter, all, language).await?;
        let row = move |view: &AssessmentView| cells(&edition, view, language);
        let name = ("assessments", format);
        Ok(file_of(&work, name, COLUMNS, page.items, row).await?.named_as_of(Reading::as_of(filter.as_of)))
    }
}

/// Written off the runtime, because serialising takes a while.
async fn file_of<const N: usize>(
    work: &Work,
    (name, format): (&'static str, TableFormat),
    columns: [(&'static str, ColumnKind); N],
    views: Vec<AssessmentView>,
    cells: impl Fn(&AssessmentView) -> [String; N] + Send + 'static,
) -> Result<File> {
    let write = move |context: &WorkContext| {
        let mut table = Table::new(format, name, &columns, context)?;
        views.iter().try_for_each(|view| table.row(cells(view)))?;
        table.finish()
    };
    let file = work.run(write).await?;
    Ok(File { name: format!("{name}.{}", format.suffix()), content: Content::Stored(file) })
}

fn cells(edition: &Edition, view: &AssessmentView, language: Language) -> [String; COLUMNS.len()] {
    let requirement = edition.requirements.get(&view.row.requirement);
    let said = &view.row.assessment;
    let text = |text: Option<String>| text.unwrap_or_default();
    let controls: Vec<String> = view.controls.iter().map(|control| control.reference.to_string()).collect();
    let evidence: Vec<String> = view.evidence.iter().map(ToString::to_string).collect();
    [
        view.row.requirement.clone(),
        text(requirement.map(|requirement| requirement.framework.to_string())),
        text(requirement.map(|requirement| requirement.number.to_string())),
        text(requirement.map(|requirement| requirement.title.get(language).to_owned())),
        view.applies().to_string(),
        view.applies_reason(Some(language)),
        said.status.to_string(),
        view.proposal.status.to_string(),
        text(said.maturity.map(|level| level.to_string())),
        text(said.rationale.as_ref().map(ToString::to_string)),
        text(said.owner.as_ref().map(ToString::to_string)),
        text(said.due_on.map(|day| day.to_string())),
        text(said.next_review_on.map(|day| day.to_string())),
        controls.join("; "),
        evidence.join("; "),
        view.open_findings.to_string(),
        text(said.assessed.as_ref().map(|signed| signed.at.to_string())),
        text(said.approved.as_ref().map(|signed| signed.at.to_string())),
        view.is_in_doubt().to_string(),
    ]
}

fn statement_cells(
    edition: &Edition,
    view: &AssessmentView,
    language: Language,
) -> [String; STATEMENT.len()] {
    let requirement = edition.requirements.get(&view.row.requirement);
    let said = &view.row.assessment;
    let Justification { text, source } = view.justification(language);
    let title =
        |row: &CompactControl| control_title(edition, row.measure_id.as_deref(), &row.title, language);
    let controls: Vec<String> =
        view.controls.iter().map(|control| format!("{} {}", control.reference, title(control))).collect();
    [
        requirement.map(|requirement| requirement.number.to_string()).unwrap_or_default(),
        requirement.map(|requirement| requirement.title.get(language).to_owned()).unwrap_or_default(),
        view.stated().label().text(language).to_owned(),
        text,
        source.label().text(language).to_owned(),
        said.status.label().text(language).to_owned(),
        said.owner.as_ref().map(ToString::to_string).unwrap_or_default(),
        controls.join("; "),
        said.approved.as_ref().map(|signed| signed.at.to_string()).unwrap_or_default(),
        said.approved.as_ref().map(|signed| signed.by.clone()).unwrap_or_default(),
    ]
}
