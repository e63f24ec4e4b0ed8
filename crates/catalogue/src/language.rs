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
