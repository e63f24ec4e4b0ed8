//! Tables of records. On a narrow screen each row becomes a card whose cells contain the column's name; the roles
//! keep it a table for screen readers. The content of a cell is one block, which stays together beside that name.

use maud::{Markup, html};

/// The header of a column.
#[derive(Debug, Clone)]
pub(crate) struct Column<'c> {
    text: &'c str,
    class: Option<&'static str>,
    sort: Option<Sort>,
    key: Option<&'c str>,
    /// Whether it is hidden until the reader chooses it.
    is_optional: bool,
}

/// How a click on the header of a column sorts the list, and the current order.
#[derive(Debug, Clone)]
pub(crate) struct Sort {
    pub(crate) address: String,
    /// Ascending, descending, or not by this column.
    pub(crate) now: Option<&'static str>,
}

impl<'c> Column<'c> {
    pub(crate) fn text(text: &'c str) -> Self {
        Self { text, class: None, sort: None, key: None, is_optional: false }
    }

    /// A column of numbers, right-aligned.
    pub(crate) fn number(text: &'c str) -> Self {
        Self { text, class: Some("number"), sort: None, key: None, is_optional: false }
    }

    /// A column as narrow as its content.
    pub(crate) fn tight(text: &'c str) -> Self {
        Self { text, class: Some("tight"), sort: None, key: None, is_optional: false }
    }

    /// A column of people, on one line each; a name that is too long is cut.
    pub(crate) fn person(text: &'c str) -> Self {
        Self { text, class: Some("person"), sort: None, key: None, is_optional: false }
    }

    /// Buttons, at the end of the row.
    pub(crate) fn actions(text: &'c str) -> Self {
        Self { text, class: Some("actions"), sort: None, key: None, is_optional: false }
    }

    /// Boxes that select rows, at the beginning of the row. With a script the header selects all.
    pub(crate) fn choose(text: &'c str) -> Self {
        Self { text, class: Some(CHOOSE), sort: None, key: None, is_optional: false }
    }

    /// A column that the reader can hide and move; the key names it in the address and in saved views.
    pub(crate) fn key(self, key: &'c str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The same, hidden until the reader chooses it.
    pub(crate) fn optional(self, key: &'c str) -> Self {
        Self { is_optional: true, ..self.key(key) }
    }

    pub(crate) fn named(&self) -> Option<&'c str> {
        self.key
    }

    pub(crate) fn is_optional(&self) -> bool {
        self.is_optional
    }

    pub(crate) fn heading(&self) -> &str {
        self.text
    }

    pub(crate) fn sorted(self, sort: Sort) -> Self {
        Self { sort: Some(sort), ..self }
    }
}

const CHOOSE: &str = "choose";

/// The first cell of a row that is not a box names the row.
pub(crate) fn table(caption: &str, columns: &[Column<'_>], rows: &[Vec<Markup>]) -> Markup {
    html! {
        table.list role="table" {
            caption.unseen { (caption) }
            thead role="rowgroup" {
                tr role="row" {
                    @for column in columns {
                        th scope="col" role="columnheader" class=[column.class]
                            aria-sort=[column.sort.as_ref().and_then(|sort| sort.now)] { (head(column)) }
                    }
                }
            }
            tbody role="rowgroup" {
                @for row in rows { tr role="row" { (cells(columns, row)) } }
            }
        }
    }
}

fn head(column: &Column<'_>) -> Markup {
    match (&column.sort, column.class) {
        (Some(sort), _) => html! { a.sort href=(sort.address) { (column.text) } },
        (None, Some(CHOOSE)) => html! {
            span.unseen { (column.text) }
            input type="checkbox" data-choose-all hidden aria-label=(column.text);
        },
        (None, Some("actions")) => html! { span.unseen { (column.text) } },
        (None, _) => html! { span { (column.text) } },
    }
}

fn cells(columns: &[Column<'_>], row: &[Markup]) -> Markup {
    let names = columns.iter().position(|column| column.class != Some(CHOOSE));
    html! {
        @for (number, (column, cell)) in columns.iter().zip(row).enumerate() {
            @if Some(number) == names {
                th scope="row" role="rowheader" class=[column.class] data-label=(column.text) { (cell) }
            } @else {
                td role="cell" class=[column.class] data-label=(column.text) { div { (cell) } }
            }
        }
    }
}
