//! A cell of a file as the API has its value, whether it is written like the API, like our workbooks, or by hand.

use domain::{
    exchange::{ExchangeComplaint, yes_or_no},
    moment::{Day, Moment},
    time_zone::TimeZone,
    violation::Complaint,
};
use store::Reader;

use super::lookup::Lookup;
use crate::{
    Result,
    author::Author,
    report::{
        TableColumn,
        column::{Holds, divided},
    },
};

/// What reading a cell needs besides the cell.
pub(super) struct CellReader<'r> {
    pub(super) author: &'r Author,
    pub(super) zone: &'r TimeZone,
    pub(super) lookup: &'r mut Lookup,
}

type Read = std::result::Result<String, Complaint>;

impl CellReader<'_> {
    /// The value of a cell that is not empty.
    pub(super) fn value(
        &mut self,
        reader: &mut Reader<'_>,
        column: &TableColumn,
        cell: &str,
    ) -> Result<Read> {
        Ok(match column.holds {
            Holds::Text | Holds::Id => Ok(cell.replace("\r\n", "\n")),
            Holds::Items(between) => Ok(divided(cell, between).join(between)),
            Holds::Number => number(cell),
            Holds::Day => Day::parse_cell(cell).map(|day| day.to_string()).map_err(Complaint::from),
            Holds::Moment => self.moment(cell),
            Holds::Flag => flag(cell),
            Holds::Word(words) => {
                let wanted = cell.to_lowercase();
                let is_named = |label: &domain::wording::Label| {
                    [label.en, label.de].iter().any(|name| name.to_lowercase() == wanted)
                };
                let found = words().into_iter().find(|(word, label)| *word == wanted || is_named(label));
                // Another word is refused by the rule of the record, which lists those that are possible.
                Ok(found.map_or_else(|| cell.to_owned(), |(word, _)| word.to_owned()))
            }
            Holds::Records(nouns, between) => {
                let mut ids = Vec::new();
                for name in divided(cell, between) {
                    match self.lookup.id_of(self.author, reader, nouns, name)? {
                        Ok(id) => ids.push(id),
                        Err(complaint) => return Ok(Err(complaint)),
                    }
                }
                Ok(ids.join(between))
            }
        })
    }

    /// A time with its offset, a local time, or the beginning of a day.
    fn moment(&self, cell: &str) -> Read {
        if let Ok(at) = cell.parse::<Moment>() {
            return Ok(at.to_string());
        }
        let local = match Day::parse_cell(cell) {
            Ok(day) => format!("{day}T00:00"),
            Err(_) => cell.replacen(' ', "T", 1),
        };
        self.zone.read(&local).map(|at| at.to_string()).map_err(Complaint::from)
    }
}

/// Spreadsheets in some countries write 7,5.
fn number(cell: &str) -> Read {
    let parsed = cell.replacen(',', ".", 1).parse::<f64>().ok().filter(|number| number.is_finite());
    parsed.map(|number| number.to_string()).ok_or_else(|| ExchangeComplaint::NotANumber.into())
}

fn flag(cell: &str) -> Read {
    yes_or_no(cell).map(|flag| flag.to_string()).ok_or_else(|| ExchangeComplaint::NotYesOrNo.into())
}
