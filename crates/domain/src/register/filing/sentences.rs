//! What the checks of a filing find, why, and what to do about it.

use crate::{
    moment::Day,
    register::{Quoted, Template, release::ColumnCode},
    violation::{Reader, Shown, sentences},
    wording::Label,
};

impl Shown for ColumnCode {
    fn shown(&self, _: Reader) -> String {
        self.to_string()
    }
}

sentences! {
    /// Why a check fails.
    CheckMessage {
        NoData = "no template has a row", "Keine Vorlage hat eine Zeile";
        NoMaintainer =
            "B_01.01 names no entity, so the report has no sender",
            "B_01.01 nennt kein Unternehmen; die Meldung hat keinen Absender";
        FutureReport { day: Day } =
            "the reference date {day} is in the future",
            "Der Stichtag {day} liegt in der Zukunft";
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
            "{title} fehlt, obwohl der Anbieter Daten speichert";
        NotAssessed { contract: String, provider: String, service: String } =
            "B_07.01 has no row for {contract}, {provider}, {service}, which supports a critical or important function",
            "B_07.01 hat keine Zeile für {contract}, {provider}, {service}, obwohl eine kritische oder wichtige Funktion unterstützt wird";
        NeverAssessed =
            "the function is critical or important, but its criticality has no day of assessment",
            "Die Funktion ist kritisch oder wichtig, aber ihre Kritikalität hat kein Bewertungsdatum";
        NoExpense { title: Quoted<Label> } =
            "{title} is empty for a provider that signs a contract",
            "{title} ist bei einem Anbieter leer, der einen Vertrag unterzeichnet";
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
        SecondRow = "the template takes one row only", "Die Vorlage nimmt nur eine Zeile auf";
    }

    /// What to do.
    CheckRemedy {
        AddRows = "import a package or add rows", "Bitte ein Paket importieren oder Zeilen anlegen";
        AddMaintainer =
            "add the entity that maintains the register to B_01.01",
            "Bitte das registerführende Unternehmen in B_01.01 eintragen";
        EarlierDay = "choose a day that has passed", "Bitte einen vergangenen Tag wählen";
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
        OneRow = "keep one row and remove the others", "Bitte eine Zeile behalten und die anderen entfernen";
    }
}
