//! The columns of tables of records. A CSV file is for programs: it has the names and values of the API. A workbook is
//! for people: it has the words of their language, real days and numbers, and references or names instead of ids.

use domain::{
    field::Field,
    moment::{Day, Moment},
    vocabulary::Vocabulary,
    wording::{Label, Language},
};
use reports::{
    csv::ColumnKind,
    document::{Column, ColumnWidth, KeyValue, Section, Table},
};

use super::{ReportContext, words};

/// A column of a table of records.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    /// As the API names it.
    pub name: &'static str,
    /// The name of its field, from which that of the column can differ.
    field: &'static str,
    pub label: Label,
    pub(crate) holds: Holds,
    /// Whether an import reads it.
    pub is_read: bool,
    /// Its place in a list on paper.
    paper: Option<PaperColumn>,
}

/// A column of a list on paper.
#[derive(Debug, Clone, Copy)]
struct PaperColumn {
    width: ColumnWidth,
    /// What its cells are, where they name their rows.
    names: Option<Label>,
}

/// A column of the tables of a kind, and what its cells hold, as the API has the value.
pub(crate) type RecordColumn<V> = (TableColumn, fn(&V) -> String);

/// The columns without their cells. `N` is the number of all columns.
pub(crate) const fn columns<V, const N: usize>(all: &[RecordColumn<V>]) -> [TableColumn; N] {
    let mut columns = [all[0].0; N];
    let mut at = 1;
    while at < N {
        columns[at] = all[at].0;
        at += 1;
    }
    columns
}

/// The cells of a record in these columns.
pub(crate) fn cells<V>(columns: &[RecordColumn<V>], view: &V) -> Vec<String> {
    columns.iter().map(|(_, cell)| cell(view)).collect()
}

/// Records as a list on paper, in the columns that have a place there.
pub(super) fn paper<V>(ctx: &ReportContext, columns: &[RecordColumn<V>], views: &[V]) -> Table {
    let shown: Vec<_> = columns.iter().filter(|(column, _)| column.paper.is_some()).collect();
    let table = Table::new(shown.iter().filter_map(|(column, _)| column.paper_column(ctx)));
    views.iter().fold(table, |table, view| {
        table.row(shown.iter().map(|(column, cell)| column.on_page(ctx, &cell(view))))
    })
}

/// A record in a document, by the columns of its kind.
pub(crate) struct OnPage<'r, V> {
    pub(crate) ctx: &'r ReportContext,
    pub(crate) columns: &'r [RecordColumn<V>],
    pub(crate) view: &'r V,
}

impl<V> OnPage<'_, V> {
    /// The columns of these fields, each with the text of its cell.
    fn cells<'f>(&'f self, fields: &'f [Field]) -> impl Iterator<Item = (&'f TableColumn, String)> {
        let column = |field: &Field| self.columns.iter().find(|(column, _)| column.field == field.name);
        fields.iter().filter_map(column).map(|(column, cell)| (column, cell(self.view)))
    }

    /// These fields as facts.
    pub(crate) fn facts(&self, fields: &[Field]) -> Vec<KeyValue> {
        let fact = |(column, cell): (&TableColumn, String)| {
            self.ctx.pair(column.label, column.on_page(self.ctx, &cell))
        };
        self.cells(fields).map(fact).collect()
    }

    /// Those of these fields that have a value, each under its own heading.
    pub(crate) fn passages(&self, section: Section, fields: &[Field]) -> Section {
        self.cells(fields).fold(section, |section, (column, cell)| {
            self.ctx.passage(section, column.label, (!cell.is_empty()).then_some(&cell))
        })
    }
}

/// Several values in one cell.
pub(crate) fn joined<T: ToString>(values: &[T]) -> String {
    joined_by(values, "; ")
}

