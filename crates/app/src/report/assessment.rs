//! Assessments as tables: those of a framework, which can be imported again, and the statement of applicability.

use std::sync::Arc;

use catalogue::framework::Requirement;
use domain::{
    assessment::{Assessment, AssessmentInput, AssessmentStatus},
    custom_field::CustomInput,
    exchange::ExchangeComplaint,
    framework::Framework,
    moment::Day,
    page::{PageRequest, Reading},
    right::Resource,
    wording::{Label, Language},
};
use store::{Reader, Tx};

use super::{
    Content, File, TableFormat,
    column::{RecordColumn, TableColumn, cell, cells, columns, joined, of},
    rows::{RecordTable, named_by_day},
    table_reader::Names,
    words::{self, word},
};
use crate::{
    Error, Reports, Result,
    assessment::{AssessmentFilter, AssessmentView, of_requirements},
    author::Author,
    authz::Caller,
    catalogue::Edition,
    costly::{Work, WorkContext},
    library_text::control_title,
    pages::Precondition,
    records::{Given, Importable},
};

const NUMBER: Label = word("Number", "Nummer");
const APPLICABLE: Label = word("Applicable", "Anwendbar");
const JUSTIFICATION: Label = word("Justification", "Begründung");
const SOURCE: Label = word("Source of the justification", "Herkunft der Begründung");
const OWN_CONTROLS: Label = word("Own controls", "Eigene Kontrollen");
const REQUIREMENT: Label = word("Requirement", "Anforderung");
const WHY: Label = word("Why it applies or not", "Warum anwendbar oder nicht");

/// An assessment, with what the cells of its line are made of.
#[derive(Debug)]
pub struct AssessmentLine {
    view: AssessmentView,
    edition: Arc<Edition>,
    language: Language,
}

const STATEMENT: &[RecordColumn<AssessmentLine>] = &[
    (TableColumn::text("number", NUMBER), |line| cell(line.requirement().map(|known| &known.number))),
    (TableColumn::text("title", words::TITLE), AssessmentLine::title),
    (TableColumn::text("applicable", APPLICABLE), |line| line.word(line.view.stated().label())),
    (TableColumn::text("justification", JUSTIFICATION), |line| line.view.justification(line.language).text),
    (TableColumn::text("justification_source", SOURCE), |line| {
        line.word(line.view.justification(line.language).source.label())
    }),
    (of::text(Assessment::STATUS), |line| line.word(line.said().status.label())),
    (of::text(Assessment::OWNER), |line| cell(line.said().owner.as_ref())),
    (TableColumn::text("controls", OWN_CONTROLS), AssessmentLine::controls),
    (of::moment(Assessment::APPROVED_AT), |line| cell(line.said().approved.as_ref().map(|signed| signed.at))),
    (of::text(Assessment::APPROVED_BY), |line| cell(line.said().approved.as_ref().map(|signed| &signed.by))),
];

const COLUMNS: &[RecordColumn<AssessmentLine>] = &[
    (TableColumn::key("requirement", REQUIREMENT), |line| line.view.row.requirement.clone()),
    (TableColumn::text("framework", words::FRAMEWORK).unread(), |line| {
        cell(line.requirement().map(|known| &known.framework))
    }),
    (TableColumn::text("number", NUMBER).unread(), |line| {
        cell(line.requirement().map(|known| &known.number))
    }),
    (TableColumn::text("title", words::TITLE).unread(), AssessmentLine::title),
    (of::flag(Assessment::APPLIES), |line| line.view.applies().to_string()),
    (of::text(Assessment::APPLIES_REASON.called(WHY)), |line| line.view.applies_reason(Some(line.language))),
    (of::word::<AssessmentStatus>(Assessment::STATUS), |line| line.said().status.to_string()),
    (of::word::<AssessmentStatus>(Assessment::PROPOSED_STATUS).unread(), |line| {
        line.view.proposal.status.to_string()
    }),
    (of::number(Assessment::MATURITY), |line| cell(line.said().maturity)),
    (of::text(Assessment::RATIONALE), |line| cell(line.said().rationale.as_ref())),
    (of::text(Assessment::OWNER), |line| cell(line.said().owner.as_ref())),
    (of::day(Assessment::DUE_ON), |line| cell(line.said().due_on)),
    (of::day(Assessment::NEXT_REVIEW_ON), |line| cell(line.said().next_review_on)),
    (TableColumn::text("controls", words::CONTROLS).unread(), |line| {
        joined(&line.view.controls.iter().map(|control| &control.reference).collect::<Vec<_>>())
    }),
    (of::records(Assessment::EVIDENCE, &["evidence"], "; ").unread(), |line| joined(&line.view.evidence)),
    (of::number(Assessment::OPEN_FINDINGS).unread(), |line| line.view.open_findings.to_string()),
    (of::moment(Assessment::ASSESSED_AT).unread(), |line| {
        cell(line.said().assessed.as_ref().map(|signed| signed.at))
    }),
    (of::moment(Assessment::APPROVED_AT).unread(), |line| {
        cell(line.said().approved.as_ref().map(|signed| signed.at))
    }),
    (of::flag(Assessment::IN_DOUBT).unread(), |line| line.view.is_in_doubt().to_string()),
];

