//! A saved simulation as a report, for the record of the decision.

use domain::{
    concentration::{Basis, Dimension, Level, Scope},
    format,
    id::SimulationId,
    rounding::Hundredths,
    vocabulary::Vocabulary as _,
    wording::{Label, Language},
};
use reports::document::{Align, Column, Document, Section, Table};

use super::{File, MOST_ROWS, ReportContext, rates, shared, words};
use crate::{
    Reports, Result,
    analysis::{ChangeContent, ChangeKind, KeptSimulation, NamedContent, ShareContent, StandingContent},
    authz::Caller,
};

impl Reports {
    pub async fn simulation_pdf(
        &self,
        caller: &Caller,
        id: SimulationId,
        language: Language,
    ) -> Result<File> {
        let kept = self.third_parties.kept_simulation(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let name = format!("simulation-{}", kept.head.made_at.day());
        ctx.set(document(&ctx, &kept), name).await
    }
}

fn document(ctx: &ReportContext, kept: &KeptSimulation) -> Document {
    let content = &kept.content;
    let word = |label: Option<Label>, text: &str| label.map_or(text, |label| ctx.t(label)).to_owned();
    let basis = word(Basis::find(&content.basis).map(Basis::label), &content.basis);
    let scope = word(Scope::find(&content.scope).map(Scope::label), &content.scope);
    let mut facts = vec![
        ctx.pair(words::SIMULATED, ctx.moment(kept.head.made_at)),
        ctx.pair(words::AS_OF, ctx.day(content.as_of.parse().ok())),
        ctx.pair(words::BASIS, basis),
        ctx.pair(words::SCOPE, scope),
    ];
    if !content.rates.is_empty() {
        facts.push(ctx.pair(words::RATES, rates(ctx, &content.rates)));
    }
    let asked = Section::new(ctx.t(words::CHANGES)).key_values(facts).table(changes(ctx, &content.changes));
    let outcome = Section::new(ctx.t(words::OUTCOME))
        .table(standing(ctx, content.before.as_ref(), content.after.as_ref()))
        .subheading(ctx.t(words::NEW_BREACHES))
        .table(breaches(ctx, &content.new_breaches))
        .subheading(ctx.t(words::GONE_BREACHES))
        .table(breaches(ctx, &content.gone_breaches));
    let document = ctx
        .document(format!("{}: {}", ctx.t(words::SIMULATION), kept.head.name))
        .section(asked)
        .section(outcome);
    if content.shares.is_empty() {
        return document.section(Section::new(ctx.t(words::SHARE)).paragraph(ctx.t(words::NO_CHANGE)));
    }
    Dimension::ALL.iter().fold(document, |document, dimension| {
        let of = |share: &&ShareContent| share.dimension == dimension.as_str();
        let shares: Vec<_> = content.shares.iter().filter(of).take(MOST_ROWS).collect();
        if shares.is_empty() {
            return document;
        }
        let section = Section::new(ctx.t(dimension.label())).note(ctx.t(words::POINTS_NOTE));
        document.section(section.table(moved(ctx, &shares)))
    })
}

fn changes(ctx: &ReportContext, changes: &[ChangeContent]) -> Table {
    let columns = [
        Column::points(ctx.t(words::ACTION), 64).row_header(),
        Column::share(ctx.t(words::ARRANGEMENT), 2),
        Column::points(ctx.t(words::COST), 110).align(Align::End),
    ];
    changes.iter().fold(Table::new(columns), |table, change| {
        let kind = match change.kind {
            ChangeKind::Sign => words::SIGN,
            ChangeKind::Change => words::CHANGE,
            ChangeKind::End => words::END,
        };
        let fields = change.fields.iter().map(|field| format!("; {} → {}", field.before, field.after));
        let what = format!("{}: {} ({})", change.reference, change.provider, change.service);
        let what = what + &fields.collect::<String>();
        table.row([ctx.t(kind).to_owned(), what, change.annual_cost.clone()])
    })
}

/// A figure as text.
type Figure<'f> = &'f dyn Fn(&StandingContent) -> String;

fn standing(ctx: &ReportContext, before: Option<&StandingContent>, after: Option<&StandingContent>) -> Table {
    let columns = [
        Column::share("", 1).row_header(),
        Column::points(ctx.t(words::BEFORE), 120),
        Column::points(ctx.t(words::AFTER), 120),
    ];
    let level = |standing: &StandingContent| {
        let known = Level::find(&standing.level);
        known.map_or(standing.level.as_str(), |level| ctx.t(level.label())).to_owned()
    };
    let lines: [(Label, Figure<'_>); 4] = [
        (words::LEVEL, &level),
        (words::BREACHES, &|standing| standing.breaches.to_string()),
        (words::ARRANGEMENTS, &|standing| format::count(ctx.language, standing.arrangements)),
        (words::PROVIDERS, &|standing| format::count(ctx.language, standing.providers.into())),
    ];
    lines.iter().fold(Table::new(columns), |table, (label, value)| {
        let cell = |standing: Option<&StandingContent>| standing.map_or_else(|| "–".to_owned(), value);
        table.row([ctx.t(*label).to_owned(), cell(before), cell(after)])
    })
}

fn breaches(ctx: &ReportContext, breaches: &[NamedContent]) -> Table {
    let columns = [Column::points(ctx.t(words::DIMENSION), 110), Column::share(ctx.t(words::NAME), 1)];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    breaches.iter().fold(empty, |table, breach| {
        let dimension = Dimension::find(&breach.dimension);
        let dimension = dimension.map_or(breach.dimension.as_str(), |known| ctx.t(known.label()));
        table.row([dimension.to_owned(), breach.name.clone()])
    })
}

fn moved(ctx: &ReportContext, shares: &[&ShareContent]) -> Table {
    let columns = [
        Column::share(ctx.t(words::NAME), 1).row_header(),
        Column::points(ctx.t(words::BEFORE), 72).align(Align::End),
        Column::points(ctx.t(words::AFTER), 72).align(Align::End),
        Column::points(ctx.t(words::DIFFERENCE), 84).align(Align::End),
    ];
    let percent = |share: Option<i64>| {
        let written = |share| format::percent(ctx.language, Hundredths::new(share));
        share.map_or_else(|| "–".to_owned(), written)
    };
    shares.iter().fold(Table::new(columns), |table, share| {
        table.row([
            share.name.clone(),
            percent(share.before),
            percent(share.after),
            format::signed_points(ctx.language, Hundredths::new(share.difference)),
        ])
    })
}
