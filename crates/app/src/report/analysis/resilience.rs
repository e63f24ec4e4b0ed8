//! The parts of the report beyond shares: substitutability, and the supply chains of direct providers.

use domain::{
    arrangement::{Place, Substitutability},
    vocabulary::Vocabulary as _,
};
use reports::document::{Align, BarChart, Cell, Column, Section, Table, Tone};

use super::{Paper, length, shared, words};
use crate::analysis::FunctionContent;

impl Paper<'_> {
    pub(super) fn critical_functions(&self) -> Section {
        let critical = &self.analysis.content.critical_functions;
        let facts = [
            self.ctx.pair(words::CRITICAL_FUNCTIONS, critical.functions.to_string()),
            self.ctx.pair(words::LOCKED_IN, self.percent(critical.locked_in)),
        ];
        let degrees = Substitutability::ALL.iter().fold(
            BarChart::new(self.t(words::SUBSTITUTABILITY)),
            |chart, degree| {
                let count = critical.by_substitutability.get(degree.as_str()).copied().unwrap_or_default();
                let size = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
                chart.bar(self.t(degree.label()), size, count.to_string(), degree.tone())
            },
        );
        let plans = [
            (words::WITH_PLAN, critical.with_exit_plan, Tone::Good),
            (words::WITHOUT_PLAN, critical.without_exit_plan, Tone::Critical),
            (words::UNKNOWN_PLAN, critical.exit_plan_unknown, Tone::Neutral),
        ];
        let plans = plans.into_iter().fold(
            BarChart::new(self.t(words::EXIT_PLANS)).full_scale(100.0),
            |chart, (label, share, tone)| chart.bar(self.t(label), length(share), self.percent(share), tone),
        );
        let section =
            Section::new(self.t(words::CRITICAL_FUNCTIONS)).key_values(facts).chart(degrees).chart(plans);
        self.by_function(section)
    }

    /// Each critical function by its weakest arrangement; analyses of before do not contain them.
    fn by_function(&self, section: Section) -> Section {
        let critical = &self.analysis.content.critical_functions;
        if critical.by_function.is_empty() {
            return section;
        }
        let columns = [
            Column::share(self.t(words::FUNCTION), 1).row_header(),
            Column::points(self.t(words::DEGREE), 84),
            Column::points(self.t(words::EXIT_PLAN), 118),
            Column::points(self.t(words::ARRANGEMENTS), 84).align(Align::End),
        ];
        let table = Table::new(columns).caption(self.t(words::BY_FUNCTION));
        let table =
            critical.by_function.iter().fold(table, |table, function| table.row(self.function(function)));
        let listed = u64::try_from(critical.by_function.len()).unwrap_or(u64::MAX);
        match critical.functions.saturating_sub(listed) {
            0 => section.table(table),
            rest => section.table(table).note(format!("{rest} {}", self.t(words::MORE_FUNCTIONS))),
        }
    }

    fn function(&self, function: &FunctionContent) -> [Cell; 4] {
        let (plan, tone) = match function.exit_plan {
            Some(true) => (words::WITH_PLAN, Tone::Good),
            Some(false) => (words::WITHOUT_PLAN, Tone::Critical),
            None => (words::UNKNOWN_PLAN, Tone::Neutral),
        };
        let degree = Substitutability::find(&function.substitutability);
        [
            function.name.as_str().into(),
            degree.map_or_else(
                || function.substitutability.as_str().into(),
                |degree| Cell::badge(degree.tone(), self.t(degree.label())),
            ),
            Cell::badge(tone, self.t(plan)),
            function.arrangements.to_string().into(),
        ]
    }

    pub(super) fn common_nodes(&self) -> Section {
        let columns = [
            Column::share(self.t(words::NAME), 1).row_header(),
            Column::share(self.t(words::BEHIND), 2),
            Column::points(self.t(words::CRITICAL_FUNCTIONS), 62).align(Align::End),
            Column::points(self.t(words::OF_CRITICAL), 62).align(Align::End),
        ];
        let empty = Table::new(columns).empty_text(self.t(shared::NONE));
        let table = self.analysis.content.common_nodes.iter().fold(empty, |table, node| {
            table.row([
                node.name.clone(),
                node.behind.join(", "),
                node.critical_functions.to_string(),
                self.percent(node.critical_share),
            ])
        });
        Section::new(self.t(words::NODES)).note(self.t(words::NODES_NOTE)).table(table)
    }

    pub(super) fn places(&self) -> Section {
        let columns = [
            Column::share(self.t(words::PLACE), 1).row_header(),
            Column::points(self.t(words::EEA), 72).align(Align::End),
            Column::points(self.t(words::THIRD_COUNTRY), 72).align(Align::End),
            Column::points(self.t(words::UNKNOWN), 72).align(Align::End),
            Column::points(self.t(words::THIRD_COUNTRY_CRITICAL), 110).align(Align::End),
        ];
        let table = self.analysis.content.places.iter().fold(Table::new(columns), |table, place| {
            let name = Place::find(&place.place).map_or(place.place.as_str(), |known| self.t(known.label()));
            table.row([
                name.to_owned(),
                self.percent(place.eea),
                self.percent(place.third_country),
                self.percent(place.unknown),
                self.percent(place.third_country_critical),
            ])
        });
        Section::new(self.t(words::PLACES)).table(table)
    }

    pub(super) fn designated(&self) -> Section {
        let designated = &self.analysis.content.designated;
        let named = match designated.providers.as_slice() {
            [] => self.t(shared::NONE).to_owned(),
            providers => providers.join(", "),
        };
        let facts = [
            self.ctx.pair(words::SHARE, self.percent(designated.share)),
            self.ctx.pair(words::CRITICAL_DIRECT, self.percent(designated.critical_direct)),
            self.ctx.pair(words::CRITICAL_CHAIN, self.percent(designated.critical_with_chain)),
            self.ctx.pair(words::PROVIDERS, named),
        ];
        Section::new(self.t(words::DESIGNATED)).note(self.t(words::DESIGNATED_NOTE)).key_values(facts)
    }
}
