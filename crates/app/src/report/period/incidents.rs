//! The incidents of the period, and whether their clocks were kept.

use domain::{tone::Tone, wording::Label};
use reports::document::{BarChart, Section};

use super::Paper;
use crate::report::{board, words::word};

const CLOCKS: Label =
    word("Clocks of statutory reports in this period", "Fristen gesetzlicher Meldungen in diesem Zeitraum");
const KEPT: Label = word("Kept", "Eingehalten");
const MISSED: Label = word("Missed", "Versäumt");
const RUNNING: Label = word("Still due", "Noch ausstehend");
const HOLDS: Label = word(
    "Incidents of {period}, compared with {before}, as they stand on {day}. What is open is open on that day.",
    "Vorfälle von {period}, verglichen mit {before}, mit dem Stand vom {day}. Was offen ist, ist an diesem Tag offen.",
);

impl Paper<'_> {
    pub(super) fn incidents(&self) -> Section {
        let (figures, counted) = (self.figures, &self.figures.incidents.figures);
        let mut section = board::incidents(self.ctx, &figures.incidents);
        let bars = [
            (KEPT, counted.reports_in_time, Tone::Good),
            (MISSED, counted.reports_late, Tone::Critical),
            (RUNNING, counted.reports_owed, Tone::Notice),
        ];
        if bars.iter().any(|(_, count, _)| *count > 0) {
            section = section.chart(bars.iter().fold(
                BarChart::new(self.t(CLOCKS)),
                |chart, (name, count, tone)| {
                    #[expect(clippy::cast_precision_loss, reason = "a number of reports")]
                    chart.bar(self.t(*name), *count as f64, self.count(*count), *tone)
                },
            ));
        }
        let values = [
            ("period", self.span(figures.period)),
            ("before", self.span(figures.before)),
            ("day", self.day(figures.today)),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        section.note(self.fill(HOLDS, &values))
    }
}
