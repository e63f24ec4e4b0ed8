//! Problems of a workbook with the templates as sheets, and their remedies.

use super::sentences::{CheckMessage, CheckRemedy};
use crate::{
    register::{Quoted, release::ColumnCode},
    wording::sentences,
};

sentences! {
    /// Why a sheet of a workbook cannot be imported.
    WorkbookFinding {
        NoHeadings =
            "the sheet has no row with column codes",
            "Das Blatt hat keine Zeile mit Spaltencodes";
        MissingColumn { code: ColumnCode } =
            "the sheet has no column {code}",
            "Dem Blatt fehlt die Spalte {code}";
        OutsideCell { cell: String } =
            "cell {cell} stands below no column code",
            "Zelle {cell} steht unter keinem Spaltencode";
        Merged { range: Quoted } =
            "the cells {range} are merged, so all but the first of them are empty",
            "Die Zellen {range} sind verbunden; alle außer der ersten sind dadurch leer";
        NoResult { cell: String } =
            "cell {cell} holds a formula without a stored result",
            "Zelle {cell} enthält eine Formel ohne gespeichertes Ergebnis";
        ErrorValue { cell: String, error: Quoted } =
            "cell {cell} shows the error {error}",
            "Zelle {cell} zeigt den Fehler {error}";
        ManyDigits { cell: String } =
            "cell {cell} holds a number of more than 15 digits, of which a spreadsheet keeps only 15",
            "Zelle {cell} enthält eine Zahl mit mehr als 15 Stellen, von denen eine Tabellenkalkulation nur 15 behält";
        NoDay { cell: String, number: Quoted } =
            "cell {cell} is formatted as a date, but {number} is no day",
            "Zelle {cell} ist als Datum formatiert, aber {number} ist kein Tag";
        TimeOfDay { cell: String } =
            "cell {cell} holds a day with a time",
            "Zelle {cell} enthält ein Datum mit Uhrzeit";
        NoNumber { cell: String, value: Quoted } =
            "cell {cell} is stored as a number, but {value} is none",
            "Zelle {cell} ist als Zahl gespeichert, aber {value} ist keine";
        LongText { cell: String, most: usize } =
            "cell {cell} holds more than {most} characters",
            "Zelle {cell} enthält mehr als {most} Zeichen";
        OtherSheet { name: Quoted } =
            "the sheet {name} is no template and was not read",
            "Das Blatt {name} ist keine Vorlage und wurde nicht gelesen";
        LikeATemplate { name: Quoted } =
            "the sheet {name} is named like a template, but there is none of this name",
            "Das Blatt {name} ist wie eine Vorlage benannt, aber keine heißt so";
    }

    /// How a workbook is corrected.
    WorkbookRemedy {
        FirstRow =
            "write the column codes, such as c0010, into the first row",
            "Bitte die Spaltencodes, etwa c0010, in die erste Zeile schreiben";
        AddColumn =
            "add the column, even if it stays empty",
            "Bitte die Spalte ergänzen, auch wenn sie leer bleibt";
        EmptyOutside =
            "empty the cell, or write the column code into the first row",
            "Bitte die Zelle leeren oder den Spaltencode in die erste Zeile schreiben";
        Unmerge =
            "split the cells and write the value into each of them",
            "Bitte den Zellverbund aufheben und den Wert in jede Zelle schreiben";
        WriteValue =
            "replace the formula by its value",
            "Bitte die Formel durch ihren Wert ersetzen";
        FormatText =
            "format the cell as text and enter the value again",
            "Bitte die Zelle als Text formatieren und den Wert neu eingeben";
        FormatDay =
            "format the cell as text and write a day such as 2026-12-31",
            "Bitte die Zelle als Text formatieren und ein Datum wie 2026-12-31 schreiben";
        Shorten = "shorten the text", "Bitte den Text kürzen";
        RenameSheet =
            "name the sheet by the code of its template, such as B_05.01, or remove it",
            "Bitte das Blatt nach dem Code seiner Vorlage benennen, etwa B_05.01, oder entfernen";
    }
}

impl From<WorkbookFinding> for CheckMessage {
    fn from(finding: WorkbookFinding) -> Self {
        Self::Workbook { finding }
    }
}

impl From<WorkbookRemedy> for CheckRemedy {
    fn from(remedy: WorkbookRemedy) -> Self {
        Self::Workbook { remedy }
    }
}