impl AssessmentLine {
    fn said(&self) -> &Assessment {
        &self.view.row.assessment
    }

    fn requirement(&self) -> Option<&Requirement> {
        self.edition.requirements.get(&self.view.row.requirement)
    }

    fn word(&self, label: Label) -> String {
        label.text(self.language).to_owned()
    }

    fn title(&self) -> String {
        cell(self.requirement().map(|known| known.title.get(self.language)))
    }

    /// The controls by reference and title.
    fn controls(&self) -> String {
        let named = self.view.controls.iter().map(|control| {
            let title =
                control_title(&self.edition, control.measure_id.as_deref(), &control.title, self.language);
            format!("{} {title}", control.reference)
        });
        joined(&named.collect::<Vec<_>>())
    }
}

impl Reports {
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
        let views = self.compliance.statement_of_applicability(caller, framework, as_of, language).await?;
        let lines = lines(&edition, views, language);
        let name = ("statement-of-applicability", format);
        Ok(self.table_of((caller, &work), name, STATEMENT, lines).await?.named_as_of(Reading::as_of(as_of)))
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
        let (page, _) = self.compliance.assessments(caller, filter, all, language).await?;
        let lines = lines(&edition, page.items, language);
        let name = ("assessments", format);
        let file = self.table_of((caller, &work), name, COLUMNS, lines).await?;
        Ok(file.named_as_of(Reading::as_of(filter.as_of)))
    }

    /// Written off the runtime, because serialising takes a while.
    async fn table_of(
        &self,
        (caller, work): (&Caller, &Work),
        (name, format): (&'static str, TableFormat),
        columns: &'static [RecordColumn<AssessmentLine>],
        lines: Vec<AssessmentLine>,
    ) -> Result<File> {
        let people = self.table_reader(caller, format.language()).await?;
        let dated = named_by_day(name, people.zone.local(self.clock.now()).day);
        let reading = caller.clone();
        let rows: Vec<_> = lines.iter().map(|line| cells(columns, line)).collect();
        let columns: Vec<_> = columns.iter().map(|(column, _)| *column).collect();
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

fn lines(edition: &Arc<Edition>, views: Vec<AssessmentView>, language: Language) -> Vec<AssessmentLine> {
    let line = |view| AssessmentLine { view, edition: Arc::clone(edition), language };
    views.into_iter().map(line).collect()
}

/// The assessments of a table that is imported. There is one for each requirement of the catalogue, so none is created.
#[derive(Debug)]
pub struct Assessments;

impl Importable for Assessments {
    const CALLED: &'static str = "assessment";
    const LIST: &'static str = "assessments";
    const RESOURCE: Resource = Resource::Assessments;
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const CREATES: bool = false;
    const KEY: &'static str = "requirement";

    type Id = String;
    type Before = AssessmentLine;

    fn current(
        author: &Author,
        reader: &mut Reader<'_>,
        ids: &[String],
        language: Language,
    ) -> Result<Vec<(Self::Before, Vec<String>)>> {
        let edition = author.core.edition_in(reader, author.scope())?;
        let views = of_requirements(&edition, reader, author.scope(), ids, author.now.day())?;
        let known = |line: AssessmentLine| {
            let cells = cells(COLUMNS, &line);
            (line, cells)
        };
        Ok(lines(&edition, views, language).into_iter().map(known).collect())
    }

    fn id_of(line: &Self::Before) -> String {
        line.view.row.requirement.clone()
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        line: &Self::Before,
        given: &Given,
        _: &CustomInput,
    ) -> Result<bool> {
        let requirement = line.requirement().ok_or(Error::NotFound)?;
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
        let changed = author.reassess(tx, &line.edition, requirement, &input, &Precondition::None)?;
        author.refuse_left_out(tx, requirement, line.said())?;
        Ok(changed)
    }

    fn create(_: &Author, _: &mut Tx<'_>, _: &Given, _: &CustomInput) -> Result<String> {
        Err(Error::invalid(Self::KEY, ExchangeComplaint::NotCreated))
    }

    fn exists(_: &Author, _: &mut Reader<'_>, _: &str) -> Result<bool> {
        Ok(false)
    }
}
