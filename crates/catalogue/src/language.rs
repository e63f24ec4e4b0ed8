//! Texts in the two languages every record is written in.

pub use domain::wording::Language;

/// Every language, English first.
pub const LANGUAGES: [Language; 2] = [Language::English, Language::German];

/// A text in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Text {
    pub en: Box<str>,
    pub de: Box<str>,
}

impl Text {
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::German => &self.de,
        }
    }
}

/// The usual sectors of providers, in English and German.
const SECTORS: [(&str, &str); 9] = [
    ("Business services", "Unternehmensdienste"),
    ("Cloud", "Cloud"),
    ("Data centres", "Rechenzentren"),
    ("Hardware", "Hardware"),
    ("Market data", "Marktdaten"),
    ("Payments", "Zahlungsverkehr"),
    ("Security", "Sicherheit"),
    ("Software", "Software"),
    ("Telecommunications", "Telekommunikation"),
];

/// A usual sector in this language, whichever it was entered in; another one as it was entered.
pub fn sector(name: &str, language: Language) -> &str {
    let is_meant = |(english, german): &&(&str, &str)| {
        english.eq_ignore_ascii_case(name) || german.eq_ignore_ascii_case(name)
    };
    match (SECTORS.iter().find(is_meant), language) {
        (Some((english, _)), Language::English) => english,
        (Some((_, german)), Language::German) => german,
        (None, _) => name,
    }
}

/// The name of a publisher in this language; bodies that are called the same in both keep their name.
pub fn publisher(name: &str, language: Language) -> &str {
    if language == Language::English {
        return name;
    }
    match name {
        "European Union" => "Europäische Union",
        "European Commission" => "Europäische Kommission",
        "Council of the EU" => "Rat der EU",
        "ECB" => "EZB",
        "Germany (federal law)" => "Deutschland (Bundesrecht)",
        other => other,
    }
}
