//! Notes that the service itself writes into the history of a record, in the language of the institution at that time.

use crate::{
    format,
    import::{Source, SourceName},
    moment::Day,
    vocabulary::Vocabulary as _,
    wording::{Label, Language},
};

/// Why the service created a record or changed its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceNote<'a> {
    Imported(&'a SourceName),
    ReportedAgain(&'a SourceName),
    NoLongerReported(&'a SourceName),
    /// The acceptance of a risk has expired.
    AcceptedUntil(Day),
}

impl ServiceNote<'_> {
    pub fn text(self, language: Language) -> String {
        let (label, argument) = match self {
            Self::Imported(source) => {
                (Label::new("Imported from {}.", "Importiert aus: {}."), named(source, language))
            }
            Self::ReportedAgain(source) => {
                (Label::new("Reported again by {}.", "Erneut gemeldet von: {}."), named(source, language))
            }
            Self::NoLongerReported(source) => {
                (Label::new("No longer in {}.", "Nicht mehr enthalten in: {}."), named(source, language))
            }
            Self::AcceptedUntil(day) => {
                let label =
                    Label::new("The risk was accepted until {}.", "Das Risiko war bis zum {} akzeptiert.");
                (label, format::day(language, day))
            }
        };
        label.text(language).replace("{}", &argument)
    }
}

fn named(source: &SourceName, language: Language) -> String {
    match (Source::find(source.as_str()), language) {
        (Some(kind), Language::English) => format!("a {}", kind.label().en),
        (Some(kind), Language::German) => kind.label().de.to_owned(),
        (None, Language::English) => format!("“{}”", source.as_str()),
        (None, Language::German) => format!("„{}“", source.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_in_one_language_with_its_argument() {
        let (csv, own) = (SourceName::from(Source::Csv), SourceName::parse("Pentest 2026").unwrap());
        let text = |note: ServiceNote<'_>| [Language::English, Language::German].map(|each| note.text(each));
        assert_eq!(
            text(ServiceNote::Imported(&csv)),
            ["Imported from a CSV file.", "Importiert aus: CSV-Datei."]
        );
        assert_eq!(
            text(ServiceNote::NoLongerReported(&own)),
            ["No longer in “Pentest 2026”.", "Nicht mehr enthalten in: „Pentest 2026“."]
        );
        assert_eq!(
            text(ServiceNote::AcceptedUntil("2026-11-16".parse().unwrap())),
            ["The risk was accepted until 16 Nov 2026.", "Das Risiko war bis zum 16.11.2026 akzeptiert."]
        );
    }
}
