//! Violations of the rules of one kind of record.

use std::fmt;

use crate::{
    moment::Day,
    violation::FieldName,
    vocabulary::Word,
    wording::{Label, Language, Reader, Sentence, Shown, sentence_traits, sentences},
};

sentences! {
    /// Why a record cannot be stored, changed or deleted.
    RecordComplaint {
        NoSuchRecord { typed: String } =
            "“{typed}” is none of your records: enter a reference such as C-0003, a title, or an id",
            "„{typed}“ ist keiner Ihrer Datensätze: bitte eine Referenz wie C-0003, einen Titel oder eine Kennung angeben";
        SeveralRecords { typed: String } =
            "“{typed}” is the title of several records: choose one by its reference",
            "„{typed}“ heißen mehrere Datensätze: bitte einen über seine Referenz wählen";
        BeforeProgramme { day: Day } =
            "must not be before the programme starts ({day})",
            "darf nicht vor dem Beginn des Programms ({day}) liegen";
        BeforeDetection { day: Day } =
            "must not be before the finding was detected ({day})",
            "darf nicht vor der Entdeckung der Feststellung ({day}) liegen";
        NotAControl =
            "must be the id of one of your controls",
            "muss eine Ihrer Kontrollen sein";
        NotAMeasure =
            "is not the id of a measure in the catalogue",
            "ist keine Maßnahme des Katalogs";
        NoSuchRequirement { typed: String } =
            "“{typed}” is no requirement: choose one that is suggested, or enter an id such as dora-art-05-01",
            "„{typed}“ ist keine Anforderung: bitte eine vorgeschlagene wählen oder eine Kennung wie dora-art-05-01 eintragen";
        SeveralRequirements { typed: String } =
            "“{typed}” names several requirements: choose one that is suggested",
            "„{typed}“ nennt mehrere Anforderungen: bitte eine vorgeschlagene wählen";
        NotEvidence = "must be the id of one of your pieces of evidence", "muss einer Ihrer Nachweise sein";
        NotRetested =
            "cannot become closed without a passed retest since the finding was last opened: record a retest first",
            "lässt sich erst nach einem bestandenen Nachtest seit der letzten Öffnung schließen: bitte zuerst einen Nachtest erfassen";
        NoActualResult =
            "must say what happened when a test fails",
            "muss bei einem nicht bestandenen Test nennen, was geschehen ist";
        NotARequirement =
            "is not the id of a requirement in the catalogue or in an own framework in force",
            "ist keine Anforderung des Katalogs oder eines geltenden eigenen Rahmenwerks";
        OtherProgramme { field: FieldName } =
            "must be the programme of the test case; clear {field} to part them",
            "muss das Programm des Testfalls sein; sonst bitte das Feld {field} leeren";
        NoAcceptance =
            "must give the reason and the last day (until) while the risk is accepted",
            "muss Begründung und letzten Tag nennen, solange das Risiko akzeptiert ist";
        StrayAcceptance =
            "is only for an accepted risk; set status to risk_accepted as well",
            "gilt nur für ein akzeptiertes Risiko; bitte zugleich den Status auf „Risiko akzeptiert“ setzen";
        Fixed { remedy: FixedField } = "cannot be changed; {remedy}", "lässt sich nicht ändern; {remedy}";
        BundleNotMade = "is not made yet: ask again in a moment", "ist noch nicht fertig: bitte gleich noch einmal versuchen";
        BundleInHand =
            "cannot be asked for yet: another bundle of the institution is being made",
            "lässt sich noch nicht anfordern: Ein anderes Paket des Instituts wird gerade erstellt";
        BundleInTheMaking =
            "is being made: delete it once it is finished",
            "wird gerade erstellt: bitte löschen, sobald es fertig ist";
        NoSearchOfThePast =
            "cannot be combined with as_of: the search knows the texts of today",
            "lässt sich nicht mit einem früheren Stand verbinden: die Suche kennt nur die heutigen Texte";
        NotYourFinding = "is not one of your findings", "ist keine Ihrer Feststellungen";
        BulkSize { most: usize } =
            "must name 1 to {most} findings",
            "muss 1 bis {most} Feststellungen nennen";
        ProgrammeInUse { test_cases: u64, findings: u64 } =
            "has test cases ({test_cases}) or findings ({findings}): delete them first, or archive the programme",
            "hat Testfälle ({test_cases}) oder Feststellungen ({findings}): bitte zuerst löschen oder das Programm archivieren";
        TestCaseInUse { findings: u64 } =
            "has findings ({findings}): delete them or clear their test_case_id first",
            "hat Feststellungen ({findings}): bitte zuerst löschen oder vom Testfall lösen";
        RepeatedFunction =
            "names a function again: name each once",
            "nennt eine Funktion noch einmal: bitte jede nur einmal nennen";
        Circle { path: String } =
            "runs in a circle: {path}; remove one of these steps",
            "läuft im Kreis: {path}; bitte einen dieser Schritte entfernen";
        LooseStep { recipient: String } =
            "delivers to {recipient}, which is not in this chain: add the step that leads to it",
            "liefert an {recipient}, das nicht in dieser Kette steht: bitte den Schritt ergänzen, der dorthin führt";
        NotAnArrangement =
            "is not an arrangement of the register",
            "ist keine Vereinbarung des Registers";
        NoChanges =
            "must name at least one change: choose an arrangement to end or to change",
            "muss mindestens eine Änderung nennen: bitte eine Vereinbarung zum Beenden oder Ändern wählen";
        WebhookOff =
            "is false: switch the webhook on with PATCH first, then send again",
            "ist ausgeschaltet: bitte zuerst den Webhook einschalten, dann erneut senden";
        NotMissed { state: Word } =
            "is {state}: only deliveries that were missed can be sent again",
            "ist „{state}“: nur verpasste Zustellungen lassen sich erneut senden";
    }

    /// The remedy for changing a field that is fixed once the record exists.
    #[derive(Copy)]
    FixedField {
        ProgrammeOfTestCase =
            "create a test case in the other programme and cancel this one",
            "bitte einen Testfall im anderen Programm anlegen und diesen absagen";
        ScenarioOfDrillRun =
            "cancel this run and plan one of the other scenario",
            "bitte diese Übung absagen und eine mit dem anderen Szenario planen";
        StartOfClocks =
            "withdraw the report and create a new one",
            "bitte die Meldung zurückziehen und eine neue anlegen";
        FrozenPackage =
            "freeze a new filing",
            "bitte eine neue Einreichung einfrieren";
    }
}

