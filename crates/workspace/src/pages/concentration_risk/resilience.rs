//! Beyond shares: substitutability, the supply chains of direct providers, locations, and dependence on designated
//! providers.

use app::analysis::{CommonNodeContent, FunctionContent, PlaceContent};
use domain::{
    arrangement::{Place, Substitutability},
    country::Country,
    rounding::Hundredths,
    vocabulary::Vocabulary as _,
    wording::Label,
};
use maud::{Markup, html};

use super::{blast, shares::Shown};
use crate::{
    extract::View,
    pages::ict_arrangements::substitutability_tone,
    texts::analysis as texts,
    ui::{
        self,
        badge::{Tone, badge},
        chart::{self, Bar, Part},
        table::{Column, table},
    },
};

impl Shown<'_> {
    pub(super) fn critical_functions(&self) -> Markup {
        let (view, critical) = (self.view, &self.analysis.content.critical_functions);
        if critical.functions == 0 {
            return html! {};
        }
        let degrees: Vec<_> = Substitutability::ALL
            .iter()
            .map(|degree| {
                let count = critical.by_substitutability.get(degree.as_str()).copied().unwrap_or_default();
                let label = view.t(degree.label()).to_owned();
                Part { label, weight: count, shown: count.to_string(), tone: substitutability_tone(*degree) }
            })
            .collect();
        let plans = [
            self.share_part(texts::WITH_PLAN, critical.with_exit_plan, Tone::Good),
            self.share_part(texts::WITHOUT_PLAN, critical.without_exit_plan, Tone::Critical),
            self.share_part(texts::UNKNOWN_PLAN, critical.exit_plan_unknown, Tone::Neutral),
        ];
        let locked = self.percent(critical.locked_in);
        let values: [(&str, &dyn std::fmt::Display); 2] =
            [("functions", &critical.functions), ("locked", &locked)];
        let part = html! {
            p { (view.fill(texts::RESILIENCE_HELP, &values)) }
            h3 { (view.t(texts::SUBSTITUTABILITY)) }
            (self.stacked(texts::SUBSTITUTABILITY, texts::DEGREE, &degrees))
            h3 { (view.t(texts::EXIT_PLANS)) }
            (self.stacked(texts::EXIT_PLANS, texts::EXIT_PLAN, &plans))
            (self.by_function())
        };
        ui::section(view.t(texts::RESILIENCE), &part)
    }

    /// Each critical function by its weakest arrangement.
    fn by_function(&self) -> Markup {
        let (view, functions) = (self.view, &self.analysis.content.critical_functions.by_function);
        if functions.is_empty() {
            return html! {};
        }
        let columns = [
            Column::text(view.t(texts::FUNCTION)),
            Column::tight(view.t(texts::DEGREE)),
            Column::tight(view.t(texts::EXIT_PLAN)),
            Column::number(view.t(texts::ARRANGEMENTS)),
        ];
        let row = |function: &FunctionContent| {
            let degree = Substitutability::find(&function.substitutability);
            let (label, tone) = match function.exit_plan {
                Some(true) => (texts::WITH_PLAN, Tone::Good),
                Some(false) => (texts::WITHOUT_PLAN, Tone::Critical),
                None => (texts::UNKNOWN_PLAN, Tone::Neutral),
            };
            vec![
                html! { (function.name) },
                degree.map_or_else(
                    || html! { (function.substitutability) },
                    |degree| badge(substitutability_tone(degree), view.t(degree.label())),
                ),
                badge(tone, view.t(label)),
                html! { (function.arrangements) },
            ]
        };
        let rows: Vec<_> = functions.iter().map(row).collect();
        html! {
            h3 { (view.t(texts::BY_FUNCTION)) }
            (table(view.t(texts::BY_FUNCTION), &columns, &rows))
        }
    }

    fn share_part(&self, label: Label, share: i64, tone: Tone) -> Part {
        let weight = u64::try_from(share).unwrap_or_default();
        Part { label: self.view.t(label).to_owned(), weight, shown: self.percent(share), tone }
    }

    fn stacked(&self, name: Label, heading: Label, parts: &[Part]) -> Markup {
        let (view, name) = (self.view, self.view.t(name));
        let columns = [Column::text(view.t(heading)), Column::number(view.t(texts::CRITICAL_FUNCTIONS))];
        let rows: Vec<_> =
            parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
        chart::figure(view, name, &chart::stack(name, parts), &columns, &rows)
    }

    pub(super) fn common_nodes(&self) -> Markup {
        let (view, nodes) = (self.view, &self.analysis.content.common_nodes);
        let columns = [
            Column::text(view.t(texts::NAME)),
            Column::text(view.t(texts::BEHIND)),
            Column::number(view.t(texts::CRITICAL_FUNCTIONS)),
            Column::number(view.t(texts::CRITICAL_SHARE)),
        ];
        let rows: Vec<_> = nodes.iter().map(|node| self.node(node)).collect();
        let part = html! {
            @if rows.is_empty() { p { (badge(Tone::Good, view.t(texts::NO_NODES))) } }
            @else {
                p { (view.t(texts::COMMON_NODES_HELP)) }
                (table(view.t(texts::COMMON_NODES), &columns, &rows))
            }
        };
        ui::section(view.t(texts::COMMON_NODES), &part)
    }

    fn node(&self, node: &CommonNodeContent) -> Vec<Markup> {
        vec![
            html! {
                a href=(blast::address_of(&node.name)) { (node.name) }
                @if node.also_direct { " " (badge(Tone::Notice, self.view.t(texts::ALSO_DIRECT))) }
            },
            html! { (node.behind.join(", ")) },
            html! { (node.critical_functions) },
            html! { (self.percent(node.critical_share)) },
        ]
    }

    pub(super) fn places(&self) -> Markup {
        let view = self.view;
        let part = html! {
            p { (view.t(texts::PLACES_HELP)) }
            @for place in &self.analysis.content.places { (self.place(place)) }
        };
        ui::section(view.t(texts::PLACES), &part)
    }

    fn place(&self, place: &PlaceContent) -> Markup {
        let view = self.view;
        let name = Place::find(&place.place).map_or(place.place.as_str(), |known| view.t(known.label()));
        let parts = [
            self.share_part(texts::EEA, place.eea, Tone::Good),
            self.share_part(texts::THIRD_COUNTRY, place.third_country, Tone::Warning),
            self.share_part(texts::UNKNOWN, place.unknown, Tone::Muted),
        ];
        let columns = [
            Column::text(view.t(texts::PLACE)),
            Column::number(view.t(texts::SHARE)),
            Column::number(view.t(texts::ARRANGEMENTS)),
            Column::number(view.t(texts::CRITICAL_FUNCTIONS)),
        ];
        let rows: Vec<_> = place
            .countries
            .iter()
            .map(|country| {
                vec![
                    html! { (named(view, &country.country)) },
                    html! { (self.percent(country.share)) },
                    html! { (country.arrangements) },
                    html! { (country.critical_functions) },
                ]
            })
            .collect();
        let critical = self.percent(place.third_country_critical);
        html! {
            h3 { (name) }
            (chart::figure(view, name, &chart::stack(name, &parts), &columns, &rows))
            @if place.third_country_critical > 0 {
                p.hint { (view.fill(texts::THIRD_COUNTRY_CRITICAL, &[("share", &critical)])) }
            }
        }
    }

    pub(super) fn designated(&self) -> Markup {
        let (view, designated) = (self.view, &self.analysis.content.designated);
        let measures = [
            (texts::DESIGNATED_SHARE, designated.share),
            (texts::CRITICAL_DIRECT, designated.critical_direct),
            (texts::CRITICAL_CHAIN, designated.critical_with_chain),
        ];
        let bars = measures.map(|(label, share)| Bar {
            label: view.t(label).to_owned(),
            percent: chart::share(Hundredths::new(share)),
            shown: self.percent(share),
            tone: Tone::Notice,
        });
        let title = view.t(texts::DESIGNATED);
        let part = html! {
            p { (view.t(texts::DESIGNATED_HELP)) }
            @if designated.providers.is_empty() && designated.critical_with_chain == 0 {
                p { (badge(Tone::Good, view.t(texts::NONE_DESIGNATED))) }
            } @else {
                (chart::bar_figure(view, title, [title, view.t(texts::SHARE)], &bars))
                @if !designated.providers.is_empty() {
                    p { (view.fill(texts::DESIGNATED_NAMES, &[("names", &designated.providers.join(", "))])) }
                }
            }
        };
        ui::section(title, &part)
    }
}

/// A country by its name, and its code.
fn named(view: &View, code: &str) -> String {
    code.parse::<Country>().map_or_else(|_| code.to_owned(), |country| country.named(view.language))
}
