//! The parts of the report beyond shares: substitutability, and the supply chains of direct providers.

use domain::{
    arrangement::{Place, Substitutability},
    vocabulary::Vocabulary as _,
};
use reports::document::{Align, BarChart, Column, Section, Table, Tone};

use super::{Paper, length, shared, words};

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
                chart.bar(self.t(degree.label()), size, count.to_string(), degree_tone(*degree))
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
        Section::new(self.t(words::CRITICAL_FUNCTIONS)).key_values(facts).chart(degrees).chart(plans)
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

fn degree_tone(degree: Substitutability) -> Tone {
    match degree {
        Substitutability::Easy => Tone::Good,
        Substitutability::Medium => Tone::Notice,
        Substitutability::Hard => Tone::Warning,
        Substitutability::Impossible => Tone::Critical,
    }
}
