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
