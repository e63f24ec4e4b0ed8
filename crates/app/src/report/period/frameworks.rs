//! How far the requirements of each framework are met and approved.

use domain::{
    assessment::{AssessmentStatus, AssessmentTally},
    format,
    framework::Framework,
    rounding::Hundredths,
    wording::Label,
};
use reports::document::{Align, BarChart, Cell, Column, Section, Table, Tone};

use super::{Paper, figures::Compared};
use crate::{
    assessment::{FrameworkSummary, PartSummary},
    report::words::word,
};

const LEAD: Label = word(
    "Of {applicable} applicable {applicable|requirement|requirements} of the frameworks under assessment, {met} {met|is|are} met and {approved} {approved|is|are} approved on {day}.",
    "Von {applicable} anwendbaren {applicable|Anforderung|Anforderungen} der bewerteten Rahmenwerke {met|ist|sind} am {day} {met} erfüllt und {approved} freigegeben.",
);
const NONE: Label = word("No requirement is assessed on {day}.", "Am {day} ist keine Anforderung bewertet.");
const FRAMEWORK: Label = word("Framework", "Rahmenwerk");
const SECTION: Label = word("Section", "Abschnitt");
const APPLICABLE: Label = word("Applicable", "Anwendbar");
const MET: Label = word("Met", "Erfüllt");
const APPROVED: Label = word("Approved", "Freigegeben");
const MET_BEFORE: Label = word("Met before", "Zuvor erfüllt");
const APPROVED_BEFORE: Label = word("Approved before", "Zuvor freigegeben");
const SHARE: Label = word(
    "Share of applicable requirements that are met",
    "Anteil der erfüllten an den anwendbaren Anforderungen",
);
const STATES: Label = word("By status", "Nach Status");
const SECTIONS: Label = word("By section", "Nach Abschnitt");
const IN_DOUBT: Label = word("In doubt", "Fraglich");
const NOTE: Label = word(
    "In doubt is what was approved on evidence that has expired. What applies follows from the profile.",
    "Fraglich ist, was auf Grundlage inzwischen abgelaufener Nachweise freigegeben wurde. Was anwendbar ist, folgt aus dem Profil.",
);

impl Paper<'_> {
    pub(super) fn frameworks(&self, section: Section) -> Section {
        let all = self.chosen_frameworks();
        let day = self.day(self.figures.period.until);
        if all.is_empty() {
            return section.lead(self.fill(NONE, &[("day", &day)]));
        }
        let mut whole = AssessmentTally::default();
        for both in &all {
            whole.join(&both.now.whole.tally);
        }
        let [applicable, met, approved] =
            [whole.applicable, met(&whole), whole.approved].map(|n| self.count(n));
        let values = [
            ("applicable", applicable.as_str()),
            ("met", met.as_str()),
            ("approved", approved.as_str()),
            ("day", day.as_str()),
        ];
        let parts = all
            .iter()
            .map(|both| (self.framework_title(both.now.framework), both.map(|summary| summary.whole.tally)));
        let parts: Vec<_> = parts.collect();
        let section = section
            .lead(self.fill(LEAD, &values))
            .table(self.tallies(FRAMEWORK, &parts))
            .chart(self.shares(&parts))
            .heading(self.t(STATES))
            .table(self.states(&parts));
        let section = if self.is_deep() { self.by_section(section, &all) } else { section };
        section.note(format!("{} {}", self.t(NOTE), self.holds()))
    }

    /// The frameworks under assessment, or the one that the report is about.
    fn chosen_frameworks(&self) -> Vec<&Compared<FrameworkSummary>> {
        let is_chosen = |both: &&Compared<FrameworkSummary>| {
            self.wish.framework.is_none_or(|framework| framework == both.now.framework)
        };
        self.figures.frameworks.iter().filter(is_chosen).collect()
    }

    fn framework_title(&self, framework: Framework) -> String {
        let known = self.ctx.edition.frameworks.get(framework.as_str());
        let title = known.map(|known| known.title.get(self.ctx.language).to_owned());
        title.filter(|title| title.chars().count() <= 40).unwrap_or_else(|| framework.name())
    }

    fn tallies(&self, first: Label, parts: &[(String, Compared<AssessmentTally>)]) -> Table {
        let figure = |label, points| Column::points(self.t(label), points).align(Align::End);
        let columns = [
            Column::share(self.t(first), 1).row_header(),
            figure(APPLICABLE, 66),
            figure(MET, 48),
            figure(MET_BEFORE, 54),
            figure(APPROVED, 70),
            figure(APPROVED_BEFORE, 70),
        ];
        parts.iter().fold(Table::new(columns), |table, (name, both)| {
            let Compared { now, before } = both;
            let figures = [now.applicable, met(now), met(before), now.approved, before.approved];
            let cells = figures.map(|figure| Cell::from(self.count(figure)));
            table.row([Cell::from(name.clone())].into_iter().chain(cells))
        })
    }

    fn shares(&self, parts: &[(String, Compared<AssessmentTally>)]) -> BarChart {
        let chart = BarChart::new(self.t(SHARE)).full_scale(100.0);
        parts.iter().fold(chart, |chart, (name, both)| {
            let share = both.now.met_pct().unwrap_or(Hundredths::new(0));
            #[expect(clippy::cast_precision_loss, reason = "at most 10,000 hundredths")]
            let value = share.get() as f64 / 100.0;
            chart.bar(name, value, format::percent(self.ctx.language, share), Tone::Notice)
        })
    }

    fn states(&self, parts: &[(String, Compared<AssessmentTally>)]) -> Table {
        let statuses = AssessmentStatus::ALL.iter().copied();
        let mut columns = vec![Column::share(self.t(FRAMEWORK), 1).row_header()];
        columns.extend(
            statuses.clone().map(|status| Column::points(self.t(status.label()), 62).align(Align::End)),
        );
        columns.push(Column::points(self.t(IN_DOUBT), 52).align(Align::End));
        parts.iter().fold(Table::new(columns), |table, (name, both)| {
            let tally = &both.now;
            let counts = statuses.clone().map(|status| tally.with_status(status)).chain([tally.in_doubt]);
            let cells = counts.map(|count| Cell::from(self.count(count)));
            table.row([Cell::from(name.clone())].into_iter().chain(cells))
        })
    }

    fn by_section(&self, section: Section, all: &[&Compared<FrameworkSummary>]) -> Section {
        all.iter().fold(section, |section, both| {
            let pairs = both.now.sections.iter().zip(&both.before.sections);
            let parts: Vec<_> = pairs
                .filter(|(now, _)| now.tally.applicable > 0)
                .map(|(now, before)| {
                    (self.section_title(now), Compared { now: now.tally, before: before.tally })
                })
                .collect();
            section
                .heading(format!("{}: {}", self.t(SECTIONS), self.framework_title(both.now.framework)))
                .table(self.tallies(SECTION, &parts))
        })
    }

    fn section_title(&self, part: &PartSummary) -> String {
        let known = self.ctx.edition.sections.iter().find(|section| *section.id == *part.id);
        known.map_or_else(|| part.id.clone(), |section| section.title.get(self.ctx.language).to_owned())
    }
}

fn met(tally: &AssessmentTally) -> u64 {
    tally.with_status(AssessmentStatus::Met)
}
