//! The problems and remedies of an import of the register, in every language.

use super::template::Template;
use crate::{
    currency::Currency,
    moment::Day,
    violation::Complaint,
    wording::{Label, Language, Reader, Shown, sentences},
};

/// A quoted text of the file: short, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted<T = String>(pub T);

impl Quoted {
    pub(super) fn text(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<T: Shown> Shown for Quoted<T> {
    fn shown(&self, reader: Reader) -> String {
        const LONGEST: usize = 60;
        let text = self.0.shown(reader);
        let clean: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        let more = if text.chars().count() > LONGEST { "…" } else { "" };
        match reader.language() {
            Language::English => format!("\"{clean}{more}\""),
            Language::German => format!("„{clean}{more}“"),
        }
    }
}

impl Shown for Template {
    fn shown(&self, _: Reader) -> String {
        self.id().to_owned()
    }
}

sentences! {
    /// What is wrong.
    RegisterFinding {
        NoSuchColumn = "the template has no such column", "Die Vorlage hat keine solche Spalte";
        NoSuchFlatColumn = "there is no such column", "Eine solche Spalte gibt es nicht";
        ColumnTwice = "the column stands there twice", "Die Spalte ist zweimal vorhanden";
        ColumnMissing = "the column is missing", "Die Spalte fehlt";
        TitledColumnMissing { title: Quoted<Label> } =
            "the column {title} is missing",
            "Die Spalte {title} fehlt";
        TemplateHeadings { found: usize, known: usize } =
            "there are {found} headings where the template has {known}",
            "Es sind {found} Überschriften, die Vorlage hat aber {known}";
        FlatHeadings { found: usize, known: usize } =
            "there are {found} headings where the table has {known}",
            "Es sind {found} Überschriften, die Tabelle hat aber {known}";
        TableTwice = "the table comes twice", "Die Tabelle ist zweimal vorhanden";
        TableMissing { title: Quoted<Label> } = "the table {title} is missing", "Die Tabelle {title} fehlt";
        TooManyRows { most: u32 } =
            "the table has more than {most} rows",
            "Die Tabelle hat mehr als {most} Zeilen";
        FieldCount { found: usize, expected: usize } =
            "the row has {found} fields where the heading has {expected}",
            "Die Zeile hat {found} Felder, die Kopfzeile aber {expected}";
        LongRow = "the row is longer than 1 MiB", "Die Zeile ist länger als 1 MiB";
        WideRow { most: usize } =
            "the row has more than {most} fields",
            "Die Zeile hat mehr als {most} Felder";
        Unreadable { problem: String } =
            "the table cannot be read: {problem}",
            "Die Tabelle lässt sich nicht lesen: {problem}";
        NotText = "the row cannot be read as UTF-8 text", "Die Zeile lässt sich nicht als UTF-8-Text lesen";
        EmptyCell = "the cell is empty", "Die Zelle ist leer";
        Cell { text: Quoted, complaint: Box<Complaint> } = "{text} {complaint}", "{text} {complaint}";
        BlankCell { complaint: Box<Complaint> } = "the cell {complaint}", "Die Zelle {complaint}";
        Rank = "a rank starts at 1 and is below 65536", "Ein Rang beginnt bei 1 und liegt unter 65536";
        NegativeAssets = "total assets are negative", "Die Bilanzsumme ist negativ";
        NegativeExpense = "the annual expense is negative", "Die jährlichen Ausgaben sind negativ";
        FreeStandalone =
            "a standalone arrangement costs nothing",
            "Eine eigenständige Vereinbarung kostet nichts";
        EndsBeforeStart { day: Day } =
            "the arrangement ends before it starts on {day}",
            "Die Vereinbarung endet, bevor sie am {day} beginnt";
        NotAnActivity { text: Quoted } =
            "{text} is not a licensed activity",
            "{text} ist keine zugelassene Tätigkeit";
        NonFinancial =
            "a non-financial entity does not maintain a register",
            "Ein Unternehmen außerhalb des Finanzsektors führt kein Register";
        NoReason =
            "the provider is hard to substitute, but no reason is given",
            "Der Dienstleister ist schwer zu ersetzen, aber es ist kein Grund angegeben";
        Stands { text: Quoted, row: u32 } =
            "{text} stands in row {row} already",
            "{text} steht schon in Zeile {row}";
        KeyStands { key: Quoted<RecordKey>, place: KnownPlace } =
            "the key {key} stands {place}",
            "Der Schlüssel {key} steht {place}";
        ParentTwice { code: Quoted, first: String, second: String } =
            "{code} has two ultimate parents, {first} and {second}",
            "{code} hat zwei oberste Mutterunternehmen, {first} und {second}";
        ParentDiffers { provider: String, here: String, there: String, row: u32 } =
            "{provider} has the parent {here} here and {there} in row {row}",
            "{provider} hat hier das Mutterunternehmen {here} und in Zeile {row} {there}";
        ParentWithoutName =
            "the parent has a LEI but no name",
            "Das Mutterunternehmen hat einen LEI, aber keinen Namen";
        NotUltimate { parent: String, above: String } =
            "the ultimate parent {parent} has itself the parent {above}",
            "Das oberste Mutterunternehmen {parent} hat selbst das Mutterunternehmen {above}";
        CodeDiffers { code: Quoted, here: &'static str, there: &'static str } =
            "{code} is called {here} here and {there} in B_05.01",
            "{code} heißt hier {here} und in B_05.01 {there}";
        LegalPerson { name: Quoted, kind: &'static str } =
            "{name} is a legal person identified by {kind}",
            "{name} ist eine juristische Person, die durch {kind} bezeichnet ist";
        FunctionOfOthers { function: String, entity: String } =
            "{entity} has no function {function}, only other entities do",
            "{entity} hat keine Funktion {function}, nur andere Unternehmen haben sie";
        NotIn { key: Quoted, target: Template } = "{key} is not in {target}", "{key} steht nicht in {target}";
        NoFramework =
            "a subsequent arrangement names no overarching one",
            "Eine nachgelagerte Vereinbarung nennt keine übergreifende";
        NotAFramework { reference: Quoted } =
            "{reference} is not an overarching arrangement",
            "{reference} ist keine übergreifende Vereinbarung";
        TwoCurrencies { reference: Quoted, theirs: Currency, ours: Currency } =
            "the expense of the framework {reference} is in {theirs}, that of this arrangement in {ours}",
            "Die Ausgaben der Rahmenvereinbarung {reference} sind in {theirs}, die dieser Vereinbarung in {ours}";
        OtherRecipient =
            "a provider at rank 1 has another recipient",
            "Ein Dienstleister auf Rang 1 hat einen anderen Empfänger";
        NoRecipient =
            "a provider above rank 1 has no recipient",
            "Ein Dienstleister über Rang 1 hat keinen Empfänger";
        Circle { path: String } =
            "the supply chain runs in a circle: {path}",
            "Die Lieferkette läuft im Kreis: {path}";
        LooseRecipient { recipient: Quoted } =
            "the recipient {recipient} is not in this supply chain",
            "Der Empfänger {recipient} steht nicht in dieser Lieferkette";
        WrongRank { rank: u16, recipient: Quoted, before: u16 } =
            "rank {rank} delivers to {recipient}, which is not at rank {before}",
            "Rang {rank} liefert an {recipient}, das nicht auf Rang {before} steht";
    }

    /// Where a key occurred before.
    KnownPlace {
        Register = "in the register already", "schon im Register";
        Row { row: u32 } = "in row {row} already", "schon in Zeile {row}";
    }

    /// The key of a template's record.
    RecordKey {
        Plain { key: String } = "{key}", "{key}";
        Maintainer = "more than one entity", "mehr als ein Unternehmen";
        ContractLine { contract: String, function: String, service: &'static str } =
            "{contract} for {function} and {service}",
            "{contract} für {function} und {service}";
        ChainLink { contract: String, service: &'static str, provider: String, rank: u16 } =
            "{contract} {service} {provider} at rank {rank}",
            "{contract} {service} {provider} auf Rang {rank}";
        Function { id: String, entity: String } = "{id} of {entity}", "{id} von {entity}";
        Assessment { contract: String, provider: String, service: &'static str } =
            "{contract} {provider} {service}",
            "{contract} {provider} {service}";
    }

    /// The remedy.
    RegisterRemedy {
        Help { help: Label } = "{help}", "{help}";
        OnlyColumns { template: Template } =
            "keep only the columns of {template}, each once",
            "bitte nur die Spalten von {template} behalten, jede einmal";
        OnlyTemplateColumns =
            "keep only the columns of the template",
            "bitte nur die Spalten der Vorlage behalten";
        AddColumn = "add it to the file", "bitte in der Datei ergänzen";
        UseTemplate = "use the downloadable template", "bitte die herunterladbare Vorlage verwenden";
        KeepOne = "keep one of them", "bitte eine davon behalten";
        OneFileEach = "keep one file of each template", "bitte je Vorlage eine Datei behalten";
        AddFile { file: String } = "add the file {file}", "bitte die Datei {file} ergänzen";
        SplitRegister = "split the register", "bitte das Register aufteilen";
        SplitFile = "split the file", "bitte die Datei aufteilen";
        QuoteCommas =
            "put quotes around fields that hold a comma",
            "bitte Felder mit Komma in Anführungszeichen setzen";
        CheckLineEnd =
            "check its line end and its quotation marks",
            "bitte das Zeilenende und die Anführungszeichen prüfen";
        SendAgain = "send the file again", "bitte die Datei noch einmal senden";
        SaveAsUtf8 = "save the CSV file as UTF-8", "bitte die CSV-Datei als UTF-8 speichern";
        Enter { title: Quoted<Label> } = "enter the {title}", "bitte {title} eintragen";
        CleanText = "shorten or clean the text", "bitte den Text kürzen oder bereinigen";
        LookUpLei = "look the LEI up and correct it", "bitte den LEI nachschlagen und berichtigen";
        WriteCountry = "write DE or eba_GA:DE", "bitte DE oder eba_GA:DE schreiben";
        WriteCurrency =
            "write the currency itself, as EUR or eba_CU:EUR",
            "bitte die Währung selbst schreiben, etwa EUR oder eba_CU:EUR";
        UseList = "use a value of the list", "bitte einen Wert der Liste verwenden";
        UseLeiOrEuid = "use LEI or EUID for companies", "bitte für Unternehmen LEI oder EUID verwenden";
        WriteService = "write S17 or eba_TA:S17", "bitte S17 oder eba_TA:S17 schreiben";
        WriteDay =
            "write year, month and day; 9999-12-31 stands for none",
            "bitte Jahr, Monat und Tag schreiben; 9999-12-31 steht für keinen";
        WriteNumber =
            "write a whole number without separators",
            "bitte eine ganze Zahl ohne Trennzeichen schreiben";
        WriteRank =
            "write 1 for the direct provider, 2 for its supplier, and so on",
            "bitte 1 für den direkten Dienstleister schreiben, 2 für dessen Zulieferer und so weiter";
        WriteAmount =
            "write the amount in major units, like 1250.50",
            "bitte den Betrag in ganzen Einheiten schreiben, etwa 1250.50";
        EnterAssets = "enter the value of total assets", "bitte die Bilanzsumme eintragen";
        EnterExpense = "enter what the entities pay", "bitte eintragen, was die Unternehmen zahlen";
        EnterEstimate =
            "enter the annual expense or an estimate above zero",
            "bitte die jährlichen Ausgaben oder eine Schätzung über null eintragen";
        CorrectPeriod =
            "correct the start or the end; 9999-12-31 stands for no end",
            "bitte Beginn oder Ende berichtigen; 9999-12-31 steht für kein Ende";
        UseActivity =
            "use a code of the list, like eba_TA:x162, or its name",
            "bitte einen Code der Liste wie eba_TA:x162 oder den Namen verwenden";
        EnterMaintainerKind =
            "enter the type of the financial entity that maintains it",
            "bitte die Art des Finanzunternehmens eintragen, das es führt";
        UseReason =
            "use eba_ZZ:x963, eba_ZZ:x964 or eba_ZZ:x965",
            "bitte eba_ZZ:x963, eba_ZZ:x964 oder eba_ZZ:x965 verwenden";
        OwnReference =
            "give every arrangement its own reference",
            "bitte jeder Vereinbarung ein eigenes Kennzeichen geben";
        KeepOneRow = "keep one of the rows", "bitte eine der Zeilen behalten";
        KeepRightParent =
            "keep the row with the right parent",
            "bitte die Zeile mit dem richtigen Mutterunternehmen behalten";
        OneParent =
            "name one ultimate parent, with the same LEI, in every row",
            "bitte in jeder Zeile dasselbe oberste Mutterunternehmen mit demselben LEI nennen";
        NameTop =
            "name the undertaking at the top of the group",
            "bitte das Unternehmen an der Spitze der Gruppe nennen";
        SameCode = "use the same type of code in both", "bitte in beiden dieselbe Art von Code verwenden";
        IdentifyCompanies =
            "identify companies by LEI or EUID",
            "bitte Unternehmen durch LEI oder EUID bezeichnen";
        AddFunction { entity: String } =
            "add the function of {entity} to B_06.01, or correct the identifier",
            "bitte die Funktion von {entity} in B_06.01 ergänzen oder die Kennung berichtigen";
        AddTo { target: Template } =
            "add it to {target} as c0010, or correct it here",
            "bitte in {target} als c0010 ergänzen oder hier berichtigen";
        EnterFramework =
            "enter the reference of its framework",
            "bitte das Kennzeichen der Rahmenvereinbarung eintragen";
        CorrectFramework =
            "correct the reference, or its type to eba_CO:x2",
            "bitte das Kennzeichen berichtigen oder dessen Art auf eba_CO:x2 setzen";
        OneCurrency = "report both in one currency", "bitte beide in einer Währung angeben";
        OwnCodeAtOne =
            "repeat the provider's own code at rank 1",
            "bitte auf Rang 1 den eigenen Code des Dienstleisters wiederholen";
        EnterRecipient = "enter whom it delivers to", "bitte eintragen, an wen geliefert wird";
        RemoveStep = "remove one of these steps", "bitte einen dieser Schritte entfernen";
        AddLink =
            "add its own row for this contract and type of service, or correct it",
            "bitte dafür eine eigene Zeile zu diesem Vertrag und dieser Dienstart ergänzen oder berichtigen";
        RankAfterRecipient =
            "give a supplier the rank after its recipient's",
            "bitte einem Zulieferer den Rang nach dem seines Empfängers geben";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_short_and_marked_as_the_language_does() {
        let long = Quoted("x".repeat(70));
        assert_eq!(long.shown(Reader::Program), format!("\"{}…\"", "x".repeat(60)));
        assert_eq!(Quoted::text("a\u{7}b").shown(Reader::Person(Language::German)), "„ab“");
    }
}
