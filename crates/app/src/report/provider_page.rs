//! One provider as a report: the data of the register, the institution's own data, its contracts and its reviews.

use catalogue::vendor::Vendor;
use domain::{
    format,
    id::ProviderId,
    provider::{ClauseState, Dimension, Review},
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Badge, Column, Section, Table, Tone};
use store::record::RecordRow;

use super::{
    File, ReportContext,
    file_name::{file_name, short},
    finding, words,
    words::word,
};
use crate::{
    App, Result,
    authz::Caller,
    provider::{Contract, ProviderPage, ProviderView},
};

const PROVIDER: Label = word("ICT provider", "IKT-Dienstleister");
const CRITICAL: Label = word("Critical or important", "Kritisch oder wichtig");
const LEI: Label = word("LEI", "LEI");
const COUNTRY: Label = word("Country", "Land");
const PARENT: Label = word("Ultimate parent", "Oberstes Mutterunternehmen");
const SHARE: Label = word("Share of annual cost", "Anteil an den jährlichen Kosten");
const FUNCTIONS: Label = word("Functions", "Funktionen");
const RATING: Label = word("Own rating", "Eigene Einstufung");
const ARCHETYPE: Label = word("Archetype of the catalogue", "Archetyp des Katalogs");
const NOTICE_DAYS: Label = word("Notice period in days", "Kündigungsfrist in Tagen");
const LAST_REVIEW: Label = word("Last review", "Letzte Prüfung");
const NEXT_REVIEW: Label = word("Next review", "Nächste Prüfung");
const CONTRACTS: Label = word("Arrangements", "Vereinbarungen");
const SERVICE: Label = word("Service", "Leistung");
const ENDS_ON: Label = word("Ends on", "Endet am");
const NOTICE_BY: Label = word("Terminate by", "Kündigen bis");
const CLAUSES: Label = word("Clauses present", "Klauseln vorhanden");
const MISSING: Label = word("Missing clauses", "Fehlende Klauseln");
const REVIEWS: Label = word("Due-diligence reviews", "Dienstleisterprüfungen");
const BEGUN: Label = word("Begun", "Begonnen");
const ANSWERED: Label = word("Answered", "Beantwortet");
const SCORE: Label = word("Score", "Punkte");
const SCORES: Label = word("Scores of the last review", "Bewertung der letzten Prüfung");
const INCIDENTS: Label = word("Incidents", "Vorfälle");