/// Why a record cannot have the requested status, with the allowed transitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusComplaint {
    /// The record with its article.
    pub noun: Label,
    /// Boxed, because a violation is returned as an error everywhere and this is its largest part.
    pub problem: Box<StatusProblem>,
    /// The allowed next states.
    pub next: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusProblem {
    Unknown {
        known: Vec<Word>,
        from: Word,
    },
    AlreadyThere {
        at: Word,
    },
    NotAllowed {
        from: Word,
        to: Word,
    },
    /// A new record starts in its first state.
    NotInitial {
        initial: Word,
    },
}

impl Sentence for StatusComplaint {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match reader.language() {
            Language::English => self.english(reader, f),
            Language::German => self.german(reader, f),
        }
    }
}

impl StatusComplaint {
    fn english(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.noun.en;
        let from = match &*self.problem {
            StatusProblem::NotInitial { initial } => {
                let initial = initial.shown(reader);
                return write!(f, "must be {initial} for {noun} that is new; create it first, then move it");
            }
            StatusProblem::Unknown { known, from } => {
                write!(f, "must be one of {}; ", known.shown(reader))?;
                from
            }
            StatusProblem::AlreadyThere { at } => {
                write!(f, "is already {}; ", at.shown(reader))?;
                at
            }
            StatusProblem::NotAllowed { from, to } => {
                write!(f, "cannot go from {} to {}; ", from.shown(reader), to.shown(reader))?;
                from
            }
        };
        match self.next.as_slice() {
            [] => write!(f, "{} is final for {noun}", from.shown(reader)),
            _ => write!(f, "from {} {noun} can go to {}", from.shown(reader), self.next.shown(reader)),
        }
    }

    fn german(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.noun.de;
        let from = match &*self.problem {
            StatusProblem::NotInitial { initial } => {
                let initial = initial.shown(reader);
                return write!(
                    f,
                    "muss „{initial}“ sein, solange {noun} neu ist; bitte erst anlegen, dann weitersetzen"
                );
            }
            StatusProblem::Unknown { known, from } => {
                write!(f, "muss einer dieser Werte sein: {}; ", known.shown(reader))?;
                from
            }
            StatusProblem::AlreadyThere { at } => {
                write!(f, "ist schon „{}“; ", at.shown(reader))?;
                at
            }
            StatusProblem::NotAllowed { from, to } => {
                let (from, to) = (from.shown(reader), to.shown(reader));
                write!(f, "kann nicht von „{from}“ zu „{to}“ wechseln; ")?;
                return self.german_next(&from, reader, f);
            }
        };
        self.german_next(&from.shown(reader), reader, f)
    }

    fn german_next(&self, from: &str, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.noun.de;
        match self.next.as_slice() {
            [] => write!(f, "„{from}“ ist für {noun} endgültig"),
            _ => write!(f, "von „{from}“ aus ist möglich: {}", self.next.shown(reader)),
        }
    }
}

sentence_traits!(StatusComplaint);
