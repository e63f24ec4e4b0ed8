//! Violations of an uploaded file as a whole.

use super::{ImportError, records::RecordProblem};
use crate::wording::sentences;

sentences! {
    /// Why a file was refused.
    FileComplaint {
        Empty = "is empty: send the file itself", "ist leer: bitte die Datei selbst senden";
        TooLarge = "is larger than 64 MiB: split it", "ist größer als 64 MiB: bitte aufteilen";
        LargerThan { most: u64 } =
            "is larger than {most} MiB: split it",
            "ist größer als {most} MiB: bitte aufteilen";
        TookTooLong { seconds: u64 } =
            "took longer than {seconds} s to read, and nothing was stored: split it",
            "brauchte beim Import länger als {seconds} s, und nichts wurde gespeichert: bitte aufteilen";
        TooManyColumns { most: usize } =
            "has more than {most} columns in its first row: remove the others",
            "hat mehr als {most} Spalten in der ersten Zeile: bitte die übrigen entfernen";
        TableTooLarge =
            "holds a table that is too large: split it",
            "enthält eine zu große Tabelle: bitte aufteilen";
        LongLine =
            "has a line of more than 1 MiB: check its line ends and quotation marks",
            "enthält eine Zeile von mehr als 1 MiB: bitte Zeilenenden und Anführungszeichen prüfen";
        NoTable { template: &'static str, problem: RecordProblem } =
            "holds {template}, which is no table: {problem}",
            "enthält {template}, die keine Tabelle ist: {problem}";
        NotUtf8 =
            "must be UTF-8: save the CSV file as UTF-8",
            "muss UTF-8 sein: bitte die CSV-Datei als UTF-8 speichern";
        Unreadable { problem: String } =
            "could not be read: {problem}",
            "ließ sich nicht lesen: {problem}";
        OsvReport =
            "is a report of OSV-Scanner: import it with `tidewall import scan`",
            "ist ein Bericht von OSV-Scanner: bitte mit „tidewall import scan“ importieren";
        UnknownKind =
            "is of no kind that is known: send CSV, SARIF 2.1.0 or the JSON of Trivy, and name its format",
            "ist von unbekannter Art: bitte CSV, SARIF 2.1.0 oder das JSON von Trivy senden und das Format nennen";
        Workbook =
            "is an Excel workbook: save it as CSV (CSV UTF-8) and send that file",
            "ist eine Excel-Arbeitsmappe: bitte als CSV (CSV UTF-8) speichern und diese Datei senden";
        Xml =
            "is XML, which is not read: the formats are CSV, SARIF 2.1.0 and the JSON of Trivy",
            "ist XML, das nicht gelesen wird: Die Formate sind CSV, SARIF 2.1.0 und das JSON von Trivy";
        Packed =
            "is packed: unpack it and send the file inside",
            "ist gepackt: bitte auspacken und die enthaltene Datei senden";
        NotImported { error: ImportError } =
            "cannot be imported: {error}",
            "lässt sich nicht importieren: {error}";
        NotAScan =
            "must be the JSON of Trivy or of OSV-Scanner",
            "muss das JSON von Trivy oder von OSV-Scanner sein";
        TooManyVulnerabilities { most: usize } =
            "has more than {most} vulnerabilities: scan fewer targets at once",
            "hat mehr als {most} Schwachstellen: bitte weniger Ziele auf einmal prüfen";
        NoAdvisories =
            "holds no directory `crates`: give a copy of the RustSec advisory database",
            "enthält kein Verzeichnis „crates“: bitte eine Kopie der RustSec-Datenbank angeben";
        BadAdvisory { path: String, problem: String } =
            "cannot be used: {path}: {problem}",
            "ist nicht verwendbar: {path}: {problem}";
        TooManyFiles { most: usize } =
            "holds more than {most} files: send one report package",
            "enthält mehr als {most} Dateien: bitte ein einziges Berichtspaket senden";
        OutsidePath { name: String } =
            "holds {name}, which points outside of the package: make the package again",
            "enthält {name}, das aus dem Paket hinausführt: bitte das Paket neu erstellen";
        TemplateTwice { template: &'static str } =
            "holds the template {template} twice: keep one file of each",
            "enthält die Vorlage {template} zweimal: bitte je Vorlage eine Datei behalten";
        NotATemplate =
            "is none of the official templates",
            "ist keine der amtlichen Vorlagen";
        NoTemplate =
            "holds no template: name the files like b_02.01.csv",
            "enthält keine Vorlage: bitte die Dateien wie b_02.01.csv benennen";
        NoGoldenCopy =
            "is no golden copy of GLEIF: give the level 1 or level 2 file as CSV, zipped or not",
            "ist keine Golden Copy von GLEIF: bitte die Datei der Stufe 1 oder 2 als CSV angeben, gepackt oder nicht";
        LongCell { template: &'static str, row: u32, most: usize } =
            "cannot be written as a workbook: row {row} of {template} has a cell of more than {most} characters; CSV takes it",
            "lässt sich nicht als Arbeitsmappe schreiben: Zeile {row} von {template} hat eine Zelle mit mehr als {most} Zeichen; als CSV geht es";
        NoSheet =
            "holds no sheet of a template: name the sheets by their codes, such as B_02.01",
            "enthält kein Blatt einer Vorlage: bitte die Blätter nach ihren Codes benennen, etwa B_02.01";
        BadWorkbook { problem: String } =
            "is not a sound workbook ({problem}): save it again as .xlsx",
            "ist keine intakte Arbeitsmappe ({problem}): bitte erneut als .xlsx speichern";
        OldWorkbook =
            "is a workbook of an older kind or with a password: save it as .xlsx without a password",
            "ist eine Arbeitsmappe älterer Art oder mit Passwort: bitte ohne Passwort als .xlsx speichern";
        NoWorkbook =
            "is no workbook: send an XLSX file, or a package or a table under its own type",
            "ist keine Arbeitsmappe: bitte eine XLSX-Datei wählen oder ein Paket bzw. eine Tabelle als solche";
        NotRead { problem: String } =
            "cannot be read as CSV: {problem}",
            "lässt sich nicht als CSV lesen: {problem}";
        NotUnpacked { problem: String } =
            "cannot be unpacked ({problem}): zip it again, without a password",
            "lässt sich nicht entpacken ({problem}): bitte ohne Passwort neu packen";
        NotAnArchive { problem: String } =
            "is not a sound zip archive ({problem}): make the package again",
            "ist kein intaktes Zip-Archiv ({problem}): bitte das Paket neu erstellen";
    }
}
