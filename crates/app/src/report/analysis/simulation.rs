//! A kept simulation as a report: for the file of the decision it was made for.

use domain::{
    concentration::{Basis, Dimension, Level, Scope},
    exact::Hundredths,
    id::SimulationId,
    vocabulary::Vocabulary as _,
    wording::{Label, Language},
    written,
};
use reports::document::{Align, Column, Document, Section, Table};

use super::{Desk, File, MOST_ROWS, rates, set, shared, words};
use crate::{
    App, Result,
    analysis::{ChangeContent, ChangeKind, KeptSimulation, NamedContent, ShareContent, StandingContent},
    authz::Caller,
};

impl App {
    pub async fn simulation_pdf(
        &self,
        caller: &Caller,
        id: SimulationId,
        language: Language,
    ) -> Result<File> {
        let kept = self.kept_simulation(caller, id).await?;
        let desk = Desk::new(self, caller, language).await?;
        let name = format!("simulation-{}", kept.head.made_at.day());
        set(document(&desk, &kept), name).await
    }
}

fn document(desk: &Desk, kept: &KeptSimulation) -> Document {
    let content = &kept.content;
    let word = |label: Option<Label>, text: &str| label.map_or(text, |label| desk.t(label)).to_owned();
    let basis = word(Basis::find(&content.basis).map(Basis::label), &content.basis);
    let scope = word(Scope::find(&content.scope).map(Scope::label), &content.scope);
    let mut facts = vec![
        desk.pair(words::SIMULATED, desk.moment(kept.head.made_at)),
        desk.pair(words::AS_OF, desk.day(content.as_of.parse().ok())),
        desk.pair(words::BASIS, basis),
        desk.pair(words::SCOPE, scope),
    ];
    if !content.rates.is_empty() {
        facts.push(desk.pair(words::RATES, rates(desk, &content.rates)));
    }
    let asked = Section::new(desk.t(words::CHANGES)).key_values(facts).table(changes(desk, &content.changes));
    let outcome = Section::new(desk.t(words::OUTCOME))
        .table(standing(desk, content.before.as_ref(), content.after.as_ref()))
        .subheading(desk.t(words::NEW_BREACHES))
        .table(breaches(desk, &content.new_breaches))
        .subheading(desk.t(words::GONE_BREACHES))
        .table(breaches(desk, &content.gone_breaches));
    let document = desk
        .document(format!("{}: {}", desk.t(words::SIMULATION), kept.head.name))
        .section(asked)
        .section(outcome);
    if content.shares.is_empty() {
        return document.section(Section::new(desk.t(words::SHARE)).paragraph(desk.t(words::NO_CHANGE)));
    }
    Dimension::ALL.iter().fold(document, |document, dimension| {
        let of = |share: &&ShareContent| share.dimension == dimension.as_str();
        let shares: Vec<_> = content.shares.iter().filter(of).take(MOST_ROWS).collect();
        if shares.is_empty() {
            return document;
        }
        let section = Section::new(desk.t(dimension.label())).note(desk.t(words::POINTS_NOTE));
        document.section(section.table(moved(desk, &shares)))
    })
}

fn changes(desk: &Desk, changes: &[ChangeContent]) -> Table {
    let columns = [
        Column::points(desk.t(words::ACTION), 64).row_header(),
        Column::share(desk.t(words::ARRANGEMENT), 2),
        Column::points(desk.t(words::COST), 110).align(Align::End),
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
        table.row([desk.t(kind).to_owned(), what, change.annual_cost.clone()])
    })
}

/// A figure of a standing, as a reader sees it.
type Figure<'f> = &'f dyn Fn(&StandingContent) -> String;

fn standing(desk: &Desk, before: Option<&StandingContent>, after: Option<&StandingContent>) -> Table {
    let columns = [
        Column::share("", 1).row_header(),
        Column::points(desk.t(words::BEFORE), 120),
        Column::points(desk.t(words::AFTER), 120),
    ];
    let level = |standing: &StandingContent| {
        let known = Level::find(&standing.level);
        known.map_or(standing.level.as_str(), |level| desk.t(level.label())).to_owned()
    };
    let lines: [(Label, Figure<'_>); 4] = [
        (words::LEVEL, &level),
        (words::BREACHES, &|standing| standing.breaches.to_string()),
        (words::ARRANGEMENTS, &|standing| written::count(desk.language, standing.arrangements)),
        (words::PROVIDERS, &|standing| written::count(desk.language, standing.providers.into())),
    ];
    lines.iter().fold(Table::new(columns), |table, (label, value)| {
        let cell = |standing: Option<&StandingContent>| standing.map_or_else(|| "–".to_owned(), value);
        table.row([desk.t(*label).to_owned(), cell(before), cell(after)])
    })
}

fn breaches(desk: &Desk, breaches: &[NamedContent]) -> Table {
    let columns = [Column::points(desk.t(words::DIMENSION), 110), Column::share(desk.t(words::NAME), 1)];
    let empty = Table::new(columns).empty_text(desk.t(shared::NONE));
    breaches.iter().fold(empty, |table, breach| {
        let dimension = Dimension::find(&breach.dimension);
        let dimension = dimension.map_or(breach.dimension.as_str(), |known| desk.t(known.label()));
        table.row([dimension.to_owned(), breach.name.clone()])
    })
}

fn moved(desk: &Desk, shares: &[&ShareContent]) -> Table {
    let columns = [
        Column::share(desk.t(words::NAME), 1).row_header(),
        Column::points(desk.t(words::BEFORE), 72).align(Align::End),
        Column::points(desk.t(words::AFTER), 72).align(Align::End),
        Column::points(desk.t(words::DIFFERENCE), 84).align(Align::End),
    ];
    let percent = |share: Option<i64>| {
        let written = |share| written::percent(desk.language, Hundredths::new(share));
        share.map_or_else(|| "–".to_owned(), written)
    };
    shares.iter().fold(Table::new(columns), |table, share| {
        table.row([
            share.name.clone(),
            percent(share.before),
            percent(share.after),
            written::signed_points(desk.language, Hundredths::new(share.difference)),
        ])
    })
}
