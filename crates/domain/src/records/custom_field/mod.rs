//! Own fields: what an institution records of a kind besides the fields of the service. An administrator defines them.

mod definition;
mod holding;
mod sent;
mod value;

pub use self::{
    definition::CustomFieldInput,
    holding::{Holding, ValueDigest},
    sent::{CustomInput, Sent, SentValue},
    value::{CustomValue, CustomValues, Decimal},
};

use crate::{
    identifier::{Id, Identified},
    moment::Moment,
    vocabulary::vocabulary,
    wording::{Language, sentences},
};

vocabulary! {
    /// What an own field holds.
    FieldType {
        Text = "text" ("Text", "Text"),
        Number = "number" ("Number", "Zahl"),
        Day = "day" ("Day", "Tag"),
        Choice = "choice" ("Choice", "Auswahl"),
        Person = "person" ("Person", "Person"),
        Flag = "flag" ("Yes or no", "Ja oder nein"),
    }
}

sentences! {
    /// Why an own field or a value of one was refused.
    CustomFieldComplaint {
        NoSuchKind { known: String } =
            "must be one of {known}",
            "muss eines von {known} sein";
        BadKey { most: usize } =
            "must have 1 to {most} small letters, digits and underscores",
            "muss aus 1 bis {most} Kleinbuchstaben, Ziffern und Unterstrichen bestehen";
        KeyTaken =
            "is the key of another field",
            "ist der Schlüssel eines anderen Feldes";
        LabelTaken =
            "is the label of another field of this kind: choose another one",
            "ist die Bezeichnung eines anderen Feldes dieser Art: bitte eine andere wählen";
        TooMany { most: usize } =
            "already has {most} fields: archive one that is no longer used",
            "hat schon {most} Felder: bitte eines archivieren, das nicht mehr gebraucht wird";
        TooManyArchived { most: usize } =
            "already has {most} fields with those in the archive: restore one of them",
            "hat mit denen im Archiv schon {most} Felder: bitte eines davon wiederherstellen";
        Fixed =
            "cannot be changed: archive this field and define another one",
            "lässt sich nicht ändern: bitte dieses Feld archivieren und ein anderes anlegen";
        Choices { most: usize } =
            "must be 1 to {most} different choices",
            "müssen 1 bis {most} verschiedene Werte sein";
        ChoicesOfChoice =
            "belong to a field of the type choice only",
            "gehören nur zu einem Feld der Art Auswahl";
        Place { most: usize } =
            "must be from 1 to {most}",
            "muss von 1 bis {most} reichen";
        NoSuchField { known: String } =
            "is none of the fields: there are {known}",
            "ist keines der Felder: es gibt {known}";
        NoFields =
            "is not defined: an administrator defines the own fields of a kind",
            "ist nicht angelegt: die Administration legt die eigenen Felder einer Art an";
        Archived =
            "is archived: its value can only be removed",
            "ist archiviert: sein Wert kann nur entfernt werden";
        NotAChoice { known: String } =
            "must be one of {known}",
            "muss einer dieser Werte sein: {known}";
        TooManyFilters { most: usize } =
            "must be one of at most {most} own fields that a list is filtered by",
            "muss eines von höchstens {most} eigenen Feldern sein, nach denen eine Liste gefiltert wird";
        NotText =
            "must be a text",
            "muss ein Text sein";
        NotANumber =
            "must be a number such as 12.5",
            "muss eine Zahl sein, etwa 12,5";
        NumberTooLarge =
            "must be a number between -1,000,000,000,000,000 and 1,000,000,000,000,000",
            "muss eine Zahl zwischen -1.000.000.000.000.000 und 1.000.000.000.000.000 sein";
        NotAFlag =
            "must be true or false",
            "muss ja oder nein sein";
    }
}

/// An own field of a kind of record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomField {
    /// The noun of the kind.
    pub kind: String,
    /// Its name in the API and in files.
    pub key: String,
    pub field_type: FieldType,
    pub label: FieldLabel,
    /// What a field of the type `choice` can be.
    pub choices: Vec<String>,
    /// Its place among the fields of the kind, from 1.
    pub place: u64,
    /// Archived fields are not offered any more; records keep their values.
    pub archived_at: Option<Moment>,
}

/// What a field is called: in both languages alike, or with a German text besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLabel {
    pub text: String,
    pub german: Option<String>,
}

impl FieldLabel {
    pub fn text(&self, language: Language) -> &str {
        match (language, &self.german) {
            (Language::German, Some(german)) => german,
            _ => &self.text,
        }
    }

    /// Both texts, folded: they are compared regardless of case.
    fn folded(&self) -> impl Iterator<Item = String> {
        [Some(&self.text), self.german.as_ref()].into_iter().flatten().map(|text| text.trim().to_lowercase())
    }
}

pub type CustomFieldId = Id<CustomField>;

impl Identified for CustomField {
    const PREFIX: &'static str = "cfd";
}

impl CustomField {
    /// The maximum number of fields of a kind that are not archived.
    pub const MOST: usize = 30;
    /// The same with those in the archive.
    pub const MOST_WITH_ARCHIVED: usize = 120;
    pub const LONGEST_KEY: usize = 40;
    pub const LONGEST_LABEL: usize = 60;
    pub const MOST_CHOICES: usize = 50;

    pub fn is_archived(&self) -> bool {
        self.archived_at.is_some()
    }

    /// The name of its values among the fields of a record.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{CUSTOM}.{}", self.key)
    }
}

/// The member of a record that holds the values of its own fields.
pub const CUSTOM: &str = "custom";
