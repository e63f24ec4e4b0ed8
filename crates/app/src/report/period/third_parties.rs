//! Third parties: how many there are, how concentrated they are, and what is filed about them.

use domain::{
    concentration::{Dimension, Level},
    format,
    rounding::Hundredths,
    tone::Tone,
    vocabulary::Vocabulary as _,
    wording::Label,
};
use reports::document::{Align, BarChart, Cell, Column, Section, Table};

use super::{Paper, figures::Compared, words};
use crate::{
    analysis::{Analysis, DimensionContent, shown_name},
    report::words::word,
};

/// How many bars a chart of shares has.
const BARS: usize = 8;

const LEAD: Label = word(
    "On {day}, the register contains {arrangements} {arrangements|arrangement|arrangements} with {providers} {providers|provider|providers}; {critical} {critical|supports|support} critical or important functions.",
    "Am {day} enthält das Register {arrangements} {arrangements|Vereinbarung|Vereinbarungen} mit {providers} {providers|Dienstleister|Dienstleistern}; {critical} {critical|stützt|stützen} kritische oder wichtige Funktionen.",
);
const NONE: Label = word(
    "The register contains no arrangement on {day}.",
    "Am {day} enthält das Register keine Vereinbarung.",
);
const REGISTER: Label = word("Register", "Register");
const ARRANGEMENTS: Label = word("Arrangements", "Vereinbarungen");
const CRITICAL: Label =
    word("Of them for critical or important functions", "Davon für kritische oder wichtige Funktionen");
const PROVIDERS: Label = word("Providers", "Dienstleister");
const CONCENTRATION: Label = word("Concentration", "Konzentration");
const NOT_ANALYSED: Label = word(
    "No analysis of concentration was made by {day}.",
    "Bis zum {day} wurde keine Konzentrationsanalyse erstellt.",
);
const ANALYSED: Label = word(
    "The analysis as of {day}: level {level}, limits exceeded: {breaches}. Before: {before}.",
    "Die Analyse zum {day}: Stufe {level}, überschrittene Grenzen: {breaches}. Zuvor: {before}.",
);
const BEFORE: Label = word(
    "as of {day}, level {level}, limits exceeded: {breaches}",
    "zum {day}, Stufe {level}, überschrittene Grenzen: {breaches}",
);
const NO_ANALYSIS: Label = word("no analysis", "keine Analyse");
const LARGEST: Label = word("The largest share of each dimension", "Der größte Anteil je Dimension");
const DIMENSION: Label = word("Dimension", "Dimension");
const NAME: Label = word("Name", "Name");
const SHARE: Label = word("Share", "Anteil");
const LIMIT: Label = word("Limit", "Grenze");
const EXCEEDED: Label = word("Limits that are exceeded", "Überschrittene Grenzen");
const SHARES: Label = word("Shares by {dimension}", "Anteile nach {dimension}");
const FILINGS: Label = word("Filings of the register of information", "Meldungen des Informationsregisters");
const NO_FILING: Label = word("No filing is recorded.", "Es ist keine Meldung erfasst.");
const REFERENCE_DAY: Label = word("Reference day", "Stichtag");
const SCOPE: Label = word("Scope", "Umfang");
const SUBMITTED: Label = word("Submitted", "Eingereicht");

