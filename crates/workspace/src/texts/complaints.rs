//! What the domain says about a wrong field, in German. The domain speaks English, because its sentences are also
//! the API's; a sentence that is not listed here is shown as it is.

use domain::wording::Language;

/// English and German sentences; `{}` stands for a part that is taken over.
const SENTENCES: &[(&str, &str)] = &[
    ("is required", "fehlt"),
    ("must not be empty", "darf nicht leer sein"),
    ("must be at most {} characters long", "darf höchstens {} Zeichen lang sein"),
    ("must not contain control characters", "darf keine Steuerzeichen enthalten"),
    ("must be a whole number", "muss eine ganze Zahl sein"),
    (
        "must be up to {} whole numbers from 1 to {} with commas between them, such as {}",
        "muss aus bis zu {} ganzen Zahlen von 1 bis {} mit Kommas dazwischen bestehen, etwa {}",
    ),
    ("must be a whole number from {} to {}", "muss eine ganze Zahl von {} bis {} sein"),
    ("must be in the future", "muss in der Zukunft liegen"),
    ("must be a real day like {}", "muss ein Tag wie {} sein"),
    ("must be a time like {}", "muss eine Zeit wie {} sein"),
    ("must not be in the future", "darf nicht in der Zukunft liegen"),
    ("must be a day in the future", "muss ein Tag in der Zukunft sein"),
    ("must be a number", "muss eine Zahl sein"),
    ("must have at most {} items, not {}", "darf höchstens {} Einträge haben, nicht {}"),
    ("must not be before starts_on ({})", "darf nicht vor dem Beginn ({}) liegen"),
    ("must not be before the programme starts ({})", "darf nicht vor dem Beginn des Programms ({}) liegen"),
    (
        "must not be before the finding was detected ({})",
        "darf nicht vor der Entdeckung der Feststellung ({}) liegen",
    ),
    ("must be the id of one of your programmes", "muss eines Ihrer Programme sein"),
    ("must be the id of one of your test cases", "muss einer Ihrer Testfälle sein"),
    (
        "must be the programme of the test case; clear test_case_id to part them",
        "muss das Programm des Testfalls sein; sonst den Testfall leeren",
    ),
    ("is not the id of a measure in the catalogue", "ist keine Maßnahme des Katalogs"),
    ("must be a CVE id like {}", "muss eine CVE-Nummer wie {} sein"),
    (
        "must be a score from 0.0 to 10.0 with at most one decimal, such as {}",
        "muss ein Wert von 0,0 bis 10,0 mit höchstens einer Nachkommastelle sein, etwa {}",
    ),
    (
        "must be a country as two capital letters of ISO 3166-1, like {}",
        "muss ein Land als zwei Großbuchstaben nach ISO 3166-1 sein, etwa {}",
    ),
    (
        "{} must be a country as two capital letters of ISO 3166-1, like {}",
        "{} muss ein Land als zwei Großbuchstaben nach ISO 3166-1 sein, etwa {}",
    ),
    (
        "delivers to {}, which is not in this chain: add the step that leads to it",
        "liefert an {}, das nicht in dieser Kette steht: bitte die Zeile ergänzen, die dorthin führt",
    ),
    (
        "runs in a circle: {}; remove one of these steps",
        "läuft im Kreis: {}; bitte eine dieser Zeilen entfernen",
    ),
    ("cannot be changed; {}", "lässt sich nicht ändern"),
    ("cannot go from {} to {}; {}", "kann nicht von {} nach {} gehen"),
    ("is already {}; {}", "ist schon {}"),
    (
        "has {} test cases and {} findings: delete them first, or archive the programme",
        "hat {} Testfälle und {} Feststellungen: bitte zuerst löschen, oder das Programm archivieren",
    ),
    (
        "has {} findings: delete them or clear their test_case_id first",
        "hat {} Feststellungen: bitte zuerst löschen oder vom Testfall lösen",
    ),
    ("is not one of your findings", "ist keine Ihrer Feststellungen"),
    ("must name at least one event", "muss mindestens ein Ereignis nennen"),
    ("must be one of {}", "muss einer dieser Werte sein: {}"),
    ("must be an email address such as {}", "muss eine E-Mail-Adresse wie {} sein"),
    ("is in use: choose another address", "ist vergeben: bitte eine andere Adresse wählen"),
    (
        "must be at least {} characters long: a few unrelated words are easy to remember",
        "muss mindestens {} Zeichen lang sein: einige Wörter ohne Zusammenhang merken sich leicht",
    ),
    ("must use more different characters", "muss mehr verschiedene Zeichen enthalten"),
    ("must not be built from your email address", "darf nicht aus der E-Mail-Adresse bestehen"),
    ("is not right", "stimmt nicht"),
    ("was tried too often: wait {} seconds", "wurde zu oft versucht: bitte {} Sekunden warten"),
    ("came too late: begin again", "kam zu spät: bitte neu beginnen"),
    ("does not fit: check the clock of your device", "passt nicht: bitte die Uhr des Geräts prüfen"),
    (
        "cannot be given up: this is the last administrator, make another one first",
        "kann nicht abgegeben werden: Dies ist die letzte Administration, bitte zuerst eine weitere bestimmen",
    ),
    (
        "must name at least one change: choose an arrangement to end or to change",
        "muss mindestens eine Änderung nennen: bitte eine Vereinbarung zum Beenden oder Ändern wählen",
    ),
    ("is closed: open the account first", "ist geschlossen: bitte das Konto zuerst öffnen"),
    ("{} is taken: choose another", "{} ist vergeben: bitte anders wählen"),
    (
        "must be 1 to 63 lower-case letters, digits or inner hyphens, such as {}",
        "muss aus 1 bis 63 Kleinbuchstaben, Ziffern oder inneren Bindestrichen bestehen, etwa {}",
    ),
    (
        "has a line of more than 1 MiB: check its line ends and quotation marks",
        "enthält eine Zeile von mehr als 1 MiB: bitte Zeilenenden und Anführungszeichen prüfen",
    ),
    ("must hold the rates to {} for {}", "müssen die Kurse zu {} enthalten, und zwar für {}"),
    (
        "{} must be a decimal number in quotes like {}, with at most 9 digits before the point and 10 behind it",
        "{} muss eine Dezimalzahl wie {} sein, mit höchstens 9 Stellen vor und 10 nach dem Komma",
    ),
    (
        "{} must be 1: results are in {}; leave it out",
        "{} muss 1 sein, denn Ergebnisse sind in {}; bitte weglassen",
    ),
    (
        "{} must be a currency as three capital letters of ISO 4217, like {}",
        "{} muss eine Währung als drei Großbuchstaben nach ISO 4217 sein, etwa {}",
    ),
];

