//! A matrix of cells, likelihood upwards and impact to the right. It is a table already, so it needs no other.

use maud::{Markup, html};

use crate::ui::badge::{Tone, mark};

/// One cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) tone: Tone,
    /// What the tone means.
    pub(crate) level: &'static str,
    pub(crate) count: usize,
    /// The address of the list of the counted records.
    pub(crate) address: String,
    /// The name of the cell for screen readers.
    pub(crate) name: String,
}

/// Rows from top to bottom, each with its name and its cells from left to right.
#[derive(Debug)]
pub(crate) struct Matrix<'m> {
    pub(crate) caption: &'m str,
    /// The names of the vertical and the horizontal axis.
    pub(crate) axes: [&'m str; 2],
    pub(crate) columns: Vec<&'m str>,
    pub(crate) rows: Vec<(&'m str, Vec<Cell>)>,
}

pub(crate) fn matrix(matrix: &Matrix<'_>) -> Markup {
    let [upwards, rightwards] = matrix.axes;
    let highest = matrix.rows.len();
    html! {
        table.matrix {
            caption.unseen { (matrix.caption) }
            thead {
                tr {
                    th scope="col" { (upwards) " / " (rightwards) }
                    @for (step, column) in (1..).zip(&matrix.columns) { th scope="col" { (head(step, column)) } }
                }
            }
            tbody {
                @for (row, (name, cells)) in matrix.rows.iter().enumerate() {
                    tr { th scope="row" { (head(highest - row, name)) } @for cell in cells { (field(cell)) } }
                }
            }
        }
        (key(upwards, matrix.rows.iter().rev().map(|(name, _)| *name)))
        (key(rightwards, matrix.columns.iter().copied()))
    }
}

/// The word for a step, and its number if there is no room for the word.
fn head(step: usize, name: &str) -> Markup {
    html! { span.matrix-word { (name) } span.matrix-step { (step) } }
}

/// The meaning of the numbers; shown only where they replace the words.
fn key<'m>(axis: &str, names: impl Iterator<Item = &'m str>) -> Markup {
    html! {
        p.matrix-key {
            (axis) ": "
            @for (step, name) in (1..).zip(names) { @if step > 1 { ", " } (step) " " (name) }
        }
    }
}

fn field(cell: &Cell) -> Markup {
    html! {
        td class=(cell.tone.as_str()) {
            @if cell.count > 0 {
                a href=(cell.address) {
                    (mark(cell.tone)) (cell.count) span.unseen { ", " (cell.name) ", " (cell.level) }
                }
            } @else {
                span.unseen { "0, " (cell.level) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_leads_to_what_it_counts() {
        let cell = |count| Cell {
            tone: Tone::Critical,
            level: "Critical",
            count,
            address: "/workspace/risk-register?impact=5".into(),
            name: "impact 5".into(),
        };
        let drawn = matrix(&Matrix {
            caption: "Risks",
            axes: ["Likelihood", "Impact"],
            columns: vec!["Low", "High"],
            rows: vec![("Rare", vec![cell(0), cell(3)])],
        });
        let drawn = drawn.into_string();
        assert_eq!(drawn.matches("<a ").count(), 1, "{drawn}");
        assert!(drawn.contains("3<span class=\"unseen\">, impact 5, Critical</span>"), "{drawn}");
        assert!(drawn.contains("Impact: 1 Low, 2 High"), "a key for narrow screens: {drawn}");
    }
}
