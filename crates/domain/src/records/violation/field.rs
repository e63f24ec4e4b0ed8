//! Violations that any field of any record can have.

use crate::{
    moment::Day,
    vocabulary::vocabulary,
    wording::{Language, Reader, Shown, sentences},
};

vocabulary! {
    /// A field that a sentence about another field mentions.
    FieldName {
        StartsOn = "starts_on" ("Starts on", "Beginnt am"),
        CollectedOn = "collected_on" ("Collected on", "Erhoben am"),
        EndsOn = "ends_on" ("Ends on", "Endet am"),
        TestCase = "test_case_id" ("Test case", "Testfall"),
        From = "from" ("From", "Von"),
        Until = "until" ("Until", "Bis"),
        Name = "name" ("Name", "Name"),
        Lei = "lei" ("LEI", "LEI"),
        SupplierName = "supplier.name" ("Subcontractor", "Unterauftragnehmer"),
        SupplierLei = "supplier.lei" ("LEI of the subcontractor", "LEI des Unterauftragnehmers"),
        RecipientName = "recipient.name" ("Delivers to", "Liefert an"),
        RecipientLei = "recipient.lei" ("LEI of the recipient", "LEI des Empfängers"),
    }
}

impl Shown for FieldName {
    fn shown(&self, reader: Reader) -> String {
        match reader {
            Reader::Program => self.as_str().to_owned(),
            Reader::Person(Language::English) => format!("“{}”", self.label().en),
            Reader::Person(Language::German) => format!("„{}“", self.label().de),
        }
    }
}

sentences! {
    /// Why a field was refused.
    FieldComplaint {
        Required = "is required", "fehlt";
        Null = "must not be null", "darf nicht leer sein";
        TooManyItems { most: usize, found: usize } =
            "must have at most {most} items, not {found}",
            "darf höchstens {most} Einträge haben, nicht {found}";
        NotInTheFuture = "must not be in the future", "darf nicht in der Zukunft liegen";
        NotInThePast = "must be in the future", "muss in der Zukunft liegen";
        NotALaterDay = "must be a day in the future", "muss ein Tag in der Zukunft sein";
        Before { field: FieldName, day: Day } =
            "must not be before {field} ({day})",
            "darf nicht vor {field} ({day}) liegen";
        BeforeStart { field: FieldName, day: Day } =
            "must not be before {field}, which is {day}",
            "darf nicht vor {field} ({day}) liegen";
        QuotaReached { most: u64, setting: &'static str } =
            "are {most} already, the most an institution may have: delete one, or have the operator raise {setting}",
            "sind schon {most}, mehr darf ein Institut nicht haben: bitte löschen oder beim Betrieb {setting} erhöhen lassen";
        OtherCursor =
            "belongs to another question: send it with the parameters it was given for, or begin again without it",
            "gehört zu einer anderen Abfrage: bitte mit denselben Parametern senden oder ohne ihn neu beginnen";
        NotWhole = "must be a whole number", "muss eine ganze Zahl sein";
        NotANumber = "must be a number", "muss eine Zahl sein";
        NotYesOrNo = "must be one of yes, no", "muss ja oder nein sein";
        NoSearchWords = "is required: the words to search for", "fehlt: bitte Suchwörter angeben";
        IdempotencyKey =
            "must be 1 to 255 printable ASCII characters",
            "muss aus 1 bis 255 druckbaren ASCII-Zeichen bestehen";
        IdempotencyReused =
            "was used for another request: send a new key with a new request",
            "wurde für eine andere Anfrage verwendet: bitte für eine neue Anfrage einen neuen Schlüssel senden";
    }
}
