//! Where the frameworks are weakest, chapter by chapter.

use app::catalogue::compliance::{Coverage, Tally};
use domain::vocabulary::Framework;
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::compliance,
    route,
    texts::{dashboard as texts, reference},
    ui::{
        chart::{self, Part, Stack},
        table::Column,
    },
};

/// How many chapters are drawn, the weakest first.
const MOST: usize = 8;

struct Chapter<'c> {
    framework: Framework,
    title: &'c str,
    tally: Tally,
}

impl Board<'_> {
    pub(super) fn requirements(&self) -> Markup {
        let view = self.view;
        let chapters = self.weakest();
        if chapters.is_empty() {
            return html! { p.quiet { (self.t(texts::ALL_COVERED)) } };
        }
        let stacks: Vec<_> = chapters.iter().map(|chapter| self.stack(chapter)).collect();
        let columns = [
            Column::text(self.t(reference::SECTION)),
            Column::number(self.t(Coverage::Covered.label())),
            Column::number(self.t(Coverage::Partial.label())),
            Column::number(self.t(Coverage::Gap.label())),
        ];
        let rows: Vec<_> = chapters
            .iter()
            .map(|chapter| {
                let Tally { covered, partial, gap, .. } = chapter.tally;
                vec![
                    html! { a href=(compliance::framework_address(chapter.framework)) { (self.name(chapter)) } },
                    html! { (covered) },
                    html! { (partial) },
                    html! { (gap) },
                ]
            })
            .collect();
        let name = self.t(texts::REQUIREMENTS);
        html! {
            (chart::figure(view, name, &chart::stacks(name, &stacks), &columns, &rows))
            p { a href=(route::COMPLIANCE) { (self.t(texts::TO_COMPLIANCE)) } }
        }
    }

    fn weakest(&self) -> Vec<Chapter<'_>> {
        let edition = &self.dashboard.edition;
        let chapters = edition.compliance.frameworks.iter().flat_map(|status| {
            status.sections.iter().filter_map(|section| {
                let title = edition.sections.get(&section.section)?.title.get(self.view.language);
                Some(Chapter { framework: status.framework, title, tally: section.tally })
            })
        });
        let mut open: Vec<_> =
            chapters.filter(|chapter| chapter.tally.covered < chapter.tally.requirements).collect();
        open.sort_by_key(|chapter| (chapter.tally.coverage_pct(), chapter.tally.covered));
        open.truncate(MOST);
        open
    }

    fn name(&self, chapter: &Chapter<'_>) -> String {
        format!("{}: {}", self.t(chapter.framework.label()), chapter.title)
    }

    fn stack(&self, chapter: &Chapter<'_>) -> Stack {
        let Tally { covered, partial, gap, requirements } = chapter.tally;
        let part = |coverage: Coverage, count: u64| Part {
            label: self.t(coverage.label()).to_owned(),
            weight: count,
            shown: count.to_string(),
            tone: compliance::coverage_tone(coverage),
        };
        Stack {
            label: self.name(chapter),
            parts: vec![
                part(Coverage::Covered, covered),
                part(Coverage::Partial, partial),
                part(Coverage::Gap, gap),
            ],
            shown: self.view.fill(texts::MET_OF, &[("met", &covered), ("all", &requirements)]),
        }
    }
}
