//! The institution's risks as a table and as a report.

use domain::{
    change::Change,
    risk::{Rating, RatingInput, Risk, RiskCategory, RiskInput, RiskLevel, RiskStatus, RiskTreatment},
    wording::{Label, Language},
};
use reports::document::Section;

use super::{
    ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, joined, of},
    list::{Listed, asked_days, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    records::{Exchanged, Given},
    risk::{RiskFilter, RiskView},
};

const RISKS: Label = word("Risks", "Risiken");
const RISK: Label = word("Risk", "Risiko");
const REVIEW_BEFORE: Label = word("Review before", "Überprüfung vor");

const COLUMNS: &[RecordColumn<RiskView>] = &[
    (TableColumn::id(), |risk| risk.row.id.to_string()),
    (of::text(Risk::REFERENCE).unread().points(52), |risk| risk.row.record.reference.to_string()),
    (of::text(Risk::TITLE).names_rows(1, RISK), |risk| risk.row.record.title.to_string()),
    (of::word::<RiskCategory>(Risk::CATEGORY).points(84), |risk| risk.row.record.category.to_string()),
    (of::word::<RiskStatus>(Risk::STATUS).points(76), |risk| risk.row.record.status.to_string()),
    (of::text(Risk::OWNER).points(84), |risk| cell(risk.row.record.owner.as_ref())),
    (of::text(Risk::CAUSE), |risk| cell(risk.row.record.cause.as_ref())),
    (of::text(Risk::EVENT), |risk| cell(risk.row.record.event.as_ref())),
    (of::text(Risk::EFFECT), |risk| cell(risk.row.record.effect.as_ref())),
    (of::number(Risk::INHERENT_LIKELIHOOD).named("inherent_likelihood"), |risk| {
        cell(risk.row.record.inherent.map(Rating::likelihood))
    }),
    (of::number(Risk::INHERENT_IMPACT).named("inherent_impact"), |risk| {
        cell(risk.row.record.inherent.map(Rating::impact))
    }),
    (of::word::<RiskLevel>(Risk::INHERENT_LEVEL).named("inherent_level").unread(), |risk| {
        cell(risk.row.record.inherent.map(Rating::level))
    }),
    (of::number(Risk::RESIDUAL_LIKELIHOOD).named("residual_likelihood"), |risk| {
        cell(risk.row.record.residual.map(Rating::likelihood))
    }),
    (of::number(Risk::RESIDUAL_IMPACT).named("residual_impact"), |risk| {
        cell(risk.row.record.residual.map(Rating::impact))
    }),
    (of::word::<RiskLevel>(Risk::RESIDUAL_LEVEL).named("residual_level").unread().points(72), |risk| {
        cell(risk.row.record.residual.map(Rating::level))
    }),
    (of::word::<RiskLevel>(Risk::TARGET_LEVEL).named("target_level").unread(), |risk| {
        cell(risk.row.record.target.map(Rating::level))
    }),
    (of::word::<RiskTreatment>(Risk::TREATMENT), |risk| risk.row.record.treatment.to_string()),
    (of::day(Risk::ACCEPTED_UNTIL).unread(), |risk| cell(risk.row.record.accepted_until())),
    (of::word::<RiskLevel>(Risk::EXCEEDS_APPETITE).unread(), |risk| cell(risk.exceeds)),
    (of::items(Risk::FUNCTIONS, "; "), |risk| joined(&risk.row.record.functions)),
    (of::records(Risk::CONTROLS, &["control"], "; "), |risk| joined(&risk.row.record.controls)),
    (of::records(Risk::FINDINGS, &["finding"], "; "), |risk| joined(&risk.row.record.findings)),
    (of::day(Risk::REVIEW_ON), |risk| cell(risk.row.record.review_on)),
];

/// The level and the two steps it follows from.
fn rated(ctx: &ReportContext, rating: Option<Rating>) -> String {
    let Some(rating) = rating else { return "–".to_owned() };
    format!("{} ({} + {})", ctx.t(rating.level().label()), rating.likelihood(), rating.impact())
}

impl Listed for Risk {
    const FILE: &'static str = "risks";
    const TITLE: Label = RISKS;
    const CELLS: &'static [RecordColumn<RiskView>] = COLUMNS;

    fn asked(filter: &RiskFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (Risk::STATUS.label, asked_words(&filter.status, language)),
            (Risk::RESIDUAL_LEVEL.label, asked_words(&filter.level, language)),
            (Risk::CATEGORY.label, asked_words(&filter.category, language)),
            (Risk::OWNER.label, asked_names(&filter.owner, language)),
            (REVIEW_BEFORE, asked_days(&filter.review_before, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn detail(ctx: &ReportContext, section: Section, risk: &RiskView) -> Section {
        let (record, page) = (&risk.row.record, OnPage { ctx, columns: COLUMNS, view: risk });
        let mut facts = page.facts(&[Risk::REFERENCE, Risk::CATEGORY, Risk::STATUS]);
        facts.extend([
            ctx.pair(Risk::INHERENT, rated(ctx, record.inherent)),
            ctx.pair(Risk::RESIDUAL, rated(ctx, record.residual)),
            ctx.pair(Risk::TARGET, rated(ctx, record.target)),
        ]);
        facts.extend(page.facts(&[Risk::TREATMENT, Risk::ACCEPTED_UNTIL, Risk::OWNER, Risk::REVIEW_ON]));
        if risk.exceeds.is_some() {
            facts.extend(page.facts(&[Risk::EXCEEDS_APPETITE]));
        }
        let section = section.heading(record.title.as_str()).key_values(facts);
        page.passages(section, &[Risk::CAUSE, Risk::EVENT, Risk::EFFECT])
    }
}

impl Exchanged for Risk {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(risk: &RiskView) -> Vec<String> {
        cells(COLUMNS, risk)
    }

    fn input(given: &Given) -> Self::Input {
        RiskInput {
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
        }
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
