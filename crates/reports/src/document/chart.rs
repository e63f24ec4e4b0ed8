//! Horizontal bar charts with an optional threshold.

use super::Tone;

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// The displayed value: `43.2 %`, `1.2 Mio. €`.
    pub display: String,
    pub tone: Tone,
}

/// A line across all bars: the limit of a share.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    pub label: String,
    pub value: f64,
}

/// Bars of one quantity. The exact figures belong in a table beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct BarChart {
    pub title: String,
    pub bars: Vec<Bar>,
    pub threshold: Option<Threshold>,
    /// The value at the right end of the scale; by default the longest bar decides.
    pub full_scale: Option<f64>,
    /// The alternative text for screen readers; by default it lists the figures.
    pub description: String,
}

impl BarChart {
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            bars: Vec::new(),
            threshold: None,
            full_scale: None,
            description: String::new(),
        }
    }

    #[must_use]
    pub fn bar(
        mut self,
        label: impl Into<String>,
        value: f64,
        display: impl Into<String>,
        tone: Tone,
    ) -> Self {
        self.bars.push(Bar { label: label.into(), value, display: display.into(), tone });
        self
    }

    #[must_use]
    pub fn threshold(mut self, label: impl Into<String>, value: f64) -> Self {
        self.threshold = Some(Threshold { label: label.into(), value });
        self
    }

    #[must_use]
    pub fn full_scale(mut self, value: f64) -> Self {
        self.full_scale = Some(value);
        self
    }

    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}
