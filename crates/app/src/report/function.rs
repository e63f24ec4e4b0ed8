//! Functions as a table and as a report.

use domain::{
    function::{DiscontinuingImpact, Function, FunctionCriticality, FunctionInput},
    page::Reading,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::TableColumn,
    list::{ListReport, asked_words},
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    function::{FunctionFilter, FunctionView},
    records::{Exchanged, Given},
};

const FUNCTIONS: Label = word("Functions", "Funktionen");
const FUNCTION: Label = word("Function", "Funktion");
const CRITICALITY: Label = word("Criticality", "Kritikalität");
const ACTIVITY: Label = word("Licensed activity", "Erlaubnispflichtige Tätigkeit");
const ASSESSED: Label = word("Assessed on", "Bewertet am");
const REASONS: Label = word("Reasons", "Begründung");
const RTO: Label = word("RTO (minutes)", "RTO (Minuten)");
const RPO: Label = word("RPO (minutes)", "RPO (Minuten)");
const DISCONTINUING: Label = word("Impact of discontinuing", "Auswirkung einer Einstellung");
const ARRANGEMENTS: Label = word("Arrangements", "Vereinbarungen");

const COLUMNS: [TableColumn; 13] = [
    TableColumn::id(),
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::text("name", word("Name", "Name")),
    TableColumn::text("licensed_activity", ACTIVITY),
    TableColumn::word::<FunctionCriticality>("criticality", CRITICALITY),
    TableColumn::day("assessed_on", ASSESSED),
    TableColumn::number("rto_minutes", RTO),
    TableColumn::number("rpo_minutes", RPO),
    TableColumn::word::<DiscontinuingImpact>("impact_of_discontinuing", DISCONTINUING),
    TableColumn::text("owner", words::OWNER),
    TableColumn::number("arrangements", ARRANGEMENTS).unread(),
    TableColumn::number("test_cases", words::TEST_CASES).unread(),
    TableColumn::number("open_findings", words::OPEN_FINDINGS).unread(),
];

impl App {
    /// The functions a page with these filters lists.
    pub async fn functions_file(
        &self,
        caller: &Caller,
        filter: &FunctionFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Function>(caller, filter, reading);
        let Format::Table(format) = format else {
            let criticality = asked_words(&filter.criticality, language);
            let report = ListReport {
                name: "functions",
                title: FUNCTIONS,
                filters: vec![
                    (words::AS_OF, reading.day.map(|day| day.to_string())),
                    (words::TAG, reading.tag.map(|tag| tag.to_string())),
                    (CRITICALITY, criticality),
                    (words::SEARCH, filter.search.clone()),
                ],
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_table::<Function, _>(caller, "functions", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn minutes(minutes: Option<u32>) -> String {
    minutes.map_or_else(|| "–".to_owned(), |minutes| minutes.to_string())
}

fn table(ctx: &ReportContext, functions: &[FunctionView]) -> Table {
    let columns = [
        Column::points(ctx.t(words::REFERENCE), 52),
        Column::share(ctx.t(FUNCTION), 1).row_header(),
        Column::points(ctx.t(CRITICALITY), 92),
        Column::points(ctx.t(RTO), 56),
        Column::points(ctx.t(RPO), 56),
        Column::points(ctx.t(words::OWNER), 84),
    ];
    functions.iter().fold(Table::new(columns), |table, function| {
        let record = &function.row.record;
        table.row([
            record.reference(),
            record.name.to_string(),
            ctx.t(record.criticality.label()).to_owned(),
            minutes(record.rto_minutes),
            minutes(record.rpo_minutes),
            record.owner.as_ref().map_or("–", Name::as_str).to_owned(),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, function: &FunctionView) -> Section {
    let (record, counts) = (&function.row.record, &function.counts);
    let facts = [
        ctx.pair(words::REFERENCE, record.reference()),
        ctx.pair(ACTIVITY, record.licensed_activity.as_ref().map_or("–", Name::as_str)),
        ctx.pair(CRITICALITY, ctx.t(record.criticality.label())),
        ctx.pair(ASSESSED, ctx.day(record.assessed_on)),
        ctx.pair(RTO, minutes(record.rto_minutes)),
        ctx.pair(RPO, minutes(record.rpo_minutes)),
        ctx.pair(DISCONTINUING, ctx.t(record.impact_of_discontinuing.label())),
        ctx.pair(words::OWNER, record.owner.as_ref().map_or("–", Name::as_str)),
        ctx.pair(ARRANGEMENTS, counts.arrangements.to_string()),
        ctx.pair(words::TEST_CASES, counts.test_cases.to_string()),
        ctx.pair(words::OPEN_FINDINGS, counts.open_findings.to_string()),
    ];
    let section = section.heading(record.name.as_str()).key_values(facts);
    ctx.passage(section, REASONS, record.reasons.as_ref().map(Prose::as_str))
}

fn cells(function: &FunctionView) -> [String; COLUMNS.len()] {
    let (record, counts) = (&function.row.record, &function.counts);
    let name = |name: Option<&Name>| name.map(ToString::to_string).unwrap_or_default();
    let number = |minutes: Option<u32>| minutes.map(|minutes| minutes.to_string()).unwrap_or_default();
    [
        function.row.id.to_string(),
        record.reference(),
        record.name.to_string(),
        name(record.licensed_activity.as_ref()),
        record.criticality.to_string(),
        record.assessed_on.map(|day| day.to_string()).unwrap_or_default(),
        number(record.rto_minutes),
        number(record.rpo_minutes),
        record.impact_of_discontinuing.to_string(),
        name(record.owner.as_ref()),
        counts.arrangements.to_string(),
        counts.test_cases.to_string(),
        counts.open_findings.to_string(),
    ]
}

impl Exchanged for Function {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        FunctionInput {
            name: given.text("name"),
            licensed_activity: given.text("licensed_activity"),
            criticality: given.text("criticality"),
            assessed_on: given.text("assessed_on"),
            rto_minutes: given.number("rto_minutes"),
            rpo_minutes: given.number("rpo_minutes"),
            impact_of_discontinuing: given.text("impact_of_discontinuing"),
            owner: given.text("owner"),
            ..FunctionInput::default()
        }
    }
}
