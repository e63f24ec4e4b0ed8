//! The text format: families with a help text and a type, samples with labels.

use std::fmt::{Display, Write as _};

#[derive(Debug, Default)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn finish(self) -> String {
        self.0
    }

    /// Begins a family of samples.
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str) {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(label, text)| format!("{label}=\"{}\"", escaped(text))).collect();
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    /// A family with one sample and no label.
    pub(super) fn single(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.family(name, kind, help);
        self.sample(name, &[], value);
    }

    /// The samples of a histogram: counts by the upper bound of their bucket, then sum and count.
    pub(super) fn histogram(
        &mut self,
        name: &str,
        labels: &[(&str, &str)],
        ranges: impl Iterator<Item = (Option<f64>, u64)>,
        sum: f64,
    ) {
        let mut seen = 0;
        for (end, count) in ranges {
            seen += count;
            let end = end.map_or_else(|| "+Inf".to_owned(), |end| end.to_string());
            let labels: Vec<_> = labels.iter().copied().chain([("le", end.as_str())]).collect();
            self.sample(&format!("{name}_bucket"), &labels, seen);
        }
        self.sample(&format!("{name}_sum"), labels, sum);
        self.sample(&format!("{name}_count"), labels, seen);
    }

    fn line(&mut self, line: impl Display) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "{line}");
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_the_one_scrapers_read() {
        let mut text = Text::default();
        text.family("t_seconds", "histogram", "How long.");
        let ranges = [(Some(0.5), 2), (Some(1.0), 0), (None, 1)];
        text.histogram("t_seconds", &[("route", "/a\"b\\")], ranges.into_iter(), 3.25);
        assert_eq!(
            text.finish(),
            "# HELP t_seconds How long.\n# TYPE t_seconds histogram\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"0.5\"} 2\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"1\"} 2\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"+Inf\"} 3\n\
             t_seconds_sum{route=\"/a\\\"b\\\\\"} 3.25\nt_seconds_count{route=\"/a\\\"b\\\\\"} 3\n"
        );
    }
}
