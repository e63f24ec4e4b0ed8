//! The trainings of the management body, beside those of all people.

use domain::{format, rounding::Hundredths, training::TrainingState, wording::Label};
use reports::document::{BarChart, Section, Tone};

use super::{
    Paper,
    figures::{Compared, TrainingNote},
    words,
};
use crate::report::words::word;

const LEAD: Label = word(
    "On {day}, {passed} of {all} {all|training|trainings} of the management body {passed|is|are} passed; {late} {late|is|are} late.",
    "Am {day} {passed|ist|sind} {passed} von {all} {all|Schulung|Schulungen} des Leitungsorgans bestanden; {late} {late|ist|sind} überfällig.",
);
const NONE: Label = word("No training is assigned on {day}.", "Am {day} ist keine Schulung zugewiesen.");
const MEMBERS: Label = word("Management body (DORA Art. 5(4))", "Leitungsorgan (Art. 5 Abs. 4 DORA)");
const ALL: Label = word("All people", "Alle Personen");
const SHARE: Label = word("Share of trainings that are passed", "Anteil der bestandenen Schulungen");

impl Paper<'_> {
    pub(super) fn trainings(&self, section: Section) -> Section {
        let day = self.day(self.figures.period.until);
        if self.figures.trainings.now.is_empty() {
            return section.lead(self.fill(NONE, &[("day", &day)])).note(self.holds());
        }
        let of = |state| self.training_count(true, Some(state)).now;
        let all = self.training_count(true, None).now;
        let [passed, all, late] =
            [of(TrainingState::Passed), all, of(TrainingState::Late)].map(|number| self.count(number));
        let values = [
            ("day", day.as_str()),
            ("passed", passed.as_str()),
            ("all", all.as_str()),
            ("late", late.as_str()),
        ];
        section
            .lead(self.fill(LEAD, &values))
            .heading(self.t(MEMBERS))
            .table(self.of_days(words::STATUS, &self.training_rows(true)))
            .heading(self.t(ALL))
            .table(self.of_days(words::STATUS, &self.training_rows(false)))
            .chart(self.training_chart())
            .note(self.holds())
    }

    fn training_count(&self, members: bool, state: Option<TrainingState>) -> Compared<u64> {
        let counts =
            |one: &&TrainingNote| (one.is_member || !members) && state.is_none_or(|state| state == one.state);
        self.figures.trainings.map(|all| all.iter().filter(counts).count() as u64)
    }

    fn training_rows(&self, members: bool) -> Vec<(String, Compared<u64>)> {
        let states = TrainingState::ALL.iter();
        let states = states
            .map(|state| (self.t(state.label()).to_owned(), self.training_count(members, Some(*state))));
        states.chain([(self.t(words::TOTAL).to_owned(), self.training_count(members, None))]).collect()
    }

    fn training_chart(&self) -> BarChart {
        let bars = [(MEMBERS, true), (ALL, false)];
        bars.into_iter().fold(BarChart::new(self.t(SHARE)).full_scale(100.0), |chart, (name, members)| {
            let all = self.training_count(members, None).now;
            let passed = self.training_count(members, Some(TrainingState::Passed)).now;
            let share = Hundredths::percent(passed, all.max(1));
            #[expect(clippy::cast_precision_loss, reason = "at most 10,000 hundredths")]
            chart.bar(
                self.t(name),
                share.get() as f64 / 100.0,
                format::percent(self.ctx.language, share),
                Tone::Notice,
            )
        })
    }
}
