//! Metrics as values, from which the text for Prometheus and the message for a collector are made.

/// How the samples of a family change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only grows while the process runs.
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Samples with one name and different labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    pub name: &'static str,
    pub kind: Kind,
    pub help: &'static str,
    pub samples: Vec<Sample>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub labels: Vec<(&'static str, String)>,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    /// The upper bound of each bucket, absent for the last, and its count; then the sum of all values.
    Histogram {
        ranges: Vec<(Option<f64>, u64)>,
        sum: f64,
    },
}

/// A count or a measurement.
pub(super) trait Number {
    fn number(self) -> f64;
}

impl Number for u8 {
    fn number(self) -> f64 {
        f64::from(self)
    }
}

impl Number for u64 {
    #[expect(clippy::cast_precision_loss, reason = "metrics are numbers with a fraction")]
    fn number(self) -> f64 {
        self as f64
    }
}

impl Number for usize {
    fn number(self) -> f64 {
        (self as u64).number()
    }
}

impl Number for f64 {
    fn number(self) -> f64 {
        self
    }
}

/// The families of one moment.
#[derive(Debug, Default)]
pub(super) struct Families(Vec<Family>);

impl Families {
    pub(super) fn finish(self) -> Vec<Family> {
        self.0
    }

    /// Begins a family of samples.
    pub(super) fn family(&mut self, name: &'static str, kind: Kind, help: &'static str) {
        self.0.push(Family { name, kind, help, samples: Vec::new() });
    }

    /// A sample of the family that was begun last.
    pub(super) fn sample(&mut self, labels: &[(&'static str, &str)], value: impl Number) {
        self.add(labels, Value::Number(value.number()));
    }

    /// A family with one sample and no label.
    pub(super) fn single(&mut self, name: &'static str, kind: Kind, help: &'static str, value: impl Number) {
        self.family(name, kind, help);
        self.sample(&[], value);
    }

    /// A gauge without a label. The family is listed even when its value is not known.
    pub(super) fn measured(&mut self, name: &'static str, help: &'static str, value: Option<impl Number>) {
        self.family(name, Kind::Gauge, help);
        if let Some(value) = value {
            self.sample(&[], value);
        }
    }

    /// The buckets of a histogram and the sum of its values.
    pub(super) fn histogram(
        &mut self,
        labels: &[(&'static str, &str)],
        ranges: impl Iterator<Item = (Option<f64>, u64)>,
        sum: f64,
    ) {
        self.add(labels, Value::Histogram { ranges: ranges.collect(), sum });
    }

    fn add(&mut self, labels: &[(&'static str, &str)], value: Value) {
        let labels = labels.iter().map(|(label, text)| (*label, (*text).to_owned())).collect();
        if let Some(family) = self.0.last_mut() {
            family.samples.push(Sample { labels, value });
        }
    }
}
