//! The institution's risks as a table and as a report.

use domain::{
    change::Change,
    page::Reading,
    risk::{Rating, RatingInput, Risk, RiskCategory, RiskInput, RiskLevel, RiskStatus, RiskTreatment},
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
    records::{Exchanged, Given},
    risk::{RiskChange, RiskFilter, RiskView},
};

const RISKS: Label = word("Risks", "Risiken");
const RISK: Label = word("Risk", "Risiko");
const CATEGORY: Label = word("Category", "Kategorie");
const LEVEL: Label = word("Residual level", "Restrisikostufe");
const INHERENT: Label = word("Inherent", "Bruttorisiko");
const RESIDUAL: Label = word("Residual", "Restrisiko");
const TARGET: Label = word("Target", "Zielrisiko");
const TREATMENT: Label = word("Treatment", "Behandlung");
const ACCEPTED_UNTIL: Label = word("Accepted until", "Akzeptiert bis");
const APPETITE: Label = word("Above the appetite, which ends at", "Über dem Risikoappetit, der endet bei");
const REVIEW_ON: Label = word("Review on", "Überprüfung am");
const REVIEW_BEFORE: Label = word("Review before", "Überprüfung vor");
const CAUSE: Label = word("Cause", "Ursache");
const EVENT: Label = word("Event", "Ereignis");
const EFFECT: Label = word("Effect", "Auswirkung auf das Institut");

const COLUMNS: [TableColumn; 23] = [
    TableColumn::id(),
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::text("title", words::TITLE),
    TableColumn::word::<RiskCategory>("category", CATEGORY),
    TableColumn::word::<RiskStatus>("status", words::STATUS),
    TableColumn::text("owner", words::OWNER),
    TableColumn::text("cause", CAUSE),
    TableColumn::text("event", EVENT),
    TableColumn::text("effect", EFFECT),
    TableColumn::number("inherent_likelihood", word("Inherent likelihood", "Brutto: Wahrscheinlichkeit")),
    TableColumn::number("inherent_impact", word("Inherent impact", "Brutto: Auswirkung")),
    TableColumn::word::<RiskLevel>("inherent_level", word("Inherent level", "Bruttorisikostufe")).unread(),
    TableColumn::number("residual_likelihood", word("Residual likelihood", "Rest: Wahrscheinlichkeit")),
    TableColumn::number("residual_impact", word("Residual impact", "Rest: Auswirkung")),
    TableColumn::word::<RiskLevel>("residual_level", LEVEL).unread(),
    TableColumn::word::<RiskLevel>("target_level", word("Target level", "Zielrisikostufe")).unread(),
    TableColumn::word::<RiskTreatment>("treatment", TREATMENT),
    TableColumn::day("accepted_until", ACCEPTED_UNTIL).unread(),
    TableColumn::word::<RiskLevel>("exceeds_appetite", APPETITE).unread(),
    TableColumn::items("functions", word("Functions", "Funktionen"), "; "),
    TableColumn::records("controls", words::CONTROLS, &["control"], "; "),
    TableColumn::records("findings", words::FINDINGS, &["finding"], "; "),
    TableColumn::day("review_on", REVIEW_ON),
];

