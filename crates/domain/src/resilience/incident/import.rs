//! Candidates for incidents from a table, such as an export of a ticket system. Each line is an event that a person
//! then classifies, or marks as no incident.

use std::io::Read;

use csv::StringRecord;

use crate::{
    change::Change,
    import::{
        headings::{folded, separator},
        records::{RecordError, Records},
    },
    wording::{Label, sentences},
};

use super::input::IncidentInput;

/// The maximum number of lines.
pub const MAX_LINES: usize = 1_000;

/// The columns a file may have, by their names, with their German ones and what they hold.
pub const COLUMNS: [(&str, &str, Label); 9] = [
    ("title", "titel", Label::new("What happened, in one line", "Was geschah, in einer Zeile")),
    (
        "detected_at",
        "entdeckt",
        Label::new(
            "A time like 2026-11-14T01:10:00Z; empty means now",
            "Eine Zeit wie 2026-11-14T01:10:00Z; leer bedeutet jetzt",
        ),
    ),
    (
        "aware_at",
        "bekannt_seit",
        Label::new("The same; empty means when it was detected", "Ebenso; leer bedeutet seit der Entdeckung"),
    ),
    ("occurred_at", "eingetreten", Label::new("The same, if it is known", "Ebenso, falls bekannt")),
    (
        "regimes",
        "regelwerke",
        Label::new(
            "dora, nis2, gdpr, cra, with | between them; empty means dora",
            "dora, nis2, gdpr, cra, mit | dazwischen; leer bedeutet dora",
        ),
    ),
    ("description", "beschreibung", Label::new("Running text", "Fließtext")),
    ("functions", "funktionen", Label::new("Names with | between them", "Namen mit | dazwischen")),
    ("providers", "anbieter", Label::new("Names with | between them", "Namen mit | dazwischen")),
    ("root_cause", "grundursache", Label::new("One line, if it is known", "Eine Zeile, falls bekannt")),
];

/// A template: the headings and one example line.
pub const TEMPLATE: &str = "\
title,detected_at,aware_at,occurred_at,regimes,description,functions,providers,root_cause\r\n\
Card payments down,2026-11-14T01:10:00Z,,,dora,Authorisations time out,Payments,,\r\n";

sentences! {
    /// Why a file of candidates cannot be read at all.
    CandidateFileError {
        Unreadable = "cannot be read: send a CSV table in UTF-8", "ist nicht lesbar: bitte eine CSV-Tabelle in UTF-8 senden";
        NoTitle = "has no column title", "hat keine Spalte „title“ oder „titel“";
        UnknownColumn { heading: String } =
            "has a column {heading} that is not known here: remove it or use the template",
            "hat eine hier unbekannte Spalte {heading}: bitte entfernen oder die Vorlage verwenden";
        TooMany { most: usize } = "has more than {most} lines: split it", "hat mehr als {most} Zeilen: bitte aufteilen";
    }
}

/// A line of the file, by its number.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateLine {
    pub line: u64,
    pub input: IncidentInput,
}

/// Parses every line. The rules of incidents validate the cells later.
pub fn candidates(text: &str) -> Result<Vec<CandidateLine>, CandidateFileError> {
    let text = text.trim_start_matches('\u{feff}');
    let head = text.lines().next().unwrap_or_default();
    let mut rows = Records::new(text.as_bytes(), separator(head));
    let mut record = StringRecord::new();
    if next(&mut rows, &mut record)?.is_none() {
        return Err(CandidateFileError::NoTitle);
    }
    let columns = record.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    if !columns.contains(&"title") {
        return Err(CandidateFileError::NoTitle);
    }
    let mut lines = Vec::new();
    while let Some(line) = next(&mut rows, &mut record)? {
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if lines.len() == MAX_LINES {
            return Err(CandidateFileError::TooMany { most: MAX_LINES });
        }
        lines.push(CandidateLine { line, input: read(&columns, &record) });
    }
    Ok(lines)
}

fn next<R: Read>(
    rows: &mut Records<R>,
    record: &mut StringRecord,
) -> Result<Option<u64>, CandidateFileError> {
    rows.next_into(record).map_err(|_: RecordError| CandidateFileError::Unreadable)
}

fn column(heading: &str) -> Result<&'static str, CandidateFileError> {
    let name = folded(heading);
    let known = COLUMNS.iter().find(|(english, german, _)| name == *english || name == *german);
    known.map(|(english, ..)| *english).ok_or_else(|| CandidateFileError::UnknownColumn {
        heading: heading.trim().chars().take(50).collect(),
    })
}

fn read(columns: &[&str], record: &StringRecord) -> IncidentInput {
    let cell = |name: &str| {
        let place = columns.iter().position(|column| *column == name)?;
        record.get(place).map(str::trim).filter(|cell| !cell.is_empty())
    };
    let text = |name: &str| cell(name).map_or(Change::Keep, |cell| Change::Set(cell.to_owned()));
    let list = |name: &str| {
        cell(name).map_or(Change::Keep, |cell| {
            Change::Set(cell.split('|').map(|item| item.trim().to_owned()).collect())
        })
    };
    IncidentInput {
        title: Change::Set(cell("title").unwrap_or_default().to_owned()),
        description: text("description"),
        occurred_at: text("occurred_at"),
        detected_at: text("detected_at"),
        aware_at: text("aware_at"),
        regimes: list("regimes"),
        functions: list("functions"),
        providers: list("providers"),
        root_cause: text("root_cause"),
        ..IncidentInput::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_read_and_german_tables_too() {
        let lines = candidates(TEMPLATE).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (lines[0].line, &lines[0].input.title),
            (2, &Change::Set("Card payments down".to_owned()))
        );
        assert_eq!(lines[0].input.aware_at, Change::Keep);
        let lines =
            candidates("Titel;Entdeckt;Regelwerke\n\nAusfall;2026-11-14T01:10:00Z;dora | nis2\n").unwrap();
        assert_eq!(lines[0].input.regimes, Change::Set(vec!["dora".to_owned(), "nis2".to_owned()]));
    }

    #[test]
    fn a_file_that_is_no_table_of_candidates_is_refused() {
        assert_eq!(candidates(""), Err(CandidateFileError::NoTitle));
        assert_eq!(candidates("detected_at\n2026"), Err(CandidateFileError::NoTitle));
        let unknown = CandidateFileError::UnknownColumn { heading: "weather".to_owned() };
        assert_eq!(candidates("title,weather\nx,bad"), Err(unknown));
        let long = format!("title\n{}", "x\n".repeat(MAX_LINES + 1));
        assert_eq!(candidates(&long), Err(CandidateFileError::TooMany { most: MAX_LINES }));
    }
}
