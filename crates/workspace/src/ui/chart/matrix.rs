//! A square of fields, likelihood upwards and impact to the right. It is a table already, so it needs none behind it.

use maud::{Markup, html};

use crate::ui::badge::{Tone, mark};

/// One field.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) tone: Tone,
    /// What the tone means.
    pub(crate) level: &'static str,
    pub(crate) count: usize,
    /// Where the things counted are listed.
    pub(crate) address: String,
    /// Names the field for those who hear it.
    pub(crate) name: String,
}

/// Rows from top to bottom, each with its name and its fields from left to right.
#[derive(Debug)]
pub(crate) struct Matrix<'m> {
    pub(crate) caption: &'m str,
    /// What goes up and what goes to the right.
    pub(crate) corner: String,
    pub(crate) columns: Vec<&'m str>,
    pub(crate) rows: Vec<(&'m str, Vec<Cell>)>,
}

pub(crate) fn matrix(matrix: &Matrix<'_>) -> Markup {
    html! {
        table.matrix {
            caption.unseen { (matrix.caption) }
            thead {
                tr {
                    th scope="col" { (matrix.corner) }
                    @for column in &matrix.columns { th scope="col" { (column) } }
                }
            }
            tbody {
                @for (name, cells) in &matrix.rows {
                    tr { th scope="row" { (name) } @for cell in cells { (field(cell)) } }
                }
            }
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
            corner: "Likelihood / Impact".into(),
            columns: vec!["Low", "High"],
            rows: vec![("Rare", vec![cell(0), cell(3)])],
        });
        let drawn = drawn.into_string();
        assert_eq!(drawn.matches("<a ").count(), 1, "{drawn}");
        assert!(drawn.contains("3<span class=\"unseen\">, impact 5, Critical</span>"), "{drawn}");
    }
}
