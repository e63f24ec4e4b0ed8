//! Evidence as a table and as a report.

use domain::{
    evidence::{Evidence, EvidenceInput, EvidenceState},
    page::Reading,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::TableColumn,
    list::{ListReport, asked_days, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    evidence::{EvidenceChange, EvidenceFilter, EvidenceView},
    records::{Exchanged, Given},
};

const STATE: Label = word("Validity", "Gültigkeit");
const COLLECTED: Label = word("Collected on", "Erhoben am");
const VALID_UNTIL: Label = word("Valid until", "Gültig bis");
const VALID_BEFORE: Label = word("Ends before", "Endet vor");
const KEEP_UNTIL: Label = word("Keep until", "Aufbewahren bis");
const KEEP_BECAUSE: Label = word("Legal basis", "Rechtsgrundlage");
const FILE: Label = word("File", "Datei");
const DIGEST: Label = word("SHA-256", "SHA-256");
const ADDRESS: Label = word("Address", "Adresse");
const PROVES: Label = word("Evidence for", "Nachweis für");

const COLUMNS: [TableColumn; 15] = [
    TableColumn::id(),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("kind", word("Kind", "Art")),
    TableColumn::text("description", words::DESCRIPTION),
    TableColumn::word::<EvidenceState>("state", STATE).unread(),
    TableColumn::text("file_name", FILE).unread(),
    TableColumn::number("bytes", word("Bytes", "Bytes")).unread(),
    TableColumn::text("sha256", DIGEST).unread(),
    TableColumn::text("url", ADDRESS),
    TableColumn::day("collected_on", COLLECTED),
    TableColumn::day("valid_until", VALID_UNTIL),
    TableColumn::day("keep_until", KEEP_UNTIL),
    TableColumn::text("keep_because", KEEP_BECAUSE),
    TableColumn::text("owner", words::OWNER),
    TableColumn::text("links", PROVES).unread(),
];

impl App {
    /// The evidence a page with these filters lists.
    pub async fn evidence_file(
        &self,
        caller: &Caller,
        filter: &EvidenceFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Evidence>(caller, filter, reading);
        let Format::Table(format) = format else {
            let report = ListReport {
                name: "evidence",
                title: words::EVIDENCE,
                filters: filter_words(filter, reading, language),
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_table::<Evidence, _>(caller, "evidence", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn filter_words(
    filter: &EvidenceFilter,
    reading: Reading,
    language: Language,
) -> Vec<(Label, Option<String>)> {
    vec![
        (words::AS_OF, reading.day.map(|day| day.to_string())),
        (words::TAG, reading.tag.map(|tag| tag.to_string())),
        (STATE, asked_words(&filter.state, language)),
        (words::OWNER, asked_names(&filter.owner, language)),
        (VALID_BEFORE, asked_days(&filter.valid_before, language)),
        (words::SEARCH, filter.search.clone()),
    ]
}

fn table(ctx: &ReportContext, evidence: &[EvidenceView]) -> Table {
    let columns = [
        Column::share(ctx.t(words::TITLE), 1).row_header(),
        Column::points(ctx.t(STATE), 84),
        Column::points(ctx.t(COLLECTED), 76),
        Column::points(ctx.t(VALID_UNTIL), 76),
        Column::points(ctx.t(words::OWNER), 92),
    ];
    evidence.iter().fold(Table::new(columns), |table, evidence| {
        let record = &evidence.row.record;
        table.row([
            record.title.to_string(),
            ctx.t(evidence.state.label()).to_owned(),
            ctx.day(Some(record.collected_on)),
            ctx.day(record.valid_until),
            record.owner.as_ref().map_or("–", Name::as_str).to_owned(),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, evidence: &EvidenceView) -> Section {
    let record = &evidence.row.record;
    let mut facts = vec![
        ctx.pair(STATE, ctx.t(evidence.state.label())),
        ctx.pair(COLLECTED, ctx.day(Some(record.collected_on))),
        ctx.pair(VALID_UNTIL, ctx.day(record.valid_until)),
        ctx.pair(KEEP_UNTIL, ctx.day(Some(record.keep_until))),
        ctx.pair(KEEP_BECAUSE, record.keep_because.as_ref().map_or("–", Name::as_str)),
        ctx.pair(words::OWNER, record.owner.as_ref().map_or("–", Name::as_str)),
    ];
    if let Some(file) = &record.file {
        facts.extend([ctx.pair(FILE, file.name.to_string()), ctx.pair(DIGEST, file.sha256.clone())]);
    }
    facts.extend(record.url.as_ref().map(|url| ctx.pair(ADDRESS, url.clone())));
    let section = section.heading(record.title.as_str()).key_values(facts);
    let section = ctx.passage(section, words::DESCRIPTION, record.description.as_ref().map(Prose::as_str));
    let links: Vec<String> =
        evidence.links.iter().map(|link| format!("{} {}", ctx.t(link.kind.label()), link.target)).collect();
    ctx.passage(section, PROVES, (!links.is_empty()).then(|| links.join("; ")).as_deref())
}

fn cells(evidence: &EvidenceView) -> [String; COLUMNS.len()] {
    let record = &evidence.row.record;
    let file = record.file.as_ref();
    let links: Vec<String> =
        evidence.links.iter().map(|link| format!("{} {}", link.kind, link.target)).collect();
    [
        evidence.row.id.to_string(),
        record.title.to_string(),
        record.kind.clone().unwrap_or_default(),
        record.description.as_ref().map(Prose::as_str).unwrap_or_default().to_owned(),
        evidence.state.to_string(),
        file.map(|file| file.name.to_string()).unwrap_or_default(),
        file.map(|file| file.bytes.to_string()).unwrap_or_default(),
        file.map(|file| file.sha256.clone()).unwrap_or_default(),
        record.url.clone().unwrap_or_default(),
        record.collected_on.to_string(),
        record.valid_until.map(|day| day.to_string()).unwrap_or_default(),
        record.keep_until.to_string(),
        record.keep_because.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
        record.owner.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
        links.join("; "),
    ]
}

impl Exchanged for Evidence {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        let input = Box::new(EvidenceInput {
            title: given.text("title"),
            kind: given.text("kind"),
            description: given.text("description"),
            url: given.text("url"),
            collected_on: given.text("collected_on"),
            valid_until: given.text("valid_until"),
            keep_until: given.text("keep_until"),
            keep_because: given.text("keep_because"),
            owner: given.text("owner"),
        });
        if given.is_new() { EvidenceChange::New(input, None) } else { EvidenceChange::Fields(input) }
    }
}
