//! What a report has to say, collected from the answers of the API.

use domain::{
    format,
    moment::Day,
    wording::{Label, Language},
};
use serde_json::Value;

/// What the report has to say, and the texts of records that may hold digits of their own.
pub(super) struct Expected {
    pub(super) language: Language,
    pub(super) rows: Vec<String>,
    pub(super) names: Vec<String>,
}

impl Expected {
    pub(super) fn t(&self, label: Label) -> &'static str {
        label.text(self.language)
    }

    pub(super) fn n(&self, number: u64) -> String {
        format::count(self.language, number)
    }

    pub(super) fn pick(&self, english: &'static str, german: &'static str) -> &'static str {
        Label::new(english, german).text(self.language)
    }

    pub(super) fn day(&self, day: &str) -> String {
        format::day(self.language, day.parse::<Day>().unwrap())
    }

    /// A row of a table that compares two days or two periods.
    pub(super) fn row(&mut self, label: &str, now: u64, before: u64) {
        let change = i128::from(now) - i128::from(before);
        let change = if change == 0 { "±0".to_owned() } else { format!("{change:+}") };
        self.rows.push(format!("{label} {} {} {change}", self.n(now), self.n(before)));
    }

    /// A bar of a chart.
    pub(super) fn bar(&mut self, label: &str, shown: &str) {
        self.rows.push(format!("{label} {shown}"));
    }

    pub(super) fn name(&mut self, rows: &[Value], fields: &[&str]) {
        for row in rows {
            self.names.extend(fields.iter().filter_map(|field| row[*field].as_str().map(squeezed)));
        }
    }
}

pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn within(at: Option<&str>, from: &str, until: &str) -> bool {
    at.is_some_and(|day| (from..=until).contains(&day))
}
