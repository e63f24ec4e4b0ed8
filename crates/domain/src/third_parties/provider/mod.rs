//! A provider of ICT services, with the institution's own data about it.
//!
//! Name, LEI and country come from the register of information and are never changed here; the record adds what the
//! register does not contain: an owner, a rating, the cadence of reviews, and the notice period.

mod clause;
mod input;
mod review;
mod review_input;
mod score;
#[cfg(test)]
mod tests;

use crate::{
    calendar::months_after,
    country::Country,
    field::fields,
    identifier::{Id, Identified},
    lei::Lei,
    moment::Day,
    text::{Name, Prose},
    tone::Tone,
    user::Email,
    vocabulary::vocabulary,
    wording::sentences,
};

pub use self::{
    clause::{ClauseInput, ClauseState, ClauseStatement},
    input::ProviderInput,
    review::{
        Answer, AnswerKind, MOST_FILES, Questions, Review, ReviewAnswer, ReviewFile, ReviewId, ReviewStatus,
    },
    review_input::{AnswerInput, AnswersInput, Kinds, NewReviewInput, SubmissionInput},
    score::{Dimension, ReviewScores, Weighed},
};

vocabulary! {
    /// The risk of the provider, in the institution's own judgement.
    ProviderRating {
        Low = "low" ("Low", "Gering"),
        Medium = "medium" ("Medium", "Mittel"),
        High = "high" ("High", "Hoch"),
        Critical = "critical" ("Critical", "Kritisch"),
    }
}

vocabulary! {
    /// Whether a provider was reviewed, and when the next review is due.
    ReviewState {
        NotReviewed = "not_reviewed" ("Not reviewed yet", "Noch nicht geprüft"),
        Current = "current" ("Current", "Aktuell"),
        DueSoon = "due_soon" ("Due soon", "Bald fällig"),
        Overdue = "overdue" ("Overdue", "Überfällig"),
    }
}

impl ReviewState {
    pub fn tone(self) -> Tone {
        match self {
            Self::NotReviewed => Tone::Neutral,
            Self::Current => Tone::Good,
            Self::DueSoon => Tone::Warning,
            Self::Overdue => Tone::Critical,
        }
    }
}

sentences! {
    /// Violations of a provider, its clauses or its reviews.
    ProviderComplaint {
        Months =
            "must be a whole number of months from 1 to 60",
            "muss eine ganze Zahl von Monaten zwischen 1 und 60 sein";
        FromRegister =
            "comes from the register: change it in the arrangement or in template B_05.01",
            "kommt aus dem Register: bitte in der Vereinbarung oder im Meldebogen B_05.01 ändern";
        NotAnArchetype =
            "must be the id of an archetype of the catalogue",
            "muss ein Archetyp des Katalogs sein";
        NoContact =
            "is missing: enter the address of a person at the provider first",
            "fehlt: bitte zuerst die Adresse einer Ansprechperson beim Dienstleister eintragen";
        MailedLately { minutes: i64 } =
            "was sent less than an hour ago: please wait {minutes} more minutes, or hand the link over yourself",
            "ging vor weniger als einer Stunde hinaus: bitte noch {minutes} Minuten warten oder den Link selbst weitergeben";
        NoMailServer =
            "cannot go out by mail, because no mail server is set: hand the link over yourself",
            "lässt sich nicht per E-Mail versenden, weil kein Mailserver eingestellt ist: bitte den Link selbst weitergeben";
        TooManyFiles { most: usize } =
            "is one too many: a questionnaire takes at most {most} files",
            "ist eine zu viel: ein Fragebogen nimmt höchstens {most} Dateien auf";
        NotASubcontractor =
            "is not the name of a subcontractor in the contracts of this provider",
            "ist kein Unterauftragnehmer in den Verträgen dieses Dienstleisters";
        NotAClause =
            "is not a clause that this arrangement needs",
            "ist keine Klausel, die für diese Vereinbarung gilt";
        NotAQuestion =
            "is not a question of this review",
            "ist keine Frage dieser Prüfung";
        ValueOfYesNo =
            "has no value: answer the question with yes, partly, no or not_applicable",
            "hat keinen Wert: bitte die Frage mit Ja, Teilweise, Nein oder Nicht zutreffend beantworten";
        ValueOfFile =
            "has no value: name the evidence that answers the question",
            "hat keinen Wert: bitte den Nachweis nennen, der die Frage beantwortet";
        NotANumber =
            "must be a number from 0 on, such as 4 or 0.5",
            "muss eine Zahl ab 0 sein, etwa 4 oder 0,5";
        TwiceAnswered =
            "names a question again: answer each once",
            "nennt eine Frage noch einmal: bitte jede nur einmal beantworten";
        NoQuestions =
            "finds no question in the catalogue",
            "findet keine Frage im Katalog";
        Running =
            "cannot be started while another review of the provider is open: finish or cancel that one first",
            "kann nicht beginnen, solange eine andere Prüfung des Dienstleisters offen ist: bitte zuerst jene abschließen oder abbrechen";
        AnswersClosed =
            "cannot be changed any more: the review is closed",
            "lassen sich nicht mehr ändern: die Prüfung ist abgeschlossen";
        NotSendable =
            "can be sent only while the review is open",
            "lässt sich nur versenden, solange die Prüfung offen ist";
        AlreadySubmitted =
            "was submitted already and can only be read",
            "wurde bereits abgegeben und lässt sich nur noch lesen";
        NothingAnswered =
            "needs at least one answer",
            "braucht mindestens eine Antwort";
        NotANo =
            "was not answered with no, or is no key question",
            "wurde nicht mit Nein beantwortet oder ist keine Schlüsselfrage";
        HasFinding =
            "has become a finding already",
            "ist bereits eine Feststellung geworden";
        Kept =
            "cannot be deleted: cancel the review instead",
            "lässt sich nicht löschen: bitte die Prüfung abbrechen";
    }
}

