//! Records of any kind as lines of a table: how much one file may hold, and why a file or one of its lines was refused.

use crate::wording::sentences;

/// The most lines of one file.
pub const MOST_LINES: usize = 10_000;

sentences! {
    /// Why a table was refused, or one of its lines.
    ExchangeComplaint {
        TooManyLines { most: usize } =
            "must have at most {most} lines: divide it",
            "darf höchstens {most} Zeilen haben: bitte aufteilen";
        NoKnownColumn =
            "has no column of these records: write the names of the API or of an export in its first line, or assign its columns",
            "hat keine Spalte dieser Einträge: bitte in der ersten Zeile die Namen der API oder eines Exports schreiben oder die Spalten zuordnen";
        UnknownColumn { name: String } =
            "{name} is no column of these records",
            "{name} ist keine Spalte dieser Einträge";
        ColumnTwice { name: String } =
            "{name} is the target of two columns: leave one of them out",
            "{name} ist das Ziel zweier Spalten: bitte eine davon weglassen";
        NotAMapping =
            "must be a JSON object with headings of the file and names of columns",
            "muss ein JSON-Objekt mit Überschriften der Datei und Namen von Spalten sein";
        NotCreated =
            "names no record, and records of this kind are not created by an import",
            "nennt keinen Eintrag, und Einträge dieser Art legt ein Import nicht an";
        NoSuchReference { reference: String } =
            "{reference} is the reference of none of your records",
            "{reference} ist die Referenz keines Ihrer Einträge";
        Repeated { first: u64 } =
            "repeats the record of line {first}",
            "wiederholt den Eintrag aus Zeile {first}";
        NotANumber =
            "must be a number",
            "muss eine Zahl sein";
        NotYesOrNo =
            "must be yes or no",
            "muss Ja oder Nein sein";
    }
}

/// What a cell or a form means by yes or no, in either language and as spreadsheets write it.
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "ja" | "wahr" | "1" => Some(true),
        "false" | "no" | "nein" | "falsch" | "0" => Some(false),
        _ => None,
    }
}
