//! Open findings by severity and by age.

use app::dashboard::AGE_DAYS;
use domain::{
    finding::{Finding, FindingStatus},
    vocabulary::Severity,
};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::record,
    texts::dashboard as texts,
    ui::{
        badge::Tone,
        chart::{self, Bar, Part},
        table::Column,
    },
};

/// The older, the stronger the tone.
const AGE_TONES: [Tone; 4] = [Tone::Good, Tone::Notice, Tone::Warning, Tone::Critical];

impl Board<'_> {
    pub(super) fn findings(&self) -> Option<Markup> {
        if self.dashboard.findings.total() == 0 {
            return None;
        }
        if self.dashboard.findings.open() == 0 {
            return Some(html! { p.quiet { (self.t(texts::NO_FINDINGS)) } });
        }
        Some(html! {
            (self.by_severity())
            @if self.all {
                h3 { (self.t(texts::BY_AGE)) }
                (self.by_age())
            }
        })
    }

    fn by_severity(&self) -> Markup {
        let (view, open) = (self.view, self.dashboard.findings.open());
        let bars: Vec<_> = Severity::ALL
            .iter()
            .map(|severity| {
                let count = self.dashboard.findings.matching(FindingStatus::is_open, Some(*severity));
                Bar {
                    label: view.t(severity.label()).to_owned(),
                    percent: chart::percent(count, open),
                    shown: count.to_string(),
                    tone: if count == 0 { Tone::Muted } else { record::severity_tone(*severity) },
                }
            })
            .collect();
        let heading = [self.t(Finding::SEVERITY.label), self.t(texts::OPEN_FINDINGS)];
        chart::bar_figure(view, self.t(texts::BY_SEVERITY), heading, &bars)
    }

    /// All severities together in the bar, each of them in the table.
    fn by_age(&self) -> Markup {
        let names = self.age_names();
        let count = |group: usize| self.dashboard.ages.iter().map(|ages| ages.groups[group]).sum::<u64>();
        let parts: Vec<_> = (0..)
            .zip(&names)
            .zip(AGE_TONES)
            .map(|((group, label), tone)| {
                let count = count(group);
                Part { label: label.clone(), weight: count, shown: count.to_string(), tone }
            })
            .collect();
        let mut columns = vec![Column::text(self.t(Finding::SEVERITY.label))];
        columns.extend(names.iter().map(|name| Column::number(name)));
        let rows: Vec<_> = self
            .dashboard
            .ages
            .iter()
            .map(|ages| {
                let mut cells = vec![html! { (self.t(ages.severity.label())) }];
                cells.extend(ages.groups.map(|count| html! { (count) }));
                cells
            })
            .collect();
        let name = self.t(texts::BY_AGE);
        chart::figure(self.view, name, &chart::stack(name, &parts), &columns, &rows)
    }

    fn age_names(&self) -> Vec<String> {
        let up_to = AGE_DAYS.map(|days| self.view.fill(texts::UP_TO_DAYS, &[("days", &days)]));
        let oldest = AGE_DAYS.last().map(|days| self.view.fill(texts::OVER_DAYS, &[("days", days)]));
        up_to.into_iter().chain(oldest).collect()
    }
}