impl Paper<'_> {
    pub(super) fn third_parties(&self, section: Section) -> Section {
        let counts = &self.figures.third_parties;
        let day = self.day(self.figures.period.until);
        let section = if counts.now.arrangements == 0 {
            section.lead(self.fill(NONE, &[("day", &day)]))
        } else {
            let [n, m, k] = [counts.now.arrangements, counts.now.providers, counts.now.critical]
                .map(|number| self.count(number));
            let values = [
                ("day", day.as_str()),
                ("arrangements", n.as_str()),
                ("providers", m.as_str()),
                ("critical", k.as_str()),
            ];
            let rows = [
                (ARRANGEMENTS, counts.map(|one| one.arrangements)),
                (CRITICAL, counts.map(|one| one.critical)),
                (PROVIDERS, counts.map(|one| one.providers)),
            ];
            let rows = rows.map(|(label, figure)| (self.t(label).to_owned(), figure));
            section.lead(self.fill(LEAD, &values)).table(self.of_days(REGISTER, &rows))
        };
        let section = self.concentration(section.heading(self.t(CONCENTRATION)));
        self.filings(section.heading(self.t(FILINGS))).note(self.holds())
    }

    fn concentration(&self, section: Section) -> Section {
        let Compared { now, before } = &self.figures.analysis;
        let day = self.day(self.figures.period.until);
        let Some(analysis) = now else {
            return section.paragraph(self.fill(NOT_ANALYSED, &[("day", &day)]));
        };
        let before =
            before.as_ref().map_or_else(|| self.t(NO_ANALYSIS).to_owned(), |one| self.analysed(BEFORE, one));
        let text = self.analysed(ANALYSED, analysis).replace("{before}", &before);
        let section = section.paragraph(text).subheading(self.t(LARGEST)).table(self.largest(analysis));
        let section = self.exceeded(section);
        let dimensions = analysis.content.dimensions.iter();
        let charted =
            dimensions.filter(|one| self.is_deep() || one.dimension == Dimension::Provider.as_str());
        charted.fold(section, |section, dimension| section.chart(self.dimension_chart(dimension)))
    }

    fn analysed(&self, label: Label, analysis: &Analysis) -> String {
        let head = &analysis.head;
        let level = Level::find(&head.level).map_or(head.level.as_str(), |level| self.t(level.label()));
        let (day, breaches) = (self.day(head.as_of), self.count(head.breaches));
        self.fill(label, &[("day", &day), ("level", level), ("breaches", &breaches)])
    }

    fn dimension_name(&self, dimension: &str) -> String {
        Dimension::find(dimension).map_or(dimension, |known| self.t(known.label())).to_owned()
    }

    fn percent(&self, hundredths: i64) -> String {
        format::exact_percent(self.ctx.language, Hundredths::new(hundredths))
    }

    fn limit(&self, percent: i64) -> String {
        self.percent(percent * 100)
    }

    fn largest(&self, analysis: &Analysis) -> Table {
        let columns = [
            Column::points(self.t(DIMENSION), 96).row_header(),
            Column::share(self.t(NAME), 1),
            Column::points(self.t(SHARE), 76).align(Align::End),
            Column::points(self.t(LIMIT), 76).align(Align::End),
        ];
        analysis.content.dimensions.iter().fold(Table::new(columns), |table, dimension| {
            let Some(entry) = dimension.entries.first() else { return table };
            let cells = [
                self.dimension_name(&dimension.dimension),
                entry.name.clone(),
                self.percent(entry.share),
                self.limit(dimension.threshold.into()),
            ];
            table.row(cells.map(Cell::from))
        })
    }

    fn exceeded(&self, section: Section) -> Section {
        let breaches = &self.figures.breaches;
        if breaches.is_empty() {
            return section;
        }
        let columns = [
            Column::points(self.t(DIMENSION), 96),
            Column::share(self.t(NAME), 1).row_header(),
            Column::points(self.t(SHARE), 76).align(Align::End),
            Column::points(self.t(LIMIT), 76).align(Align::End),
        ];
        let table = breaches.iter().take(self.most()).fold(Table::new(columns), |table, breach| {
            let cells = [
                self.t(breach.dimension.label()).to_owned(),
                shown_name(breach.dimension, &breach.name, self.ctx.language).to_owned(),
                self.percent(breach.share),
                self.limit(breach.threshold),
            ];
            table.row(cells.map(Cell::from))
        });
        self.and_more(section.subheading(self.t(EXCEEDED)).table(table), breaches.len(), self.most())
    }

    fn dimension_chart(&self, dimension: &DimensionContent) -> BarChart {
        let name = self.dimension_name(&dimension.dimension);
        let limit = i64::from(dimension.threshold) * 100;
        let chart = BarChart::new(self.fill(SHARES, &[("dimension", &name)]));
        let chart = chart.threshold(format!("{} {}", self.t(LIMIT), self.percent(limit)), in_percent(limit));
        dimension.entries.iter().take(BARS).fold(chart, |chart, entry| {
            let tone = if entry.breach { Tone::Critical } else { Tone::Notice };
            chart.bar(&entry.name, in_percent(entry.share), self.percent(entry.share), tone)
        })
    }

    fn filings(&self, section: Section) -> Section {
        let filings = &self.figures.filings;
        if filings.is_empty() {
            return section.paragraph(self.t(NO_FILING));
        }
        let columns = [
            Column::points(self.t(REFERENCE_DAY), 92).row_header(),
            Column::share(self.t(SCOPE), 1),
            Column::points(self.t(words::STATUS), 92),
            Column::points(self.t(words::DUE), 84),
            Column::points(self.t(SUBMITTED), 84),
        ];
        let table = filings.iter().take(self.most()).fold(Table::new(columns), |table, filing| {
            let record = &filing.record;
            let submitted = record.submission.as_ref().map(|one| self.figures.day_of(one.at));
            let cells = [
                self.day(record.reference_date),
                self.t(record.scope.label()).to_owned(),
                self.t(record.status.label()).to_owned(),
                self.ctx.day(record.due_on),
                self.ctx.day(submitted),
            ];
            table.row(cells.map(Cell::from))
        });
        self.and_more(section.table(table), filings.len(), self.most())
    }
}

fn in_percent(hundredths: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "hundredths of a share")]
    let percent = hundredths as f64 / 100.0;
    percent
}
