//! Columns: how a field of a record becomes cells, and cells a field again.
//!
//! `title.en` is a text within a table, `steps[]` a list of texts with one line each, `mappings[2].source` a text of the
//! second table of a list. What is no text says so behind a colon: `weight:number`, `active:flag`.

use std::collections::BTreeMap;

use toml::{Table, Value, map::Entry};

use super::LONGEST_CELL;

/// The cells of a row by their columns.
pub(super) type Cells = BTreeMap<String, String>;

/// Stands for a list without items and a table without fields, because an empty cell says nothing.
const NO_ITEMS: &str = "[]";
const NO_FIELDS: &str = "{}";
/// A list that is too long for one cell goes on in the next column; each takes so many units of UTF-16.
const MOST_IN_A_CELL: usize = LONGEST_CELL - 1_000;

/// The fields of a table as cells.
pub(super) fn flatten(table: &Table, cells: &mut Cells) -> Result<(), String> {
    for (name, value) in table {
        add(plain(name)?, value, cells)?;
    }
    Ok(())
}

fn plain(name: &str) -> Result<&str, String> {
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain { Ok(name) } else { Err(format!("the field {name:?} cannot be a column")) }
}

fn add(path: &str, value: &Value, cells: &mut Cells) -> Result<(), String> {
    match value {
        Value::String(text) if text.is_empty() => put(cells, format!("{path}:empty"), "yes".to_owned()),
        Value::String(text) => put(cells, path.to_owned(), text.clone()),
        Value::Integer(number) => put(cells, format!("{path}:number"), number.to_string()),
        Value::Float(number) => put(cells, format!("{path}:decimal"), number.to_string()),
        Value::Boolean(flag) => put(cells, format!("{path}:flag"), flag.to_string()),
        Value::Datetime(day) => put(cells, format!("{path}:date"), day.to_string()),
        Value::Array(items) if items.is_empty() => put(cells, format!("{path}[]"), NO_ITEMS.to_owned()),
        Value::Array(items) => match lines(items) {
            Some(lines) => add_lines(path, &lines, cells),
            None => items
                .iter()
                .enumerate()
                .try_for_each(|(at, item)| add(&format!("{path}[{}]", at + 1), item, cells)),
        },
        Value::Table(table) if table.is_empty() => {
            put(cells, format!("{path}{NO_FIELDS}"), NO_FIELDS.to_owned())
        }
        Value::Table(table) => {
            table.iter().try_for_each(|(name, inner)| add(&format!("{path}.{}", plain(name)?), inner, cells))
        }
    }
}

fn put(cells: &mut Cells, column: String, cell: String) -> Result<(), String> {
    if cell.encode_utf16().count() > LONGEST_CELL {
        return Err(format!("{column} is too long for a cell"));
    }
    cells.insert(column, cell);
    Ok(())
}

/// The items of a list of texts, each of which is one line.
fn lines(items: &[Value]) -> Option<Vec<&str>> {
    let line = |item: &'_ Value| -> Option<bool> {
        let text = item.as_str()?;
        Some(!text.trim().is_empty() && text != NO_ITEMS && !text.contains(['\n', '\r']))
    };
    items
        .iter()
        .all(|item| line(item) == Some(true))
        .then(|| items.iter().filter_map(Value::as_str).collect())
}

fn add_lines(path: &str, lines: &[&str], cells: &mut Cells) -> Result<(), String> {
    let (mut cell, mut length, mut part) = (String::new(), 0, 1);
    let column = |part: usize| if part == 1 { format!("{path}[]") } else { format!("{path}[]{part}") };
    for line in lines {
        let more = line.encode_utf16().count() + 1;
        if !cell.is_empty() && length + more > MOST_IN_A_CELL {
            put(cells, column(part), std::mem::take(&mut cell))?;
            (length, part) = (0, part + 1);
        }
        if !cell.is_empty() {
            cell.push('\n');
        }
        cell.push_str(line);
        length += more;
    }
    put(cells, column(part), cell)
}

/// A step on the way to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Field(String),
    /// From 1.
    Item(usize),
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Text,
    Empty,
    Number,
    Decimal,
    Flag,
    Date,
    Lines,
    NoFields,
}