impl App {
    /// A provider's page as a document.
    pub async fn provider_pdf(
        &self,
        caller: &Caller,
        id: ProviderId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (page, _) = self.provider_page(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let record = &page.provider.row.record;
        let incidents = page.incidents.iter().fold(Section::new(ctx.t(INCIDENTS)), |section, row| {
            section.paragraph(format!("{} {}", row.record.reference, row.record.title))
        });
        let mut document = ctx
            .document(record.name.as_str())
            .subtitle(ctx.t(PROVIDER))
            .fact(ctx.t(words::VERSION), page.provider.row.version.to_string())
            .section(overview(&ctx, &page.provider))
            .section(contracts(&ctx, &page))
            .section(Section::new(ctx.t(REVIEWS)).table(reviews(&ctx, &page.reviews)))
            .section(Section::new(ctx.t(words::FINDINGS)).table(finding::table(&ctx, &page.findings)));
        if !page.incidents.is_empty() {
            document = document.section(incidents);
        }
        let document = self.with_comments(caller, &ctx, document, (id, comments)).await?;
        let id = id.to_string();
        ctx.set(document, file_name("provider", record.name.as_str(), short(&id))).await
    }
}

fn or_none(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn archetype(ctx: &ReportContext, vendor: &Vendor) -> String {
    let score = format::decimal(ctx.language, vendor.overall);
    format!("{} ({score} / 100)", vendor.title.get(ctx.language))
}

fn overview(ctx: &ReportContext, provider: &ProviderView) -> Section {
    let (record, facts) = (&provider.row.record, &provider.facts);
    let functions: Vec<&str> = facts.functions.keys().map(String::as_str).collect();
    let mut badges = vec![Badge::new(provider.state.tone(), ctx.t(provider.state.label()))];
    if provider.is_critical() {
        badges.insert(0, Badge::new(Tone::Warning, ctx.t(CRITICAL)));
    }
    let pairs = vec![
        ctx.pair(LEI, or_none(record.lei)),
        ctx.pair(COUNTRY, record.country.to_string()),
        ctx.pair(PARENT, or_none(facts.parent.as_ref().map(|(name, _)| name))),
        ctx.pair(SHARE, or_none(provider.share.map(|share| format::percent(ctx.language, share)))),
        ctx.pair(FUNCTIONS, functions.join(", ")),
        ctx.pair(words::OWNER, or_none(record.owner.as_ref().map(Name::as_str))),
        ctx.pair(RATING, or_none(record.rating.map(|rating| ctx.t(rating.label())))),
        ctx.pair(ARCHETYPE, or_none(provider.archetype().map(|vendor| archetype(ctx, vendor)))),
        ctx.pair(NOTICE_DAYS, or_none(record.notice_days)),
        ctx.pair(LAST_REVIEW, ctx.day(record.last_review_on)),
        ctx.pair(NEXT_REVIEW, ctx.day(record.next_review_on)),
    ];
    let section = Section::new(ctx.t(words::OVERVIEW)).badges(badges).key_values(pairs);
    let section = match record.scores {
        Some(scores) => {
            let pair = |dimension: &Dimension| ctx.pair(dimension.label(), or_none(scores.get(*dimension)));
            section.subheading(ctx.t(SCORES)).key_values(Dimension::ALL.iter().map(pair))
        }
        None => section,
    };
    ctx.passage(section, words::NOTE, record.note.as_ref().map(Prose::as_str))
}

fn contracts(ctx: &ReportContext, page: &ProviderPage) -> Section {
    let columns = [
        Column::share(ctx.t(SERVICE), 3).row_header(),
        Column::points(ctx.t(ENDS_ON), 80),
        Column::points(ctx.t(NOTICE_BY), 80),
        Column::points(ctx.t(CLAUSES), 72),
    ];
    let row = |table: Table, contract: &Contract| {
        let lines = &contract.clauses.clauses;
        let present = lines.iter().filter(|line| line.state == Some(ClauseState::Present)).count();
        table.row([
            format!("{} {}", contract.clauses.reference, contract.clauses.service),
            ctx.day(contract.row.record.contract.ends_on),
            ctx.day(contract.notice_by),
            format!("{present} / {}", lines.len()),
        ])
    };
    let section = Section::new(ctx.t(CONTRACTS)).table(page.contracts.iter().fold(Table::new(columns), row));
    let missing = page.provider.clauses.missing.iter().map(|id| {
        let clause = ctx.edition.requirements.get(id);
        clause.map_or_else(
            || id.clone(),
            |clause| format!("{} {}", clause.number, clause.title.get(ctx.language)),
        )
    });
    let missing: Vec<String> = missing.collect();
    let missing = (!missing.is_empty()).then(|| missing.join("; "));
    ctx.passage(section, MISSING, missing.as_deref())
}

fn reviews(ctx: &ReportContext, reviews: &[RecordRow<Review>]) -> Table {
    let columns = [
        Column::points(ctx.t(BEGUN), 120).row_header(),
        Column::share(ctx.t(words::STATUS), 2),
        Column::share(ctx.t(ANSWERED), 1),
        Column::points(ctx.t(SCORE), 64),
    ];
    reviews.iter().fold(Table::new(columns), |table, row| {
        let record = &row.record;
        table.row([
            ctx.moment(row.created_at),
            ctx.t(record.status.label()).to_owned(),
            format!("{} / {}", record.answered(), record.questions.len()),
            or_none(record.scores.and_then(|scores| scores.overall)),
        ])
    })
}