impl App {
    /// The risks a page with these filters lists.
    pub async fn risks_file(
        &self,
        caller: &Caller,
        filter: &RiskFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Risk>(caller, filter, reading);
        let Format::Table(format) = format else {
            let report = ListReport {
                name: "risks",
                title: RISKS,
                filters: filter_words(filter, reading, language),
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_table::<Risk, _>(caller, "risks", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn filter_words(filter: &RiskFilter, reading: Reading, language: Language) -> Vec<(Label, Option<String>)> {
    vec![
        (words::AS_OF, reading.day.map(|day| day.to_string())),
        (words::TAG, reading.tag.map(|tag| tag.to_string())),
        (words::STATUS, asked_words(&filter.status, language)),
        (LEVEL, asked_words(&filter.level, language)),
        (CATEGORY, asked_words(&filter.category, language)),
        (words::OWNER, asked_names(&filter.owner, language)),
        (REVIEW_BEFORE, asked_days(&filter.review_before, language)),
        (words::SEARCH, filter.search.clone()),
    ]
}

/// The level and the two steps it follows from.
fn rated(ctx: &ReportContext, rating: Option<Rating>) -> String {
    let Some(rating) = rating else { return "–".to_owned() };
    format!("{} ({} + {})", ctx.t(rating.level().label()), rating.likelihood(), rating.impact())
}

fn table(ctx: &ReportContext, risks: &[RiskView]) -> Table {
    let columns = [
        Column::points(ctx.t(words::REFERENCE), 52),
        Column::share(ctx.t(RISK), 1).row_header(),
        Column::points(ctx.t(CATEGORY), 84),
        Column::points(ctx.t(LEVEL), 72),
        Column::points(ctx.t(words::STATUS), 76),
        Column::points(ctx.t(words::OWNER), 84),
    ];
    risks.iter().fold(Table::new(columns), |table, risk| {
        let record = &risk.row.record;
        table.row([
            record.reference.to_string(),
            record.title.to_string(),
            ctx.t(record.category.label()).to_owned(),
            record.residual.map_or("–", |rating| ctx.t(rating.level().label())).to_owned(),
            ctx.t(record.status.label()).to_owned(),
            record.owner.as_ref().map_or("–", Name::as_str).to_owned(),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, risk: &RiskView) -> Section {
    let record = &risk.row.record;
    let mut facts = vec![
        ctx.pair(words::REFERENCE, record.reference.to_string()),
        ctx.pair(CATEGORY, ctx.t(record.category.label())),
        ctx.pair(words::STATUS, ctx.t(record.status.label())),
        ctx.pair(INHERENT, rated(ctx, record.inherent)),
        ctx.pair(RESIDUAL, rated(ctx, record.residual)),
        ctx.pair(TARGET, rated(ctx, record.target)),
        ctx.pair(TREATMENT, ctx.t(record.treatment.label())),
        ctx.pair(ACCEPTED_UNTIL, ctx.day(record.accepted_until())),
        ctx.pair(words::OWNER, record.owner.as_ref().map_or("–", Name::as_str)),
        ctx.pair(REVIEW_ON, ctx.day(record.review_on)),
    ];
    facts.extend(risk.exceeds.map(|level| ctx.pair(APPETITE, ctx.t(level.label()))));
    let section = section.heading(record.title.as_str()).key_values(facts);
    let prose = |text: &Option<Prose>| text.as_ref().map(|text| text.as_str().to_owned());
    let parts =
        [(CAUSE, prose(&record.cause)), (EVENT, prose(&record.event)), (EFFECT, prose(&record.effect))];
    parts.into_iter().fold(section, |section, (label, text)| ctx.passage(section, label, text.as_deref()))
}

fn cells(risk: &RiskView) -> [String; COLUMNS.len()] {
    let record = &risk.row.record;
    let prose = |text: &Option<Prose>| text.as_ref().map(ToString::to_string).unwrap_or_default();
    let level = |rating: Option<Rating>| rating.map(|rating| rating.level().to_string()).unwrap_or_default();
    let step = |rating: Option<Rating>, of: fn(Rating) -> u8| {
        rating.map(|rating| of(rating).to_string()).unwrap_or_default()
    };
    let findings: Vec<String> = record.findings.iter().map(ToString::to_string).collect();
    [
        risk.row.id.to_string(),
        record.reference.to_string(),
        record.title.to_string(),
        record.category.to_string(),
        record.status.to_string(),
        record.owner.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
        prose(&record.cause),
        prose(&record.event),
        prose(&record.effect),
        step(record.inherent, Rating::likelihood),
        step(record.inherent, Rating::impact),
        level(record.inherent),
        step(record.residual, Rating::likelihood),
        step(record.residual, Rating::impact),
        level(record.residual),
        level(record.target),
        record.treatment.to_string(),
        record.accepted_until().map(|day| day.to_string()).unwrap_or_default(),
        risk.exceeds.map(|level| level.to_string()).unwrap_or_default(),
        record.functions.join("; "),
        record.controls.join("; "),
        findings.join("; "),
        record.review_on.map(|day| day.to_string()).unwrap_or_default(),
    ]
}

impl Exchanged for Risk {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        RiskChange::Fields(Box::new(RiskInput {
            title: given.text("title"),
            category: given.text("category"),
            status: given.text("status"),
            owner: given.text("owner"),
            cause: given.text("cause"),
            event: given.text("event"),
            effect: given.text("effect"),
            inherent: rating(given, ["inherent_likelihood", "inherent_impact"]),
            residual: rating(given, ["residual_likelihood", "residual_impact"]),
            treatment: given.text("treatment"),
            functions: given.list("functions"),
            controls: given.list("controls"),
            findings: given.list("findings"),
            review_on: given.text("review_on"),
            ..RiskInput::default()
        }))
    }
}

/// Both steps of a rating, of which a line may change one.
fn rating(given: &Given, names: [&str; 2]) -> Change<RatingInput> {
    if !given.has(&names) {
        return Change::Keep;
    }
    match names.map(|name| given.whole_number(name)) {
        [Change::Clear, Change::Clear] => Change::Clear,
        [likelihood, impact] => Change::Set(RatingInput { likelihood, impact }),
    }
}