/// A review is due soon when its day is at most so many days ahead.
pub const SOON_DAYS: i64 = 30;

/// So many months after the day.
fn months_later(day: Day, months: u32) -> Day {
    months_after(day, i32::try_from(months).unwrap_or(i32::MAX))
}

vocabulary! {
    /// The orders of a list of providers: a field, with a minus sign for descending. The first is the default.
    ProviderSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Name = "name" ("By name", "Nach Name"),
        NameFalling = "-name" ("By name, last first", "Nach Name, letzte zuerst"),
        Review = "next_review_on" ("Review first", "Zuerst zu prüfende"),
        ReviewFalling = "-next_review_on" ("Review last first", "Zuletzt zu prüfende zuerst"),
    }
}

/// The content of a provider, without its id and its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// From the register.
    pub name: Name,
    /// From the register.
    pub lei: Option<Lei>,
    /// From the register.
    pub country: Country,
    pub owner: Option<Name>,
    pub rating: Option<ProviderRating>,
    /// The id of the archetype of the catalogue it is held against.
    pub archetype: Option<Name>,
    /// Who is asked at the provider.
    pub contact: Option<Email>,
    /// How many months after a review the next one is due.
    pub review_months: Option<u32>,
    /// The notice period of contracts that have none of their own, in days.
    pub notice_days: Option<u32>,
    pub note: Option<Prose>,
    /// When the last review was completed.
    pub last_review_on: Option<Day>,
    pub next_review_on: Option<Day>,
    /// Of the last completed review.
    pub scores: Option<ReviewScores>,
}

pub type ProviderId = Id<Provider>;

impl Identified for Provider {
    const PREFIX: &'static str = "prv";
}

fields! {
    /// The fields of a provider.
    Provider {
        NAME,
        LEI = "lei" ("LEI", "LEI"),
        COUNTRY = "country" ("Country", "Land"),
        PARENT = "parent" ("Ultimate parent", "Oberstes Mutterunternehmen"),
        CRITICAL = "critical" ("Critical or important", "Kritisch oder wichtig"),
        ARRANGEMENTS = "arrangements" ("Arrangements", "Vereinbarungen"),
        FUNCTIONS = "functions" ("Functions", "Funktionen"),
        SHARE = "share_pct" ("Share of cost", "Kostenanteil"),
        INCIDENTS = "incidents" ("Incidents", "Vorfälle"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
        OWNER,
        RATING = "rating" ("Own rating", "Eigene Einstufung"),
        ARCHETYPE = "archetype" ("Archetype of the catalogue", "Archetyp des Katalogs"),
        CONTACT = "contact" ("Contact at the provider", "Ansprechperson beim Dienstleister"),
        REVIEW_MONTHS = "review_months" ("Months between reviews", "Monate zwischen Prüfungen"),
        NOTICE_DAYS = "notice_days" ("Notice period in days", "Kündigungsfrist in Tagen"),
        LAST_REVIEW_ON = "last_review_on" ("Last review", "Letzte Prüfung"),
        NEXT_REVIEW_ON = "next_review_on" ("Next review", "Nächste Prüfung"),
        REVIEW_STATE = "review_state" ("Review", "Prüfung"),
        SCORES = "scores" ("Scores of the last review", "Bewertung der letzten Prüfung"),
        NOTE = "note" ("Note", "Notiz"),
    }
}

impl Provider {
    pub fn review_state(&self, today: Day) -> ReviewState {
        match self.next_review_on {
            Some(day) if day < today => ReviewState::Overdue,
            Some(day) if day <= today.plus_days(SOON_DAYS) => ReviewState::DueSoon,
            _ if self.last_review_on.is_some() => ReviewState::Current,
            _ => ReviewState::NotReviewed,
        }
    }

    /// The provider after a review was completed on that day.
    #[must_use]
    pub fn reviewed(&self, on: Day, scores: Option<ReviewScores>) -> Self {
        let next = self.review_months.map(|months| months_later(on, months));
        Self { last_review_on: Some(on), next_review_on: next, scores, ..self.clone() }
    }

    /// What the list is searched by.
    pub fn words(&self) -> String {
        let owner = self.owner.as_ref().map_or("", Name::as_str);
        let lei = self.lei.map(|lei| lei.to_string()).unwrap_or_default();
        format!("{} {lei} {owner}", self.name).to_lowercase()
    }
}
