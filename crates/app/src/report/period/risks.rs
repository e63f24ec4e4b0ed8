//! Risks by level, and those above the appetite with the decisions about them.

use domain::{
    risk::{RiskLevel, RiskStatus},
    tone::Tone,
    wording::Label,
};
use reports::document::{BarChart, Cell, Column, Section, Table};

use super::{
    Paper,
    figures::{Compared, RiskNote},
    words,
};
use crate::report::words::word;

const LEAD: Label = word(
    "On {day}, {above} of {open} open {open|risk|risks} {above|is|are} above the appetite of their category; {accepted} {accepted|risk is|risks are} accepted.",
    "Am {day} {above|liegt|liegen} {above} von {open} offenen {open|Risiko|Risiken} über dem Risikoappetit ihrer Kategorie; {accepted} {accepted|Risiko ist|Risiken sind} akzeptiert.",
);
const NONE: Label = word("No risk is recorded on {day}.", "Am {day} ist kein Risiko erfasst.");
const OPEN: Label = word("Open risks by residual level", "Offene Risiken nach Reststufe");
const UNRATED: Label = word("Not rated", "Nicht bewertet");
const ALL_OPEN: Label = word("Open risks", "Offene Risiken");
const ABOVE: Label = word("Above the appetite", "Über dem Risikoappetit");
const ACCEPTED: Label = word("Accepted", "Akzeptiert");
const LIST: Label = word(
    "Risks above the appetite and the decisions about them",
    "Risiken über dem Risikoappetit und die Entscheidungen darüber",
);
const NO_LIST: Label = word("No risk is above the appetite.", "Kein Risiko liegt über dem Risikoappetit.");
const RISK: Label = word("Risk", "Risiko");
const AT_MOST: Label = word("Appetite", "Appetit");
const DECISION: Label = word("Decision", "Entscheidung");
const ACCEPTED_UNTIL: Label = word("accepted until {day}", "akzeptiert bis {day}");

impl Paper<'_> {
    pub(super) fn risks(&self, section: Section) -> Section {
        let risks = &self.figures.risks;
        let day = self.day(self.figures.period.until);
        if risks.now.is_empty() && risks.before.is_empty() {
            return section.lead(self.fill(NONE, &[("day", &day)]));
        }
        let figure = |counts: fn(&RiskNote) -> bool| {
            risks.map(|all| all.iter().filter(|one| counts(one)).count() as u64)
        };
        let open = figure(|one| one.status.is_active());
        let above = figure(is_above);
        let accepted = figure(|one| one.status == RiskStatus::Accepted);
        let [n, m, k] = [above.now, open.now, accepted.now].map(|number| self.count(number));
        let values =
            [("day", day.as_str()), ("above", n.as_str()), ("open", m.as_str()), ("accepted", k.as_str())];
        let mut rows: Vec<(String, Compared<u64>)> = self.levels();
        rows.extend([
            (self.t(ALL_OPEN).to_owned(), open),
            (self.t(ABOVE).to_owned(), above),
            (self.t(ACCEPTED).to_owned(), accepted),
        ]);
        let section = section
            .lead(self.fill(LEAD, &values))
            .table(self.of_days(words::LEVEL, &rows))
            .chart(self.risk_chart());
        self.above_appetite(section.heading(self.t(LIST))).note(self.holds())
    }

    /// The open risks of each level.
    fn levels(&self) -> Vec<(String, Compared<u64>)> {
        let with = |level: Option<RiskLevel>| {
            self.figures.risks.map(|all| {
                all.iter().filter(|one| one.status.is_active() && one.level == level).count() as u64
            })
        };
        let levels =
            RiskLevel::ALL.iter().map(|level| (self.t(level.label()).to_owned(), with(Some(*level))));
        levels.chain([(self.t(UNRATED).to_owned(), with(None))]).collect()
    }

    fn risk_chart(&self) -> BarChart {
        let tones = [Tone::Critical, Tone::Warning, Tone::Notice, Tone::Neutral, Tone::Muted];
        let levels = self.levels().into_iter().zip(tones);
        levels.fold(BarChart::new(self.t(OPEN)), |chart, ((name, figure), tone)| {
            #[expect(clippy::cast_precision_loss, reason = "a number of records")]
            chart.bar(name, figure.now as f64, self.count(figure.now), tone)
        })
    }

    fn above_appetite(&self, section: Section) -> Section {
        let mut above: Vec<&RiskNote> = self
            .figures
            .risks
            .now
            .iter()
            .filter(|one| one.exceeds.is_some() && one.status != RiskStatus::Closed)
            .collect();
        if above.is_empty() {
            return section.paragraph(self.t(NO_LIST));
        }
        above.sort_by_key(|one| (one.level, one.name.clone()));
        let columns = [
            Column::share(self.t(RISK), 3).row_header(),
            Column::points(self.t(words::LEVEL), 62),
            Column::points(self.t(AT_MOST), 62),
            Column::share(self.t(DECISION), 2),
            Column::points(self.t(words::OWNER), 84),
        ];
        let table = above.iter().take(self.most()).fold(Table::new(columns), |table, risk| {
            let level =
                |level: Option<RiskLevel>| level.map_or("–", |level| self.t(level.label())).to_owned();
            let cells = [
                format!("{} ({})", risk.name, self.t(risk.category.label())),
                level(risk.level),
                level(risk.exceeds),
                self.decision(risk),
                risk.owner.clone(),
            ];
            table.row(cells.map(Cell::from))
        });
        self.and_more(section.table(table), above.len(), self.most())
    }

    fn decision(&self, risk: &RiskNote) -> String {
        match risk.accepted_until {
            Some(day) => self.fill(ACCEPTED_UNTIL, &[("day", &self.day(day))]),
            None => format!("{}; {}", self.t(risk.status.label()), self.t(risk.treatment.label())),
        }
    }
}

fn is_above(risk: &RiskNote) -> bool {
    risk.exceeds.is_some() && risk.status.is_active()
}