/// A column by its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    steps: Vec<Step>,
    held: Held,
    /// The part of a list that goes on over several columns.
    part: usize,
}

/// No list of the catalogue is longer; a larger index would only fill memory.
const MOST_ITEMS: usize = 10_000;

impl Column {
    pub(super) fn parse(title: &str) -> Option<Self> {
        let (path, held, number) = if let Some(path) = title.strip_suffix(NO_FIELDS) {
            (path, Held::NoFields, 1)
        } else if let Some((path, number)) = title.split_once("[]") {
            let number =
                if number.is_empty() { 1 } else { number.parse().ok().filter(|number| *number > 1)? };
            (path, Held::Lines, number)
        } else if let Some((path, kind)) = title.split_once(':') {
            let held = match kind {
                "empty" => Held::Empty,
                "number" => Held::Number,
                "decimal" => Held::Decimal,
                "flag" => Held::Flag,
                "date" => Held::Date,
                _ => return None,
            };
            (path, held, 1)
        } else {
            (title, Held::Text, 1)
        };
        Some(Self { steps: steps(path)?, held, part: number })
    }

    /// Lists that go on are put together in their order.
    pub(super) fn part(&self) -> usize {
        self.part
    }

    /// Puts what a cell says into the record.
    pub(super) fn set(&self, record: &mut Table, cell: &str) -> Result<(), String> {
        let value = match self.held {
            Held::Text => Value::from(cell),
            Held::Empty => Value::from(""),
            Held::Number => Value::Integer(cell.trim().parse().map_err(|_| wrong("a whole number", cell))?),
            Held::Decimal => Value::Float(cell.trim().parse().map_err(|_| wrong("a number", cell))?),
            Held::Flag => Value::Boolean(cell.trim().parse().map_err(|_| wrong("true or false", cell))?),
            Held::Date => Value::Datetime(cell.trim().parse().map_err(|_| wrong("a date", cell))?),
            Held::Lines if cell == NO_ITEMS => Value::Array(Vec::new()),
            Held::Lines => Value::Array(cell.lines().map(Value::from).collect()),
            Held::NoFields => Value::Table(Table::new()),
        };
        match self.steps.split_first() {
            Some((Step::Field(name), rest)) => place(record.entry(name.clone()), rest, value, self.part > 1),
            _ => Err("has no name".to_owned()),
        }
    }
}

fn wrong(kind: &str, cell: &str) -> String {
    format!("must be {kind}, not {cell:?}")
}

fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, mut items) = part.find('[').map_or((part, ""), |at| part.split_at(at));
        steps.push(Step::Field(plain(name).ok()?.to_owned()));
        while !items.is_empty() {
            let (number, rest) = items.strip_prefix('[')?.split_once(']')?;
            let number: usize = number.parse().ok().filter(|number| (1..=MOST_ITEMS).contains(number))?;
            steps.push(Step::Item(number));
            items = rest;
        }
    }
    Some(steps)
}

/// Goes the rest of the way and puts the value there.
fn place(entry: Entry<'_, String, Value>, rest: &[Step], value: Value, goes_on: bool) -> Result<(), String> {
    let Some((step, rest)) = rest.split_first() else {
        return match (entry, value) {
            (Entry::Occupied(mut there), Value::Array(more)) if goes_on => {
                match there.get_mut().as_array_mut() {
                    Some(items) => items.extend(more),
                    None => return Err("goes on a list that is none".to_owned()),
                }
                Ok(())
            }
            (Entry::Occupied(_), _) => Err("is there twice".to_owned()),
            (Entry::Vacant(free), value) => {
                free.insert(value);
                Ok(())
            }
        };
    };
    match step {
        Step::Field(name) => {
            let inner = entry.or_insert_with(|| Value::Table(Table::new()));
            let inner = inner.as_table_mut().ok_or("is a table and something else")?;
            place(inner.entry(name.clone()), rest, value, goes_on)
        }
        Step::Item(number) => {
            let items = entry.or_insert_with(|| Value::Array(Vec::new()));
            let items = items.as_array_mut().ok_or("is a list and something else")?;
            place_item(items, *number, rest, value, goes_on)
        }
    }
}

