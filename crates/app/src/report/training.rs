//! Trainings as files: the list, the certificate of a passed training, and the figures for the management body.

use domain::{
    format,
    id::TrainingId,
    page::Reading,
    rounding::Hundredths,
    training::{Training, TrainingInput, TrainingState},
    wording::{Label, Language},
};
use reports::document::{Align, Cell, Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, of},
    list::{ListReport, asked_words},
    words::{self, word},
};
use crate::{
    Error, Reports, Result,
    authz::Caller,
    records::{Exchanged, Given, RecordKind as _},
    training::{self, TrainingCounts, TrainingFilter, TrainingTotals, TrainingView},
};

const TRAININGS: Label = word("Trainings", "Schulungen");
const TRAINING: Label = word("Training", "Schulung");
const MANAGEMENT_BODY: Label = word(
    "Members of the management body (DORA Art. 5(4))",
    "Mitglieder des Leitungsorgans (Art. 5 Abs. 4 DORA)",
);
const ALL_PEOPLE: Label = word("All people", "Alle Personen");
const CERTIFICATE: Label = word("Certificate of training", "Schulungsnachweis");
const HAS_PASSED: Label =
    word("{person} has passed the training “{title}”.", "{person} hat die Schulung „{title}“ bestanden.");
const INSTITUTION: Label = word("Institution", "Institut");
const NAME: Label = word("Name", "Name");
const NO_TRAININGS: Label = word("No training is assigned.", "Es ist keine Schulung zugewiesen.");
const OF_TODAY: Label = word(
    "As of the day of this report, without archived trainings.",
    "Stand am Tag dieses Berichts, ohne archivierte Schulungen.",
);
const PEOPLE: Label = word("People", "Personen");
const TOTAL: Label = word("Assigned", "Zugewiesen");
const PASSED: Label = word("Passed", "Bestanden");
const LATE: Label = word("Late", "Überfällig");
const SHARE: Label = word("Share passed", "Anteil bestanden");

const COLUMNS: &[RecordColumn<TrainingView>] = &[
    (TableColumn::id(), |training| training.row.id.to_string()),
    (of::text(Training::REFERENCE).unread(), |training| training.row.record.reference.to_string()),
    (of::text(Training::TITLE).unread(), |training| training.title.clone()),
    (of::text(Training::MODULE).unread(), |training| cell(training.row.record.module.as_ref())),
    (of::text(Training::PROVIDER).unread(), |training| cell(training.row.record.provider.as_ref())),
    (of::text(Training::PERSON).named("person").unread(), |training| training.person.clone()),
    (of::flag(Training::MANAGEMENT_BODY), |training| training.row.record.management_body.to_string()),
    (of::word::<TrainingState>(Training::STATE).unread(), |training| training.state.to_string()),
    (of::day(Training::DUE_ON), |training| training.row.record.due_on.to_string()),
    (of::number(Training::ATTEMPTS).unread(), |training| training.row.record.attempts.to_string()),
    (of::number(Training::SCORE).unread(), |training| cell(training.row.record.score)),
    (of::day(Training::PASSED_ON).unread(), |training| cell(training.row.record.passed_on)),
];

