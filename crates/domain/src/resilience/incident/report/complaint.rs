//! Violations of a value of a report, or of a report as a whole.

use crate::{
    vocabulary::Word,
    wording::{Label, sentences},
};

use super::field::Kind;

sentences! {
    /// Why a value is invalid, or a report cannot be written as a file.
    ReportComplaint {
        UnknownField = "is no field of the report", "ist kein Feld der Meldung";
        WrongShape { kind: Word } = "must be of this kind: {kind}", "muss von dieser Art sein: {kind}";
        NotAFlag = "must be true or false", "muss Ja oder Nein sein";
        NotAChoice { code: String } =
            "offers no answer {code}: choose one of the official list",
            "kennt die Antwort {code} nicht: bitte aus der amtlichen Liste wählen";
        NothingChosen =
            "must name at least one answer of the official list",
            "muss mindestens eine Antwort der amtlichen Liste nennen";
        Negative = "must not be negative", "darf nicht negativ sein";
        NotAnInteger = "must be a whole number", "muss eine ganze Zahl sein";
        NotAPercentage =
            "must be a percentage like 2.4, without the sign",
            "muss ein Prozentsatz wie 2.4 sein, ohne Prozentzeichen";
        NotADuration =
            "must be days, hours and minutes like 02:13:45, at most 999 days",
            "muss Tage, Stunden und Minuten wie 02:13:45 nennen, höchstens 999 Tage";
        NotAPhone =
            "must be a telephone number with its international prefix, like +49 69 1234567",
            "muss eine Telefonnummer mit internationaler Vorwahl sein, etwa +49 69 1234567";
        Missing = "is mandatory at this stage: fill it in", "ist in dieser Stufe Pflicht: bitte ausfüllen";
        AboveHundred =
            "cannot be more than 100 in the official file: enter 100 and describe the excess in field 2.4",
            "darf in der amtlichen Datei nicht über 100 liegen: bitte 100 eintragen und die Überschreitung in Feld 2.4 beschreiben";
        TooLong =
            "is longer than the 999 days the official file has room for",
            "ist länger als die 999 Tage, für die die amtliche Datei Platz hat";
        Before { other: &'static str, name: Label } =
            "must not be before field {other} ({name})",
            "darf nicht vor Feld {other} ({name}) liegen";
        NoneWithOthers =
            "says none and names authorities: remove one or the other",
            "nennt zugleich keine Behörde und Behörden: bitte eines entfernen";
        OncePerKind { about: Label } =
            "must say exactly one about {about}: actual figures, estimates or no impact",
            "muss zu {about} genau eines sagen: tatsächliche Zahlen, Schätzungen oder keine Auswirkungen";
        DetailWithoutCause { detail: Label } =
            "names {detail}, whose main cause is not chosen in field 4.1",
            "nennt {detail}, deren übergeordnete Ursache in Feld 4.1 nicht gewählt ist";
        CauseWithoutDetail { cause: Label } =
            "must break down {cause}, chosen in field 4.1",
            "muss {cause} aus Feld 4.1 näher einordnen";
        NoCriterionFor { criterion: Label } =
            "has no place in the official file unless field 2.5 names {criterion}",
            "hat in der amtlichen Datei nur Platz, wenn Feld 2.5 {criterion} nennt";
        NamesAndCodes =
            "must list as many names as field 1.6 lists LEIs, in the same order",
            "muss so viele Namen nennen wie Feld 1.6 LEIs, in derselben Reihenfolge";
        NoCriticalServices =
            "must name critical services affected: without them no incident is major",
            "muss betroffene kritische Dienste nennen: Ohne sie ist kein Vorfall schwerwiegend";
        CurrencyNotListed =
            "must be one of the 11 currencies of the official file: convert the amounts",
            "muss eine der 11 Währungen der amtlichen Datei sein: bitte die Beträge umrechnen";
        OtherCurrency =
            "must be in the reporting currency of field 1.15",
            "muss in der Berichtswährung aus Feld 1.15 stehen";
    }
}

impl ReportComplaint {
    pub(super) fn wrong_shape(kind: Kind) -> Self {
        Self::WrongShape { kind: Word::of(kind) }
    }
}
