//! One provider as a report: the data of the register, the institution's own data, its contracts and its reviews.

use catalogue::vendor::Vendor;
use domain::{
    format,
    id::ProviderId,
    provider::{ClauseState, Dimension, Provider, Review},
    text::Prose,
    wording::{Label, Language},
};
use reports::document::{Badge, Column, Section, Table, Tone};
use store::record::RecordRow;

use super::{
    File, ReportContext,
    column::OnPage,
    file_name::{file_name, short},
    finding,
    provider::COLUMNS,
    words::{self, word},
};
use crate::{
    Reports, Result,
    authz::Caller,
    provider::{Contract, ProviderPage, ProviderView},
};

const PROVIDER: Label = word("ICT provider", "IKT-Dienstleister");
const SERVICE: Label = word("Service", "Leistung");
const ENDS_ON: Label = word("Ends on", "Endet am");
const NOTICE_BY: Label = word("Terminate by", "Kündigen bis");
const CLAUSES: Label = word("Clauses present", "Klauseln vorhanden");
const MISSING: Label = word("Missing clauses", "Fehlende Klauseln");
const REVIEWS: Label = word("Due-diligence reviews", "Dienstleisterprüfungen");
const BEGUN: Label = word("Begun", "Begonnen");
const ANSWERED: Label = word("Answered", "Beantwortet");
const SCORE: Label = word("Score", "Punkte");

impl Reports {
    /// A provider's page as a document.
    pub async fn provider_pdf(
        &self,
        caller: &Caller,
        id: ProviderId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (page, _) = self.third_parties.provider_page(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let record = &page.provider.row.record;
        let incidents =
            page.incidents.iter().fold(Section::new(ctx.t(Provider::INCIDENTS.label)), |section, row| {
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
        badges.insert(0, Badge::new(Tone::Warning, ctx.t(Provider::CRITICAL.label)));
    }
    let page = OnPage { ctx, columns: COLUMNS, view: provider };
    let mut pairs = page.facts(&[Provider::LEI, Provider::COUNTRY, Provider::PARENT]);
    pairs.push(
        ctx.pair(Provider::SHARE, or_none(provider.share.map(|share| format::percent(ctx.language, share)))),
    );
    pairs.push(ctx.pair(Provider::FUNCTIONS, functions.join(", ")));
    pairs.extend(page.facts(&[Provider::OWNER, Provider::RATING]));
    let chosen = provider.archetype().map(|vendor| archetype(ctx, vendor));
    pairs.push(ctx.pair(Provider::ARCHETYPE, or_none(chosen)));
    pairs.extend(page.facts(&[Provider::NOTICE_DAYS, Provider::LAST_REVIEW_ON, Provider::NEXT_REVIEW_ON]));
    let section = Section::new(ctx.t(words::OVERVIEW)).badges(badges).key_values(pairs);
    let section = match record.scores {
        Some(scores) => {
            let pair = |dimension: &Dimension| ctx.pair(dimension.label(), or_none(scores.get(*dimension)));
            section.subheading(ctx.t(Provider::SCORES.label)).key_values(Dimension::ALL.iter().map(pair))
        }
        None => section,
    };
    ctx.passage(section, Provider::NOTE.label, record.note.as_ref().map(Prose::as_str))
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
    let section = Section::new(ctx.t(Provider::ARRANGEMENTS.label))
        .table(page.contracts.iter().fold(Table::new(columns), row));
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
