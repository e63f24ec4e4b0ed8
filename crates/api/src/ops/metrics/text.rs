//! The text format of Prometheus: families with a help text and a type, samples with labels.

use std::fmt::{Display, Write as _};

use super::{Family, Value};

/// All families as a text.
pub(super) fn text(families: &[Family]) -> String {
    let mut text = Text::default();
    for family in families {
        text.family(family);
    }
    text.0
}

#[derive(Debug, Default)]
struct Text(String);

impl Text {
    fn family(&mut self, family: &Family) {
        let name = family.name;
        self.line(format_args!("# HELP {name} {}", family.help));
        self.line(format_args!("# TYPE {name} {}", family.kind.as_str()));
        for sample in &family.samples {
            let labels: Vec<(&str, &str)> =
                sample.labels.iter().map(|(label, text)| (*label, text.as_str())).collect();
            match &sample.value {
                Value::Number(number) => self.sample(name, &labels, number),
                Value::Histogram { ranges, sum } => self.histogram(name, &labels, ranges, *sum),
            }
        }
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(label, text)| format!("{label}=\"{}\"", escaped(text))).collect();
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    /// The samples of a histogram: counts by the upper bound of their bucket, then sum and count.
    fn histogram(&mut self, name: &str, labels: &[(&str, &str)], ranges: &[(Option<f64>, u64)], sum: f64) {
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
    use super::{
        super::{Kind, family::Families},
        *,
    };

    #[test]
    fn the_format_is_the_one_scrapers_read() {
        let mut families = Families::default();
        families.family("t_seconds", Kind::Histogram, "How long.");
        let ranges = [(Some(0.5), 2), (Some(1.0), 0), (None, 1)];
        families.histogram(&[("route", "/a\"b\\")], ranges.into_iter(), 3.25);
        assert_eq!(
            text(&families.finish()),
            "# HELP t_seconds How long.\n# TYPE t_seconds histogram\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"0.5\"} 2\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"1\"} 2\n\
             t_seconds_bucket{route=\"/a\\\"b\\\\\",le=\"+Inf\"} 3\n\
             t_seconds_sum{route=\"/a\\\"b\\\\\"} 3.25\nt_seconds_count{route=\"/a\\\"b\\\\\"} 3\n"
        );
    }
}
