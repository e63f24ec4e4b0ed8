//! Lists of records. On a narrow screen each row becomes a card whose cells carry the column's name; the roles keep
//! it a table for those who hear it. What a cell holds is one block, which stays together beside that name.

use maud::{Markup, html};

/// The head of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'c> {
    text: &'c str,
    class: Option<&'static str>,
}

impl<'c> Column<'c> {
    pub(crate) fn text(text: &'c str) -> Self {
        Self { text, class: None }
    }

    /// Digits under digits.
    pub(crate) fn number(text: &'c str) -> Self {
        Self { text, class: Some("number") }
    }

    /// As narrow as what it holds.
    pub(crate) fn tight(text: &'c str) -> Self {
        Self { text, class: Some("tight") }
    }

    /// Buttons, at the end of the row.
    pub(crate) fn actions(text: &'c str) -> Self {
        Self { text, class: Some("actions") }
    }
}

/// The first cell of a row names it.
pub(crate) fn table(caption: &str, columns: &[Column<'_>], rows: &[Vec<Markup>]) -> Markup {
    html! {
        table.list role="table" {
            caption.unseen { (caption) }
            thead role="rowgroup" {
                tr role="row" {
                    @for column in columns {
                        th scope="col" role="columnheader" class=[column.class] {
                            span.unseen[column.class == Some("actions")] { (column.text) }
                        }
                    }
                }
            }
            tbody role="rowgroup" {
                @for row in rows { tr role="row" { (cells(columns, row)) } }
            }
        }
    }
}

fn cells(columns: &[Column<'_>], row: &[Markup]) -> Markup {
    html! {
        @for (number, (column, cell)) in columns.iter().zip(row).enumerate() {
            @if number == 0 {
                th scope="row" role="rowheader" class=[column.class] data-label=(column.text) { (cell) }
            } @else {
                td role="cell" class=[column.class] data-label=(column.text) { div { (cell) } }
            }
        }
    }
}
