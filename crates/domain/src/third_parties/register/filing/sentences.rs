//! The messages of the checks of a filing: the problem, the reason and the remedy.

use super::workbook::{WorkbookFinding, WorkbookRemedy};
use crate::{
    import::records::RecordProblem,
    moment::Day,
    register::{Quoted, Template, release::ColumnCode},
    wording::{Label, Reader, Shown, sentences},
};

impl Shown for ColumnCode {
    fn shown(&self, _: Reader) -> String {
        self.to_string()
    }
}

sentences! {
    /// Why a check fails.
    CheckMessage {
        Package { finding: PackageFinding } = "{finding}", "{finding}";
        Workbook { finding: WorkbookFinding } = "{finding}", "{finding}";
        NoData = "no template has a row", "Keine Vorlage hat eine Zeile";
        NoMaintainer =
            "B_01.01 names no entity, so the report has no sender",
            "B_01.01 nennt kein Unternehmen; die Meldung hat keinen Absender";
        NotMoney { value: Quoted } =
            "{value} is not a plain number with a full stop for decimals",
            "{value} ist keine einfache Zahl mit einem Punkt vor den Nachkommastellen";
        NotADay { value: Quoted } =
            "{value} is not a day written as yyyy-mm-dd",
            "{value} ist kein Datum in der Form jjjj-mm-tt";
        NotAnInteger { value: Quoted } = "{value} is not a whole number", "{value} ist keine ganze Zahl";
        NotTrue { value: Quoted } = "{value} is not the word true", "{value} ist nicht das Wort true";
        NotInList { value: Quoted } =
            "{value} is no code of the closed list of this column",
            "{value} ist kein Code der geschlossenen Liste dieser Spalte";
        Special { value: Quoted } =
            "{value} begins with #, which the format keeps for special values",
            "{value} beginnt mit #; das ist im Format besonderen Werten vorbehalten";
        Blanks =
            "the text begins or ends with a blank, or holds a line break",
            "Der Text beginnt oder endet mit einem Leerzeichen oder enthält einen Zeilenumbruch";
        EmptyKey { title: Quoted<Label> } =
            "{title} belongs to the key of the row and is empty",
            "{title} gehört zum Schlüssel der Zeile und ist leer";
        KeyTwice { key: Quoted } =
            "the key {key} stands in an earlier row",
            "Der Schlüssel {key} steht schon in einer früheren Zeile";
        NoTarget { reference: &'static str, key: Quoted, target: Template, columns: Vec<ColumnCode> } =
            "{key} is not in {target} {columns} (reference {reference})",
            "{key} steht nicht in {target} {columns} (Verweis {reference})";
        Unfilled { title: Quoted<Label> } =
            "{title} is empty in a row that reports something",
            "{title} ist leer, obwohl die Zeile etwas meldet";
        UnfilledFor { title: Quoted<Label>, other: Quoted<Label>, value: String } =
            "{title} is empty although {other} is {value}",
            "{title} ist leer, obwohl {other} {value} ist";
        Negative { title: Quoted<Label> } = "{title} is negative", "{title} ist negativ";
        LeiForm { value: Quoted } =
            "{value} has not the form of a LEI: 18 capital letters or digits and two digits",
            "{value} hat nicht die Form eines LEI: 18 Großbuchstaben oder Ziffern und zwei Ziffern";
        NoLei { value: Quoted } =
            "{value} cannot be an issued LEI: its check digits do not fit",
            "{value} kann kein vergebener LEI sein: Die Prüfziffern passen nicht";
        EuidForm { value: Quoted } =
            "{value} has not the form of an EUID: country, register, full stop, number",
            "{value} hat nicht die Form einer EUID: Land, Register, Punkt, Nummer";
        NoLink =
            "the technical link is empty, so the row reports nothing",
            "Die technische Verknüpfung ist leer; die Zeile meldet nichts";
        Mandatory { title: Quoted<Label> } =
            "{title} is empty, but Implementing Regulation (EU) 2024/2956 asks for it in every row",
            "{title} ist leer, nach der Durchführungsverordnung (EU) 2024/2956 aber in jeder Zeile anzugeben";
        ForCritical { title: Quoted<Label>, function: String } =
            "{title} is missing, but the service supports the critical or important function {function}",
            "{title} fehlt, obwohl die Dienstleistung die kritische oder wichtige Funktion {function} unterstützt";
        ForStored { title: Quoted<Label> } =
            "{title} is missing, but the provider stores data",
            "{title} fehlt, obwohl der Dienstleister Daten speichert";
        NotAssessed { contract: String, provider: String, service: String } =
            "B_07.01 has no row for {contract}, {provider}, {service}, which supports a critical or important function",
            "B_07.01 hat keine Zeile für {contract}, {provider}, {service}, obwohl eine kritische oder wichtige Funktion unterstützt wird";
        NeverAssessed =
            "the function is critical or important, but its criticality has no day of assessment",
            "Die Funktion ist kritisch oder wichtig, aber ihre Kritikalität hat kein Bewertungsdatum";
        NoExpense { title: Quoted<Label> } =
            "{title} is empty for a provider that signs a contract",
            "{title} ist bei einem Dienstleister leer, der einen Vertrag unterzeichnet";
        EndsFirst { start: String } =
            "the arrangement ends before it starts on {start}",
            "Die Vereinbarung endet, bevor sie am {start} beginnt";
        LegalPerson =
            "a legal person is identified by something else than LEI or EUID",
            "Eine juristische Person ist anders als durch LEI oder EUID bezeichnet";
        OutsideUnion =
            "a legal person outside the Union is identified by something else than a LEI",
            "Eine juristische Person außerhalb der Union ist anders als durch einen LEI bezeichnet";
        OtherType { code: Quoted } =
            "{code} has another type of code in B_05.01",
            "{code} hat in B_05.01 eine andere Art der Kennung";
        NotInScope { value: Quoted } =
            "{value} maintains the register, but is not in B_01.02",
            "{value} führt das Register, steht aber nicht in B_01.02";
        OnlyArrangement { reference: String } =
            "the arrangement {reference} stands in no template",
            "Die Vereinbarung {reference} steht in keiner Vorlage";
        IncompleteArrangement { reference: String } =
            "the rows of the arrangement {reference} lack what the analysis needs, so they cannot be compared",
            "Den Zeilen der Vereinbarung {reference} fehlt, was die Analyse braucht; sie lassen sich nicht vergleichen";
        NoArrangement { reference: String } =
            "{reference} is in the templates, but there is no such arrangement for the analysis",
            "{reference} steht in den Vorlagen, aber es gibt keine solche Vereinbarung für die Analyse";
        ArrangementDiffers { reference: String, fields: Vec<&'static str> } =
            "the arrangement {reference} says something else than the templates: {fields}",
            "Die Vereinbarung {reference} weicht von den Vorlagen ab: {fields}";
        LeiAbsent { day: Day } =
            "the golden copy of GLEIF loaded on {day} does not have this LEI",
            "Die am {day} geladene Golden Copy von GLEIF enthält diesen LEI nicht";
        LeiStatus { status: String } =
            "the golden copy of GLEIF shows this LEI as {status}",
            "Die Golden Copy von GLEIF führt diesen LEI als {status}";
        LeiRenewal { day: Day } =
            "the LEI is to be renewed by {day}",
            "Der LEI ist bis zum {day} zu erneuern";
        LeiName { name: String } =
            "the golden copy of GLEIF has another name: {name}",
            "Die Golden Copy von GLEIF nennt einen anderen Namen: {name}";
        LeiParent { parent: String } =
            "the golden copy of GLEIF names another ultimate parent: {parent}",
            "Die Golden Copy von GLEIF nennt ein anderes oberstes Mutterunternehmen: {parent}";
        SecondRow = "the template takes one row only", "Die Vorlage nimmt nur eine Zeile auf";
    }

    /// The remedy.
    CheckRemedy {
        Package { remedy: PackageRemedy } = "{remedy}", "{remedy}";
        Workbook { remedy: WorkbookRemedy } = "{remedy}", "{remedy}";
        AddRows = "import a package or add rows", "Bitte ein Paket importieren oder Zeilen anlegen";
        AddMaintainer =
            "add the entity that maintains the register to B_01.01",
            "Bitte das registerführende Unternehmen in B_01.01 eintragen";
        WriteMoney =
            "write the amount in units, such as 1250000 or 1250000.50",
            "Bitte den Betrag in Einheiten schreiben, etwa 1250000 oder 1250000.50";
        WriteDay { open_end: String } =
            "write a day such as 2026-12-31; {open_end} stands for none",
            "Bitte ein Datum wie 2026-12-31 schreiben; {open_end} steht für keines";
        WriteInteger = "write digits only", "Bitte nur Ziffern schreiben";
        WriteTrue = "write true", "Bitte true schreiben";
        ChooseCode = "choose a code of the list", "Bitte einen Code der Liste wählen";
        ChooseLike { code: &'static str } =
            "choose a code of the list, such as {code}",
            "Bitte einen Code der Liste wählen, etwa {code}";
        WriteText = "write the text without # at its beginning", "Bitte den Text ohne # am Anfang schreiben";
        TrimText = "remove blanks at the ends and line breaks", "Bitte Leerzeichen an den Enden und Zeilenumbrüche entfernen";
        FillKey = "fill the cell", "Bitte die Zelle ausfüllen";
        FillKeyOr { word: String } =
            "fill the cell; {word} where it does not apply",
            "Bitte die Zelle ausfüllen; {word}, wo nichts zutrifft";
        FillKeyWithOwn =
            "fill the cell; at rank 1 repeat the provider's own code",
            "Bitte die Zelle ausfüllen; auf Rang 1 den eigenen Code des Dienstleisters wiederholen";
        RemoveRow = "remove one of the two rows or change its key", "Bitte eine der beiden Zeilen entfernen oder ihren Schlüssel ändern";
        AddTarget { target: Template } =
            "correct the cell, or add the row to {target}",
            "Bitte die Zelle berichtigen oder die Zeile in {target} ergänzen";
        Fill = "fill the cell", "Bitte die Zelle ausfüllen";
        WritePositive = "enter zero or a positive amount", "Bitte null oder einen positiven Betrag eintragen";
        CheckLei = "compare with the LEI register and correct the typing error", "Bitte mit dem LEI-Register vergleichen und den Tippfehler berichtigen";
        CheckEuid = "compare with the business register, such as DEX1234.HRB5678", "Bitte mit dem Unternehmensregister vergleichen, Beispiel: DEX1234.HRB5678";
        AddAssessment = "add the assessment to B_07.01", "Bitte die Bewertung in B_07.01 ergänzen";
        Assess = "assess the function and enter the day", "Bitte die Funktion bewerten und das Datum eintragen";
        CorrectPeriod = "correct one of the two days", "Bitte eines der beiden Daten berichtigen";
        UseLei = "use its LEI", "Bitte den LEI verwenden";
        UseLeiOrEuid = "use its LEI or EUID", "Bitte LEI oder EUID verwenden";
        SameType = "use the same type in both places", "Bitte an beiden Stellen dieselbe Art verwenden";
        AddEntity = "add the entity to B_01.02", "Bitte das Unternehmen in B_01.02 ergänzen";
        SameFacts =
            "correct the one that is wrong",
            "Bitte die falsche Angabe berichtigen";
        TakeOver =
            "take the arrangement over into the templates, or enter its rows",
            "Bitte die Vereinbarung in die Vorlagen übernehmen oder ihre Zeilen eintragen";
        CompleteRows =
            "fill the mandatory cells of its rows",
            "Bitte die Pflichtzellen ihrer Zeilen ausfüllen";
        RenewLei =
            "ask the entity to renew its LEI or to say what became of it",
            "Bitte das Unternehmen bitten, den LEI zu erneuern oder zu klären";
        TakeGolden =
            "use what is registered, unless the golden copy is older than your knowledge",
            "Bitte den registrierten Stand verwenden, sofern die Golden Copy nicht älter ist";
        OneRow = "keep one row and remove the others", "Bitte eine Zeile behalten und die anderen entfernen";
    }

    /// Problems of a package beside its tables.
    PackageFinding {
        NoFolder =
            "the files do not lie in one folder with META-INF/reportPackage.json",
            "Die Dateien liegen nicht in einem Ordner mit META-INF/reportPackage.json";
        NameCharacters =
            "the name of the folder holds other characters than letters, digits, hyphen, underscore and full stop",
            "Der Name des Ordners enthält andere Zeichen als Buchstaben, Ziffern, Bindestrich, Unterstrich und Punkt";
        NamePattern =
            "the name of the folder does not follow LEI.IND_CC_MODULE_DORA_DATE_TIME",
            "Der Name des Ordners folgt nicht dem Muster LEI.IND_LL_MODUL_DORA_DATUM_ZEIT";
        OtherModule { expected: String } =
            "the name has another module than {expected}",
            "Der Name nennt ein anderes Modul als {expected}";
        NameDay = "the name has no day as reference date", "Der Name nennt kein Datum als Stichtag";
        FutureDay { day: Day } =
            "the reference date {day} is in the future",
            "Der Stichtag {day} liegt in der Zukunft";
        OtherPeriod { day: Day } =
            "refPeriod is not the reference date {day} of the name",
            "refPeriod ist nicht der Stichtag {day} des Namens";
        OtherEntryPoint =
            "report.json extends another taxonomy",
            "report.json erweitert eine andere Taxonomie";
        OtherTemplate { id: Quoted } = "{id} is no template", "{id} ist keine Vorlage";
        NoScope =
            "entityID ends neither in .IND nor in .CON",
            "entityID endet weder auf .IND noch auf .CON";
        NoFile { path: &'static str } = "{path} is missing or empty", "{path} fehlt oder ist leer";
        IndicatorHeadings =
            "FilingIndicators.csv has other headings",
            "FilingIndicators.csv hat andere Überschriften";
        IndicatorTwice { id: Quoted } = "{id} is declared twice", "{id} ist zweimal angegeben";
        IndicatorValue { id: Quoted } =
            "{id} is neither true nor false",
            "{id} ist weder true noch false";
        NoIndicator { template: Template } =
            "{template} has no filing indicator",
            "{template} hat keinen Meldeindikator";
        OtherEntity { expected: String } =
            "entityID is not {expected} as in the name",
            "entityID ist nicht {expected} wie im Namen";
        OtherFile { path: Quoted } = "{path} does not belong into a package", "{path} gehört nicht in ein Paket";
        ParameterHeadings = "parameters.csv has other headings", "parameters.csv hat andere Überschriften";
        NotReported { id: Quoted } = "{id} is declared as not reported", "{id} ist als nicht gemeldet angegeben";
        UnknownColumn { heading: Quoted } =
            "the template has no column {heading}",
            "Die Vorlage hat keine Spalte {heading}";
        ColumnTwice { heading: Quoted } = "the column {heading} stands there twice", "Die Spalte {heading} ist zweimal vorhanden";
        CellCount { line: u64, found: usize, expected: usize } =
            "line {line} has {found} cells where the headings are {expected}",
            "Zeile {line} hat {found} Zellen, die Überschriften sind aber {expected}";
        Unreadable { problem: RecordProblem } = "{problem}", "{problem}";
        NotText = "the file is not UTF-8 text", "Die Datei ist kein UTF-8-Text";
    }

    PackageRemedy {
        Folder = "put everything into one folder that is called like the package", "Bitte alles in einen Ordner legen, der wie das Paket heißt";
        Rename = "name the folder as an export of the register does", "Bitte den Ordner so benennen, wie es ein Export des Registers tut";
        SamePeriod = "use the same day in both places", "Bitte an beiden Stellen denselben Tag verwenden";
        EntryPoint { expected: String } = "extend {expected}", "Bitte {expected} erweitern";
        Indicators = "list all fifteen templates once, each with true", "Bitte alle fünfzehn Vorlagen einmal aufführen, jede mit true";
        Entity = "write rs:, the LEI, a full stop and IND or CON", "Bitte rs:, den LEI, einen Punkt und IND oder CON schreiben";
        AddFile = "add the file", "Bitte die Datei ergänzen";
        IndicatorHeadings = "write templateID,reported", "Bitte templateID,reported schreiben";
        ParameterHeadings = "write name,value", "Bitte name,value schreiben";
        RemoveFile = "remove the file", "Bitte die Datei entfernen";
        OnlyColumns = "use the column codes of the template, each once", "Bitte die Spaltencodes der Vorlage verwenden, jeden einmal";
        CheckCommas = "separate cells by commas and put quotation marks around texts that hold one", "Bitte Zellen durch Kommas trennen und Texte mit Komma in Anführungszeichen setzen";
        SaveAsUtf8 = "save the file as UTF-8", "Bitte die Datei als UTF-8 speichern";
    }
}

impl From<PackageFinding> for CheckMessage {
    fn from(finding: PackageFinding) -> Self {
        Self::Package { finding }
    }
}

impl From<PackageRemedy> for CheckRemedy {
    fn from(remedy: PackageRemedy) -> Self {
        Self::Package { remedy }
    }
}