impl Reports {
    /// The trainings a page with these filters lists.
    pub async fn trainings_file(
        &self,
        caller: &Caller,
        filter: &TrainingFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let filter = training::seen_by(caller, filter.clone());
        let load = self.records.record_pages_as_of::<Training>(caller, &filter, reading);
        let Format::Table(format) = format else {
            let state = asked_words(&filter.state, language);
            let report = ListReport {
                name: "trainings",
                title: TRAININGS,
                filters: vec![
                    (words::AS_OF, reading.day.map(|day| day.to_string())),
                    (words::TAG, reading.tag.map(|tag| tag.to_string())),
                    (Training::STATE.label, state),
                    (words::SEARCH, filter.search.clone()),
                ],
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_file::<Training>(caller, "trainings", format, COLUMNS, load)
            .await?
            .named_as_of(reading))
    }

    /// The certificate of a passed training that the caller may see.
    pub async fn training_certificate(
        &self,
        caller: &Caller,
        id: TrainingId,
        language: Language,
    ) -> Result<File> {
        let (detail, _) = self.compliance.training(caller, id).await?;
        let mut training = detail.record;
        if training.row.record.passed_on.is_none() {
            return Err(Error::NotFound);
        }
        let ctx = ReportContext::new(self, caller, language).await?;
        Training::translate(&mut training, &ctx.edition, language);
        let record = &training.row.record;
        let sentence = ctx.t(HAS_PASSED).replacen("{title}", &training.title, 1);
        let sentence = sentence.replacen("{person}", &training.person, 1);
        let mut facts = vec![ctx.pair(NAME, &training.person), ctx.pair(TRAINING, &training.title)];
        facts
            .extend(record.provider.as_ref().map(|provider| ctx.pair(Training::PROVIDER, provider.as_str())));
        facts.push(ctx.pair(Training::PASSED_ON, ctx.day(record.passed_on)));
        facts.extend(record.score.map(|score| ctx.pair(Training::SCORE, points(score))));
        facts.push(ctx.pair(INSTITUTION, &ctx.tenant));
        facts.push(ctx.pair(Training::REFERENCE, record.reference.to_string()));
        let section = Section::new(&training.title).lead(sentence).key_values(facts);
        let document = ctx.document(ctx.t(CERTIFICATE)).section(section);
        ctx.set(document, format!("certificate-{}", record.reference).to_lowercase()).await
    }
}

/// The figures of trainings for the report to the management body.
pub(super) fn figures(ctx: &ReportContext, totals: &TrainingTotals) -> Section {
    let section = Section::new(ctx.t(TRAININGS));
    if totals.all.total() == 0 {
        return section.lead(ctx.t(NO_TRAININGS));
    }
    let figure = |label, points| Column::points(ctx.t(label), points).align(Align::End);
    let columns = [
        Column::share(ctx.t(PEOPLE), 1).row_header(),
        figure(TOTAL, 76),
        figure(PASSED, 76),
        figure(LATE, 76),
        figure(SHARE, 96),
    ];
    let row = |label: Label, counts: &TrainingCounts| {
        [
            Cell::from(ctx.t(label)),
            Cell::from(counts.total().to_string()),
            Cell::from(counts.passed.to_string()),
            Cell::from(counts.late.to_string()),
            Cell::from(share(ctx, counts)),
        ]
    };
    let table = Table::new(columns)
        .row(row(ALL_PEOPLE, &totals.all))
        .row(row(MANAGEMENT_BODY, &totals.management_body));
    section.table(table).note(ctx.t(OF_TODAY))
}

fn share(ctx: &ReportContext, counts: &TrainingCounts) -> String {
    match counts.total() {
        0 => "–".to_owned(),
        total => format::percent(ctx.language, Hundredths::percent(counts.passed, total)),
    }
}

fn points(score: u8) -> String {
    format!("{score} %")
}

fn score(record: &Training) -> String {
    record.score.map_or_else(|| "–".to_owned(), points)
}

fn table(ctx: &ReportContext, trainings: &[TrainingView]) -> Table {
    let columns = [
        Column::points(ctx.t(Training::REFERENCE.label), 52),
        Column::share(ctx.t(TRAINING), 2).row_header(),
        Column::share(ctx.t(Training::PERSON.label), 1),
        Column::points(ctx.t(Training::DUE_ON.label), 64),
        Column::points(ctx.t(Training::STATE.label), 84),
        Column::points(ctx.t(Training::SCORE.label), 52),
    ];
    trainings.iter().fold(Table::new(columns), |table, training| {
        let record = &training.row.record;
        table.row([
            record.reference.to_string(),
            training.title.clone(),
            training.person.clone(),
            ctx.day(Some(record.due_on)),
            ctx.t(training.state.label()).to_owned(),
            score(record),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, training: &TrainingView) -> Section {
    let page = OnPage { ctx, columns: COLUMNS, view: training };
    let mut facts = page.facts(&[
        Training::REFERENCE,
        Training::PERSON,
        Training::PROVIDER,
        Training::DUE_ON,
        Training::STATE,
        Training::ATTEMPTS,
    ]);
    facts.push(ctx.pair(Training::SCORE, score(&training.row.record)));
    facts.extend(page.facts(&[Training::PASSED_ON]));
    section.heading(&training.title).key_values(facts)
}

impl Exchanged for Training {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = None;

    fn cells(training: &TrainingView) -> Vec<String> {
        cells(COLUMNS, training)
    }

    fn input(given: &Given) -> Self::Input {
        TrainingInput { due_on: given.text("due_on"), management_body: given.flag("management_body") }
    }
}
