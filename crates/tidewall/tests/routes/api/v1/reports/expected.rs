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

    /// Every expected row is in the text, and every number of the text is one of them, of a name, a day or a page.
    pub(super) fn check(mut self, whole: &str, file: &str) {
        // The table of contents holds numbers of pages alone.
        let (cover, rest) = whole.split_once(self.pick("Contents", "Inhalt")).unwrap();
        let (_, rest) = rest.split_once(self.pick("Page 2 of ", "Seite 2 von ")).unwrap();
        let whole = format!("{cover}{}", rest.split_once(' ').unwrap().1);
        let mut rest = whole.clone();
        let mut missing = Vec::new();
        // The longest first, so that no row is found within another one.
        self.rows.sort_by_key(|row| std::cmp::Reverse(row.len()));
        for row in &self.rows {
            let row = squeezed(row);
            match rest.find(&row) {
                Some(_) => rest = rest.replacen(&row, " | ", 1),
                None => missing.push(row),
            }
        }
        self.names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for name in self.names.iter().filter(|name| name.chars().any(|c| c.is_ascii_digit())) {
            rest = rest.replace(name, " | ");
        }
        let tokens: Vec<&str> = rest.split_whitespace().collect();
        let strange: Vec<String> = (0..tokens.len())
            .filter(|place| {
                tokens[*place].chars().any(|c| c.is_ascii_digit()) && !is_accounted(&tokens, *place)
            })
            .map(|place| tokens[place.saturating_sub(4)..(place + 3).min(tokens.len())].join(" "))
            .collect();
        assert!(
            missing.is_empty() && strange.is_empty(),
            "not in the report: {missing:#?}\nnot from the API: {strange:#?}\n{file}\n{whole}"
        );
    }

    pub(super) fn name(&mut self, rows: &[Value], fields: &[&str]) {
        for row in rows {
            self.names.extend(fields.iter().filter_map(|field| row[*field].as_str().map(squeezed)));
        }
    }
}

/// The verb that agrees with a number as it is written.
pub(super) fn verb(number: &str, one: &'static str, many: &'static str) -> &'static str {
    if number == "1" { one } else { many }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn within(at: Option<&str>, from: &str, until: &str) -> bool {
    at.is_some_and(|day| (from..=until).contains(&day))
}

/// Numbers that are part of a day, a time, a reference, an article or the place of a page.
fn is_accounted(tokens: &[&str], place: usize) -> bool {
    let token = tokens[place].trim_matches(|c: char| "(),.;:„“".contains(c));
    let at = |offset: isize| {
        let place = place.checked_add_signed(offset).and_then(|place| tokens.get(place));
        place.map_or("", |token| token.trim_matches(|c: char| "(),.;:".contains(c)))
    };
    let month = |word: &str| {
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].contains(&word)
    };
    let digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let english_day = digits(token) && (month(at(1)) || month(at(-1)));
    let german_day = token.len() == 10 && token.matches('.').count() == 2;
    let time = token.len() == 5 && token.as_bytes()[2] == b':';
    let reference = token.contains('-') && token.starts_with(|c: char| c.is_ascii_uppercase());
    let article = ["Art", "Abs"].contains(&at(-1)) || token.starts_with("24(") || token.starts_with("5(");
    let page = ["Page", "Seite", "of", "von"].contains(&at(-1))
        && (at(-2) != "of" && at(-2) != "von")
        && (["Page", "Seite"].contains(&at(-1)) || ["Page", "Seite"].contains(&at(-3)));
    english_day || german_day || time || reference || article || page
}
