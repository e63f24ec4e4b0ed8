//! Assessments as tables: those of a framework, which can be imported again, and the statement of applicability.

use std::sync::Arc;

use domain::{
    assessment::{AssessmentInput, AssessmentStatus},
    custom_field::CustomInput,
    exchange::ExchangeComplaint,
    framework::Framework,
    moment::Day,
    page::{PageRequest, Reading},
    right::Resource,
    wording::Language,
};
use store::{Reader, Tx};

use super::{
    Content, File, TableFormat,
    column::TableColumn,
    rows::{RecordTable, named_by_day},
    table_reader::Names,
    words::{self, word},
};
use crate::{
    App, Error, Result,
    assessment::{AssessmentFilter, AssessmentView, Justification, of_requirements},
    author::Author,
    authz::Caller,
    catalogue::Edition,
    control::CompactControl,
    costly::{Work, WorkContext},
    library_text::control_title,
    pages::Precondition,
    records::{Given, Importable},
};

const STATEMENT: [TableColumn; 10] = [
    TableColumn::text("number", word("Number", "Nummer")),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("applicable", word("Applicable", "Anwendbar")),
    TableColumn::text("justification", word("Justification", "Begründung")),
    TableColumn::text("justification_source", word("Source of the justification", "Herkunft der Begründung")),
    TableColumn::text("status", words::STATUS),
    TableColumn::text("owner", words::OWNER),
    TableColumn::text("controls", word("Own controls", "Eigene Kontrollen")),
    TableColumn::moment("approved_at", word("Approved", "Genehmigt")),
    TableColumn::text("approved_by", word("Approved by", "Genehmigt von")),
];

const COLUMNS: [TableColumn; 19] = [
    TableColumn::key("requirement", word("Requirement", "Anforderung")),
    TableColumn::text("framework", words::FRAMEWORK).unread(),
    TableColumn::text("number", word("Number", "Nummer")).unread(),
    TableColumn::text("title", words::TITLE).unread(),
    TableColumn::flag("applies", word("Applies", "Anwendbar")),
    TableColumn::text("applies_reason", word("Why it applies or not", "Warum anwendbar oder nicht")),
    TableColumn::word::<AssessmentStatus>("status", words::STATUS),
    TableColumn::word::<AssessmentStatus>(
        "proposed_status",
        word("Proposed status", "Vorgeschlagener Status"),
    )
    .unread(),
    TableColumn::number("maturity", word("Maturity", "Reifegrad")),
    TableColumn::text("rationale", word("Rationale", "Begründung")),
    TableColumn::text("owner", words::OWNER),
    TableColumn::day("due_on", words::DUE_ON),
    TableColumn::day("next_review_on", word("Next review on", "Nächste Prüfung am")),
    TableColumn::text("controls", words::CONTROLS).unread(),
    TableColumn::records("evidence", words::EVIDENCE, &["evidence"], "; ").unread(),
    TableColumn::number("open_findings", words::OPEN_FINDINGS).unread(),
    TableColumn::moment("assessed_at", word("Assessed", "Bewertet")).unread(),
    TableColumn::moment("approved_at", word("Approved", "Genehmigt")).unread(),
    TableColumn::flag("in_doubt", word("To be confirmed again", "Erneut zu bestätigen")).unread(),
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
        Ok(self
            .table_of((caller, &work), name, STATEMENT, views, row)
            .await?
            .named_as_of(Reading::as_of(as_of)))
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
        Ok(self
            .table_of((caller, &work), name, COLUMNS, page.items, row)
            .await?
            .named_as_of(Reading::as_of(filter.as_of)))
    }

    /// Written off the runtime, because serialising takes a while.
    async fn table_of<const N: usize>(
        &self,
        (caller, work): (&Caller, &Work),
        (name, format): (&'static str, TableFormat),
        columns: [TableColumn; N],
        views: Vec<AssessmentView>,
        cells: impl Fn(&AssessmentView) -> [String; N] + Send + 'static,
    ) -> Result<File> {
        let people = self.table_reader(caller, format.language()).await?;
        let dated = named_by_day(name, people.zone.local(self.clock.now()).day);
        let reading = caller.clone();
        let rows: Vec<[String; N]> = views.iter().map(cells).collect();
        let linked = RecordTable::linked(&columns, &rows);
        let read =
            move |reader: &mut Reader<'_>| Names::read(reader, &reading, linked.iter().map(String::as_str));
        let names = self.db.tenant(caller.scope()).read(read).await?;
        let write = move |context: &WorkContext| {
            let mut table = RecordTable::new(format, name, (&columns, &[]), people, context)?;
            rows.iter().try_for_each(|row| table.row(row, None, &names))?;
            table.finish()
        };
        let file = work.run(write).await?;
        Ok(File { name: format!("{dated}.{}", format.suffix()), content: Content::Stored(file) })
    }
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

/// The assessments of a table that is imported. There is one for each requirement of the catalogue, so none is created.
#[derive(Debug)]
pub struct Assessments;

impl Importable for Assessments {
    const CALLED: &'static str = "assessment";
    const LIST: &'static str = "assessments";
    const RESOURCE: Resource = Resource::Assessments;
    const COLUMNS: &'static [TableColumn] = &COLUMNS;
    const CREATES: bool = false;
    const KEY: &'static str = "requirement";

    type Id = String;
    type Before = (AssessmentView, Arc<Edition>);

    fn current(
        author: &Author,
        reader: &mut Reader<'_>,
        ids: &[String],
        language: Language,
    ) -> Result<Vec<(Self::Before, Vec<String>)>> {
        let edition = author.app.edition_in(reader, author.scope())?;
        let views = of_requirements(&edition, reader, author.scope(), ids, author.now.day())?;
        let known = |view: AssessmentView| {
            let cells = cells(&edition, &view, language).into();
            ((view, Arc::clone(&edition)), cells)
        };
        Ok(views.into_iter().map(known).collect())
    }

    fn id_of((view, _): &Self::Before) -> String {
        view.row.requirement.clone()
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        (view, edition): &Self::Before,
        given: &Given,
        _: &CustomInput,
    ) -> Result<bool> {
        let requirement = edition.requirements.get(&view.row.requirement).ok_or(Error::NotFound)?;
        let input = AssessmentInput {
            status: given.text("status"),
            applies: given.flag("applies"),
            applies_reason: given.text("applies_reason"),
            maturity: given.number("maturity"),
            rationale: given.text("rationale"),
            owner: given.text("owner"),
            due_on: given.text("due_on"),
            next_review_on: given.text("next_review_on"),
            ..AssessmentInput::default()
        };
        let changed = author.reassess(tx, edition, requirement, &input, &Precondition::None)?;
        author.refuse_left_out(tx, requirement, &view.row.assessment)?;
        Ok(changed)
    }

    fn create(_: &Author, _: &mut Tx<'_>, _: &Given, _: &CustomInput) -> Result<String> {
        Err(Error::invalid(Self::KEY, ExchangeComplaint::NotCreated))
    }

    fn exists(_: &Author, _: &mut Reader<'_>, _: &str) -> Result<bool> {
        Ok(false)
    }
}