pub(crate) fn translated(language: Language, message: &str) -> String {
    let german = || SENTENCES.iter().find_map(|(english, german)| refilled(message, english, german));
    match language {
        Language::English => message.to_owned(),
        Language::German => german().unwrap_or_else(|| message.to_owned()),
    }
}

/// The German sentence with the parts of the message, if the message has the shape of the English one.
fn refilled(message: &str, english: &str, german: &str) -> Option<String> {
    let mut pieces = english.split("{}");
    let mut rest = message.strip_prefix(pieces.next()?)?;
    let mut parts = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let end = match (piece.is_empty(), pieces.peek()) {
            (true, None) => rest.len(),
            _ => rest.find(piece)?,
        };
        parts.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then(|| parts.iter().fold(german.to_owned(), |text, part| text.replacen("{}", part, 1)))
}

#[cfg(test)]
mod tests {
    use domain::{
        lead_time::Leads,
        moment::{NotADay, NotAMoment},
        password::PasswordError,
        tenant::NotASlug,
        text::TextError,
        threshold::OutOfRange,
        user::{NotAnEmail, Role},
        webhook::NoEvents,
    };

    use super::*;

    #[test]
    fn sentences_of_the_domain_are_known() {
        let sentences = [
            TextError::Empty.to_string(),
            TextError::TooLong(255).to_string(),
            TextError::Control.to_string(),
            OutOfRange { min: 1, max: 100 }.to_string(),
            Leads::of_days("soon").unwrap_err().to_string(),
            NotADay.to_string(),
            NotAMoment.to_string(),
            NoEvents.to_string(),
            NotAnEmail.to_string(),
            NotASlug.to_string(),
            "boss".parse::<Role>().unwrap_err().to_string(),
            PasswordError::TooShort.to_string(),
            PasswordError::TooLong.to_string(),
            PasswordError::Repetitive.to_string(),
            PasswordError::Address.to_string(),
        ];
        for english in sentences {
            assert_ne!(translated(Language::German, &english), english, "no German for it");
            assert_eq!(translated(Language::English, &english), english);
        }
    }

    #[test]
    fn parts_are_taken_over() {
        let german = |message: &str| translated(Language::German, message);
        assert_eq!(german("must be a whole number from 1 to 100"), "muss eine ganze Zahl von 1 bis 100 sein");
        assert_eq!(german("must be a whole number"), "muss eine ganze Zahl sein");
        assert_eq!(german("must be one of a, b"), "muss einer dieser Werte sein: a, b");
        assert_eq!(german("north is taken: choose another"), "north ist vergeben: bitte anders wählen");
        assert_eq!(german("something new"), "something new");
    }
}
