//! The table of figures.

use std::fmt;

use serde_json::json;

/// One figure beside its target.
#[derive(Debug)]
struct Line {
    what: String,
    measured: f64,
    unit: &'static str,
    target: Target,
    note: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// It has no target.
    Shown,
}

#[derive(Debug, Default)]
pub(crate) struct Report(Vec<Line>);

impl Report {
    pub(crate) fn add(
        &mut self,
        what: &str,
        measured: f64,
        unit: &'static str,
        target: Target,
        note: String,
    ) {
        self.0.push(Line { what: what.to_owned(), measured, unit, target, note });
    }

    pub(crate) fn all_reached(&self) -> bool {
        self.0.iter().all(Line::reached)
    }

    pub(crate) fn json(&self) -> String {
        let lines: Vec<_> = self
            .0
            .iter()
            .map(|line| {
                json!({ "what": line.what, "measured": line.measured, "unit": line.unit,
                        "target": line.target.to_string(), "reached": line.reached(), "note": line.note })
            })
            .collect();
        serde_json::to_string_pretty(&lines).unwrap()
    }
}

impl Line {
    fn reached(&self) -> bool {
        match self.target {
            Target::AtLeast(bound) => self.measured >= bound,
            Target::AtMost(bound) => self.measured <= bound,
            Target::Shown => true,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "≥ {bound}"),
            Self::AtMost(bound) => write!(f, "≤ {bound}"),
            Self::Shown => f.write_str("–"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<62} {:>10} {:<6} {:>9}  ", "what", "measured", "", "target")?;
        for line in &self.0 {
            let verdict = if line.reached() { "ok" } else { "MISSED" };
            let target = line.target.to_string();
            writeln!(
                f,
                "{:<62} {:>10.2} {:<6} {target:>9}  {verdict}  {}",
                line.what, line.measured, line.unit, line.note
            )?;
        }
        Ok(())
    }
}

/// The median of the rounds.
pub(crate) fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