/// The same with this between them.
pub(crate) fn joined_by<T: ToString>(values: &[T], between: &str) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// A value that may be missing, as a cell.
pub(crate) fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holds {
    Text,
    Number,
    Day,
    Moment,
    Flag,
    /// Words of a vocabulary, by the words of the API.
    Word(fn() -> Vec<(&'static str, Label)>),
    /// Several texts, with this between them.
    Items(&'static str),
    /// One record of these nouns, or several with this between them.
    Records(&'static [&'static str], &'static str),
    /// What names the record itself to programs.
    Id,
}

/// The words of a vocabulary with their labels.
pub(crate) fn words_of<V: Vocabulary>() -> Vec<(&'static str, Label)> {
    V::ALL.iter().map(|word| (word.as_str(), word.label())).collect()
}

impl TableColumn {
    const fn new(name: &'static str, label: Label, holds: Holds) -> Self {
        Self { name, field: name, label, holds, is_read: true, paper: None }
    }

    pub(crate) const fn text(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Text)
    }

    pub(crate) const fn number(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Number)
    }

    pub(crate) const fn day(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Day)
    }

    pub(crate) const fn moment(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Moment)
    }

    pub(crate) const fn flag(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Flag)
    }

    pub(crate) const fn word<V: Vocabulary>(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Word(words_of::<V>))
    }

    pub(crate) const fn items(name: &'static str, label: Label, between: &'static str) -> Self {
        Self::new(name, label, Holds::Items(between))
    }

    pub(crate) const fn records(
        name: &'static str,
        label: Label,
        nouns: &'static [&'static str],
        between: &'static str,
    ) -> Self {
        Self::new(name, label, Holds::Records(nouns, between))
    }

    /// What names the record to programs, of a table whose records have no ids of their own.
    pub(crate) const fn key(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Id)
    }

    /// The id of the record; people know it by its reference or its name.
    pub(crate) const fn id() -> Self {
        Self::new("id", words::ID, Holds::Id)
    }

    /// The same under another name, for a part of a field, whose name has a dot.
    #[must_use]
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// A column of this many points in a list on paper.
    #[must_use]
    pub(crate) const fn points(self, points: u16) -> Self {
        self.on_paper(ColumnWidth::Points(points), None)
    }

    /// A column with a share of the room that others leave, for what names the records; `what` is what they are.
    #[must_use]
    pub(crate) const fn names_rows(self, share: u16, what: Label) -> Self {
        self.on_paper(ColumnWidth::Share(share), Some(what))
    }

    const fn on_paper(mut self, width: ColumnWidth, names: Option<Label>) -> Self {
        self.paper = Some(PaperColumn { width, names });
        self
    }

    /// A column that follows from others, or that only a step of its own changes.
    #[must_use]
    pub(crate) const fn unread(mut self) -> Self {
        self.is_read = false;
        self
    }

    pub(super) fn kind(&self) -> ColumnKind {
        match self.holds {
            Holds::Number => ColumnKind::Number,
            Holds::Day => ColumnKind::Day,
            Holds::Moment => ColumnKind::Moment,
            Holds::Text | Holds::Flag | Holds::Word(_) | Holds::Items(_) | Holds::Records(..) | Holds::Id => {
                ColumnKind::Text
            }
        }
    }

    pub(super) fn is_id(&self) -> bool {
        matches!(self.holds, Holds::Id)
    }

    /// The word for a cell that holds a flag or a word of a vocabulary; any other cell unchanged.
    pub(super) fn worded(&self, language: Language, cell: &str) -> String {
        let label = match (self.holds, cell) {
            (Holds::Flag, "true") => Some(words::YES),
            (Holds::Flag, "false") => Some(words::NO),
            (Holds::Word(words), _) => {
                words().into_iter().find(|(word, _)| *word == cell).map(|(_, label)| label)
            }
            _ => None,
        };
        label.map_or(cell, |label| label.text(language)).to_owned()
    }

    /// The column of a list on paper, if it has a place there.
    fn paper_column(&self, ctx: &ReportContext) -> Option<Column> {
        let PaperColumn { width, names } = self.paper?;
        let heading = ctx.t(names.unwrap_or(self.label));
        let column = match width {
            ColumnWidth::Points(points) => Column::points(heading, points),
            ColumnWidth::Share(share) => Column::share(heading, share),
        };
        Some(if names.is_some() { column.row_header() } else { column })
    }

    /// A cell as a document shows it.
    fn on_page(&self, ctx: &ReportContext, cell: &str) -> String {
        match self.holds {
            _ if cell.is_empty() => "–".to_owned(),
            Holds::Day => cell.parse::<Day>().map_or(cell.to_owned(), |day| ctx.day(Some(day))),
            Holds::Moment => cell.parse::<Moment>().map_or(cell.to_owned(), |at| ctx.moment(at)),
            _ => self.worded(ctx.language, cell),
        }
    }

    /// The ids of records in a cell.
    pub(crate) fn ids<'c>(&self, cell: &'c str) -> Vec<&'c str> {
        match self.holds {
            Holds::Records(_, between) => divided(cell, between),
            _ => Vec::new(),
        }
    }
}

/// The column of a field, for each kind of value.
pub(crate) mod of {
    use domain::{field::Field, vocabulary::Vocabulary};

    use super::TableColumn;

    pub(crate) const fn text(field: Field) -> TableColumn {
        TableColumn::text(field.name, field.label)
    }

    pub(crate) const fn number(field: Field) -> TableColumn {
        TableColumn::number(field.name, field.label)
    }

    pub(crate) const fn day(field: Field) -> TableColumn {
        TableColumn::day(field.name, field.label)
    }

    pub(crate) const fn moment(field: Field) -> TableColumn {
        TableColumn::moment(field.name, field.label)
    }

    pub(crate) const fn flag(field: Field) -> TableColumn {
        TableColumn::flag(field.name, field.label)
    }

    pub(crate) const fn word<V: Vocabulary>(field: Field) -> TableColumn {
        TableColumn::word::<V>(field.name, field.label)
    }

    pub(crate) const fn items(field: Field, between: &'static str) -> TableColumn {
        TableColumn::items(field.name, field.label, between)
    }

    pub(crate) const fn records(
        field: Field,
        nouns: &'static [&'static str],
        between: &'static str,
    ) -> TableColumn {
        TableColumn::records(field.name, field.label, nouns, between)
    }
}

/// The items of a cell.
pub(crate) fn divided<'c>(cell: &'c str, between: &str) -> Vec<&'c str> {
    let items: Vec<&str> = match between.trim() {
        "" if between.is_empty() => vec![cell],
        "" => cell.split([' ', '\n', ';']).collect(),
        "|" | ";" => cell.split([';', '|', '\n']).collect(),
        other => cell.split(other).collect(),
    };
    items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// The columns in the order of a workbook, and the ids, which come last.
pub(super) fn order(columns: &[TableColumn]) -> (Vec<usize>, Vec<usize>) {
    (0..columns.len()).partition(|place| !columns[*place].is_id())
}