/// An item stands in a table of its own for a moment, so that the way goes on as within any other.
const ITEM: &str = "item";

/// Items come in the order of their columns, so one that is missing before this was left out.
fn place_item(
    items: &mut Vec<Value>,
    number: usize,
    rest: &[Step],
    value: Value,
    goes_on: bool,
) -> Result<(), String> {
    if number > items.len() + 1 {
        return Err(format!("is item {number} of a list that has {}", items.len()));
    }
    let mut holder = Table::new();
    if number <= items.len() {
        let there = std::mem::replace(&mut items[number - 1], Value::Boolean(false));
        holder.insert(ITEM.to_owned(), there);
    } else {
        items.push(Value::Boolean(false));
    }
    let placed = place(holder.entry(ITEM.to_owned()), rest, value, goes_on);
    if let Some(item) = holder.remove(ITEM) {
        items[number - 1] = item;
    }
    placed
}

/// Orders columns as people count: `steps[2]` before `steps[10]`.
pub(super) fn natural(head: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = Vec::new();
    for part in head.split(['[', ']', '.', ':']) {
        parts.push(part.parse().map_or_else(|_| (0, part.to_owned()), |number| (number, String::new())));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> (Cells, Table) {
        let table: Table = text.parse().unwrap();
        let mut cells = Cells::new();
        flatten(&table, &mut cells).unwrap();
        let mut again = Table::new();
        let mut columns: Vec<_> =
            cells.iter().map(|(head, cell)| (Column::parse(head).unwrap(), natural(head), cell)).collect();
        columns.sort_by(|a, b| (a.0.part(), &a.1).cmp(&(b.0.part(), &b.1)));
        for (column, _, cell) in columns {
            column.set(&mut again, cell).unwrap();
        }
        assert_eq!(again, table);
        (cells, table)
    }

    #[test]
    fn every_kind_of_value_comes_back() {
        let (cells, _) = round_trip(
            "a = \"x\"\nb = 3\nc = true\nd = 1.5\ne = []\nf = [\"one\", \"two\"]\ng = {}\nh = \"\"\n\
             i = [1, 2]\nj = [{ k = \"x\" }, { k = \"y\", l = [\"m\"] }]\nn = { en = \"E\", de = \"D\" }\n\
             o = [[\"p\"], [\"q\", \"r\"]]\ns = [\"line\\nbreak\", \"x\"]\nt = [{}, { u = 1 }]\nv = 2026-11-14\n",
        );
        assert_eq!(cells["f[]"], "one\ntwo");
        assert_eq!(cells["j[2].l[]"], "m");
        assert_eq!(cells["b:number"], "3");
        assert_eq!(cells["n.de"], "D");
    }

    #[test]
    fn a_long_list_goes_on_in_further_columns() {
        let items: Vec<String> =
            (0..3_000).map(|n| format!("\"requirement-{n:06} equal other-{n:06}\"")).collect();
        let (cells, _) = round_trip(&format!("edges = [{}]\n", items.join(", ")));
        assert!(cells.len() > 2 && cells.contains_key("edges[]2"), "{:?}", cells.keys());
        assert!(cells.values().all(|cell| cell.encode_utf16().count() <= LONGEST_CELL));
    }

    #[test]
    fn heads_that_are_none_are_refused() {
        for head in ["", "a b", "a.", "a[0]", "a[x]", "a[1", "a:word", "a[]1", "a[99999999]", ".a", "a[]x"] {
            assert_eq!(Column::parse(head), None, "{head}");
        }
        let mut record = Table::new();
        assert!(Column::parse("a[2]").unwrap().set(&mut record, "x").is_err(), "the first item is missing");
        assert!(Column::parse("b:number").unwrap().set(&mut record, "x").is_err());
        Column::parse("c").unwrap().set(&mut record, "x").unwrap();
        assert!(Column::parse("c").unwrap().set(&mut record, "x").is_err());
        assert!(Column::parse("c.d").unwrap().set(&mut record, "x").is_err());
    }
}
