//! The table of figures.

use std::fmt;

use serde_json::json;

/// One figure beside its goal.
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
    /// It has no goal.
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

    fn verdict(&self) -> &'static str {
        match (self.target, self.reached()) {
            (Target::Shown, _) => "–",
            (_, true) => "yes",
            (_, false) => "NO",
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
        writeln!(f, "{:<76} {:>10} {:<6} {:>7}  {:<8} note", "figure", "measured", "", "goal", "reached")?;
        for line in &self.0 {
            let Line { what, measured, unit, target, note } = line;
            let (goal, reached) = (target.to_string(), line.verdict());
            writeln!(f, "{what:<76} {measured:>10.2} {unit:<6} {goal:>7}  {reached:<8} {note}")?;
        }
        Ok(())
    }
}

/// The median of the rounds.
pub(crate) fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
