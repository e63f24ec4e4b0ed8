//! Controls as a table and as a report.

use std::collections::HashSet;

use domain::{
    change::Change,
    control::{Control, ControlCadence, ControlInput, ControlStatus, Effectiveness},
    moment::Day,
    page::Reading,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Column, Section, Table};
use store::Reader;

use super::{
    File, Format, ReportContext,
    column::TableColumn,
    list::{ListReport, asked_days, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    App, Result,
    author::Author,
    authz::Caller,
    control::{ControlFilter, ControlView, requirements_of},
    records::{Exchanged, Given},
};

const CONTROLS: Label = word("Controls", "Kontrollen");
const CONTROL: Label = word("Control", "Kontrolle");
const EFFECTIVENESS: Label = word("Effectiveness", "Wirksamkeit");
const OVERRULED: Label = word("Set by a person because", "Von einer Person festgelegt, weil");
const CADENCE: Label = word("Interval", "Turnus");
const LAST_PERFORMED: Label = word("Last performed", "Zuletzt durchgeführt");
const REQUIREMENTS: Label = word("Requirements", "Anforderungen");
const FUNCTIONS: Label = word("Functions", "Funktionen");

const COLUMNS: [TableColumn; 16] = [
    TableColumn::id(),
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("description", words::DESCRIPTION),
    TableColumn::text("measure_id", word("Measure", "Maßnahme")),
    TableColumn::items("requirements", words::REQUIREMENTS, "; "),
    TableColumn::word::<ControlStatus>("status", words::STATUS),
    TableColumn::word::<Effectiveness>("effectiveness", EFFECTIVENESS),
    TableColumn::text("effectiveness_reason", OVERRULED),
    TableColumn::text("owner", words::OWNER),
    TableColumn::word::<ControlCadence>("cadence", CADENCE),
    TableColumn::day("last_performed_on", LAST_PERFORMED).unread(),
    TableColumn::day("next_due_on", words::DUE_ON),
    TableColumn::items("functions", FUNCTIONS, "; "),
    TableColumn::records("evidence", words::EVIDENCE, &["evidence"], "; ").unread(),
    TableColumn::number("open_findings", words::OPEN_FINDINGS).unread(),
];

impl App {
    /// The controls a page with these filters lists.
    pub async fn controls_file(
        &self,
        caller: &Caller,
        filter: &ControlFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Control>(caller, filter, reading);
        let Format::Table(format) = format else {
            let report = ListReport {
                name: "controls",
                title: CONTROLS,
                filters: filter_words(filter, reading, language),
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_table::<Control, _>(caller, "controls", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn filter_words(
    filter: &ControlFilter,
    reading: Reading,
    language: Language,
) -> Vec<(Label, Option<String>)> {
    vec![
        (words::AS_OF, reading.day.map(|day| day.to_string())),
        (words::TAG, reading.tag.map(|tag| tag.to_string())),
        (words::STATUS, asked_words(&filter.status, language)),
        (EFFECTIVENESS, asked_words(&filter.effectiveness, language)),
        (words::OWNER, asked_names(&filter.owner, language)),
        (words::DUE_BEFORE, asked_days(&filter.due_before, language)),
        (words::SEARCH, filter.search.clone()),
    ]
}

fn table(ctx: &ReportContext, controls: &[ControlView]) -> Table {
    let columns = [
        Column::points(ctx.t(words::REFERENCE), 56),
        Column::share(ctx.t(CONTROL), 1).row_header(),
        Column::points(ctx.t(words::STATUS), 76),
        Column::points(ctx.t(EFFECTIVENESS), 84),
        Column::points(ctx.t(words::OWNER), 84),
        Column::points(ctx.t(words::DUE_ON), 72),
    ];
    controls.iter().fold(Table::new(columns), |table, control| {
        let record = &control.row.record;
        table.row([
            record.reference.to_string(),
            record.title.to_string(),
            ctx.t(record.status.label()).to_owned(),
            ctx.t(record.effectiveness().label()).to_owned(),
            record.owner.as_ref().map_or("–", Name::as_str).to_owned(),
            ctx.day(record.next_due_on),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, control: &ControlView) -> Section {
    let record = &control.row.record;
    let functions: Vec<&str> = record.functions.iter().map(Name::as_str).collect();
    let facts = [
        ctx.pair(words::REFERENCE, record.reference.to_string()),
        ctx.pair(words::STATUS, ctx.t(record.status.label())),
        ctx.pair(EFFECTIVENESS, ctx.t(record.effectiveness().label())),
        ctx.pair(words::OWNER, record.owner.as_ref().map_or("–", Name::as_str)),
        ctx.pair(CADENCE, ctx.t(record.cadence.label())),
        ctx.pair(LAST_PERFORMED, ctx.day(record.last_performed_on)),
        ctx.pair(words::DUE_ON, ctx.day(record.next_due_on)),
        ctx.pair(words::OPEN_FINDINGS, control.open_findings.to_string()),
        ctx.pair(words::EVIDENCE, control.evidence.len().to_string()),
    ];
    let section = section.heading(record.title.as_str()).key_values(facts);
    let section = ctx.passage(section, words::DESCRIPTION, record.description.as_ref().map(Prose::as_str));
    let reason = record.overrule.as_ref().map(|overrule| overrule.reason.as_str());
    let section = ctx.passage(section, OVERRULED, reason);
    let section = ctx.passage(section, FUNCTIONS, joined(&functions).as_deref());
    let requirements: Vec<&str> = control.requirements.iter().map(String::as_str).collect();
    ctx.passage(section, REQUIREMENTS, joined(&requirements).as_deref())
}

fn joined(items: &[&str]) -> Option<String> {
    (!items.is_empty()).then(|| items.join("; "))
}

fn cells(control: &ControlView) -> [String; COLUMNS.len()] {
    let record = &control.row.record;
    let day = |day: Option<Day>| day.map(|day| day.to_string()).unwrap_or_default();
    let evidence: Vec<String> = control.evidence.iter().map(ToString::to_string).collect();
    let functions: Vec<&str> = record.functions.iter().map(Name::as_str).collect();
    let reason = record.overrule.as_ref().map(|overrule| overrule.reason.as_str());
    [
        control.row.id.to_string(),
        record.reference.to_string(),
        record.title.to_string(),
        record.description.as_ref().map(Prose::as_str).unwrap_or_default().to_owned(),
        record.measure_id.clone().unwrap_or_default(),
        control.requirements.join("; "),
        record.status.to_string(),
        record.effectiveness().to_string(),
        reason.unwrap_or_default().to_owned(),
        record.owner.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
        record.cadence.to_string(),
        day(record.last_performed_on),
        day(record.next_due_on),
        functions.join("; "),
        evidence.join("; "),
        control.open_findings.to_string(),
    ]
}

impl Exchanged for Control {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        // The result of a person comes with its reason; without one, the rule holds.
        let overrules = given.has(&["effectiveness", "effectiveness_reason"])
            && matches!(given.whole_text("effectiveness_reason"), Change::Set(_));
        ControlInput {
            title: given.text("title"),
            description: given.text("description"),
            measure_id: given.text("measure_id"),
            requirements: given.list("requirements"),
            status: given.text("status"),
            effectiveness: if overrules { given.whole_text("effectiveness") } else { Change::Keep },
            effectiveness_reason: if overrules {
                given.whole_text("effectiveness_reason")
            } else {
                Change::Keep
            },
            owner: given.text("owner"),
            cadence: given.text("cadence"),
            next_due_on: given.text("next_due_on"),
            functions: given.list("functions"),
            ..ControlInput::default()
        }
    }

    /// The cell lists the requirements of the measure, too. They stay the measure's, and do not become the control's own.
    fn refined(
        author: &Author,
        reader: &mut Reader<'_>,
        before: Option<&Self>,
        mut input: ControlInput,
    ) -> Result<ControlInput> {
        let measures = [before.and_then(|control| control.measure_id.clone()), set(&input.measure_id)];
        if let Change::Set(listed) = &mut input.requirements {
            let edition = author.app.edition_in(reader, author.scope())?;
            let of_measures: HashSet<String> = measures
                .iter()
                .flat_map(|measure| requirements_of(&edition, measure.as_deref(), &[]))
                .collect();
            let is_own = |id: &String| before.is_some_and(|control| control.requirements.contains(id));
            listed.retain(|id| is_own(id) || !of_measures.contains(id));
        }
        Ok(input)
    }
}

/// The value that a change gives.
fn set(change: &Change<String>) -> Option<String> {
    match change {
        Change::Set(value) => Some(value.clone()),
        Change::Keep | Change::Clear => None,
    }
}
