//! Why a portfolio cannot be built or analysed, each with the location and the remedy.

use std::fmt;

use crate::{
    arrangement::ArrangementId,
    currency::Currency,
    moment::Day,
    violation::{FieldName, Violations},
    vocabulary::Word,
    wording::{Language, Reader, Sentence, Shown, sentence, sentence_enums, sentences},
};

use super::question::Basis;

sentence! {
    /// One arrangement that cannot be analysed.
    RowError { reference: String, fault: RowFault } =
        "arrangement {reference}: {fault}",
        "Vereinbarung {reference}: {fault}";
}

sentences! {
    /// What prevents an arrangement from being analysed.
    RowFault {
        NegativeCost =
            "the annual cost is negative: enter what the bank pays",
            "Die jährlichen Kosten sind negativ: bitte eintragen, was die Bank zahlt";
        ZeroCost =
            "the annual cost is zero: enter an estimate when there is no invoice yet",
            "Die jährlichen Kosten sind null: ohne Rechnung bitte eine Schätzung eintragen";
        EndsBeforeStart { start: FieldName, end: FieldName } =
            "it ends before it starts: correct {start} or {end}",
            "Sie endet, bevor sie beginnt: bitte {start} oder {end} berichtigen";
        Cycle(path: Path) =
            "its supply chain runs in a circle: {path}; remove one of these steps",
            "Ihre Lieferkette läuft im Kreis: {path}; bitte einen dieser Schritte entfernen";
        LooseStep { supplier: String, recipient: String } =
            "{supplier} delivers to {recipient}, which is not in this supply chain: add the step that leads to it",
            "{supplier} liefert an {recipient}, das nicht in dieser Lieferkette steht: bitte den Schritt ergänzen, der dorthin führt";
    }
}

impl RowFault {
    pub(super) const BACKWARDS: Self =
        Self::EndsBeforeStart { start: FieldName::StartsOn, end: FieldName::EndsOn };
}

/// The members of a supply chain, in the order of delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<String>);

impl Shown for Path {
    fn shown(&self, _: Reader) -> String {
        self.0.join(" → ")
    }
}

/// A currency without a rate, and an arrangement that needs it.
pub type MissingRate = (Currency, String);

impl Shown for MissingRate {
    fn shown(&self, reader: Reader) -> String {
        let (currency, reference) = self;
        match reader.language() {
            Language::English => format!("{currency} (arrangement {reference})"),
            Language::German => format!("{currency} (Vereinbarung {reference})"),
        }
    }
}

impl Shown for Basis {
    fn shown(&self, reader: Reader) -> String {
        Word::of(*self).shown(reader)
    }
}

sentence_enums! {
    /// Why there is no result. The sentence follows the field that can correct it.
    AnalysisError {
        EmptyRegister =
            "holds no ICT arrangement: add or import arrangements first",
            "enthält keine IKT-Vereinbarung: bitte zuerst Vereinbarungen anlegen oder importieren";
        NothingActive(day: Day) =
            "must be a day with an active ICT arrangement: {day} has none",
            "muss ein Tag mit einer laufenden IKT-Vereinbarung sein: am {day} gibt es keine";
        NothingCritical =
            "must be all, because no active ICT arrangement supports a critical function",
            "muss „Alle“ sein, weil keine laufende IKT-Vereinbarung eine kritische Funktion unterstützt";
        NothingToMeasure(basis: Basis) =
            "must be another one, because the {basis} of all arrangements add up to zero",
            "muss eine andere sein, weil die Summe von „{basis}“ über alle Vereinbarungen null ist";
        MissingRates { base: Currency, missing: Vec<MissingRate> } =
            "must hold the rates to {base} for {missing}",
            "müssen die Kurse nach {base} enthalten für {missing}";
        CostTooLarge(reference: String) =
            "make the annual cost of arrangement {reference} too large: correct the rate or the cost",
            "machen die jährlichen Kosten der Vereinbarung {reference} zu groß: bitte den Kurs oder die Kosten berichtigen";
        TotalTooLarge =
            "holds annual costs that add up to more than can be analysed: correct the largest",
            "enthält jährliche Kosten, deren Summe zu groß für die Analyse ist: bitte die größten berichtigen";
        TwoParents { provider: String, first: String, second: String } =
            "names two ultimate parents of {provider}, {first} and {second}: keep one",
            "nennt für {provider} zwei oberste Mutterunternehmen, {first} und {second}: bitte eines behalten";
        ParentCycle(provider: String) =
            "has a circle in the parents of {provider}: name the undertaking at the top",
            "enthält einen Kreis in den Mutterunternehmen von {provider}: bitte das Unternehmen an der Spitze nennen";
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.field())?;
        self.write(Reader::Program, f)
    }
}

impl std::error::Error for AnalysisError {}

impl Shown for AnalysisError {
    fn shown(&self, reader: Reader) -> String {
        match reader {
            Reader::Program => self.to_string(),
            Reader::Person(language) => self.text(language),
        }
    }
}

sentences! {
    /// Why a simulation has no result.
    SimulationError {
        UnknownArrangement(id: ArrangementId) =
            "{id} is not in the register: only kept arrangements can be changed or ended",
            "{id} steht nicht im Register: nur gespeicherte Vereinbarungen lassen sich ändern oder beenden";
        ChangedTwice(id: ArrangementId) =
            "{id} is named twice: give each arrangement one change",
            "{id} ist zweimal genannt: bitte jeder Vereinbarung nur eine Änderung geben";
        Row(error: RowError) = "{error}", "{error}";
        Analysis(error: AnalysisError) = "{error}", "{error}";
    }
}

impl From<RowError> for SimulationError {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

impl From<AnalysisError> for SimulationError {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(error)
    }
}

impl AnalysisError {
    /// The field of the request, or the register itself.
    pub fn field(&self) -> &'static str {
        match self {
            Self::NothingActive(_) => "as_of",
            Self::NothingCritical => "scope",
            Self::NothingToMeasure(_) => "basis",
            Self::MissingRates { .. } | Self::CostTooLarge(_) => "rates",
            Self::EmptyRegister | Self::TotalTooLarge | Self::TwoParents { .. } | Self::ParentCycle(_) => {
                "register"
            }
        }
    }

    /// Whether there is nothing to analyse, as opposed to an error.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::EmptyRegister | Self::NothingActive(_) | Self::NothingCritical)
    }
}

impl From<AnalysisError> for Violations {
    fn from(error: AnalysisError) -> Self {
        Self::one(error.field(), error)
    }
}
