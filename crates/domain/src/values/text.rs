//! External text: bounded in length, without characters that no store or terminal should get.

use std::fmt;

use crate::wording::sentences;

sentences! {
    /// Why a text was refused.
    #[derive(Copy)]
    TextError {
        Empty = "must not be empty", "darf nicht leer sein";
        TooLong(most: usize) =
            "must be at most {most} characters long",
            "darf höchstens {most} Zeichen lang sein";
        Control = "must not contain control characters", "darf keine Steuerzeichen enthalten";
    }
}

/// Checks one line of text: not blank, at most `max` characters (not bytes), no control characters.
pub fn line(text: &str, max: usize) -> Result<&str, TextError> {
    if has(text, char::is_control) {
        return Err(TextError::Control);
    }
    required(text, max)
}

/// Checks running text: may be empty, may hold line breaks and tabs.
pub fn prose(text: &str, max: usize) -> Result<&str, TextError> {
    if has(text, |c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(TextError::Control);
    }
    within(text, max)
}

/// Whether the text contains such a character; most texts are ASCII and need no decoding.
fn has(text: &str, forbidden: impl Fn(char) -> bool) -> bool {
    if text.is_ascii() {
        text.bytes().any(|byte| forbidden(char::from(byte)))
    } else {
        text.chars().any(forbidden)
    }
}

fn required(text: &str, max: usize) -> Result<&str, TextError> {
    if text.trim().is_empty() { Err(TextError::Empty) } else { within(text, max) }
}

fn within(text: &str, max: usize) -> Result<&str, TextError> {
    // The byte length is an upper bound of the character count, so most texts are never counted.
    if text.len() > max && text.chars().count() > max { Err(TextError::TooLong(max)) } else { Ok(text) }
}

/// At most `max` characters, the last of them an ellipsis when something was cut.
pub(crate) fn clipped(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max - 1).chain(['…']).collect(),
    }
}

/// The name of a record: one line of at most 255 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    pub const MAX: usize = 255;

    pub fn parse(text: &str) -> Result<Self, TextError> {
        line(text, Self::MAX).map(|text| Self(text.to_owned()))
    }

    /// One line from another tool's text: cut to our bound, without unprintable characters. `None` if nothing is
    /// left.
    pub fn fitted(text: &str) -> Option<Self> {
        let words: Vec<_> = text
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|word| !word.is_empty())
            .collect();
        Self::parse(&clipped(&words.join(" "), Self::MAX)).ok()
    }

    /// For results of other tools without a name.
    #[must_use]
    pub fn untitled() -> Self {
        Self("Untitled".to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Running text about a record, 1 to 10,000 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose(String);

impl Prose {
    pub const MAX: usize = 10_000;

    pub fn parse(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Err(TextError::Empty);
        }
        prose(text, Self::MAX).map(|text| Self(text.to_owned()))
    }

    /// Another tool's text: cut to our bound, without unprintable characters. `None` if nothing is left.
    pub fn fitted(text: &str) -> Option<Self> {
        let shown: String = text
            .chars()
            .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
            .take(Self::MAX + 1)
            .collect();
        Self::parse(&clipped(shown.trim_end(), Self::MAX)).ok()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Prose {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a mail program would turn the text, or a part of it, into a link: a web or mail address, or a host name.
/// Names that users type must not become links in mail to others.
pub fn looks_like_a_link(text: &str) -> bool {
    let host = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut labels = word.rsplit('.');
        let top = labels.next().unwrap_or_default();
        let is_top = top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
        is_top
            && labels.next().is_some_and(|label| label.chars().next_back().is_some_and(char::is_alphanumeric))
    };
    text.contains(['/', ':', '@', '\\']) || text.split_whitespace().any(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_not_bytes() {
        assert!(Name::parse(&"ß".repeat(255)).is_ok());
        assert_eq!(Name::parse(&"ß".repeat(256)), Err(TextError::TooLong(255)));
        assert_eq!(Name::parse(" \u{a0}"), Err(TextError::Empty));
        assert_eq!(Name::parse("a\0b"), Err(TextError::Control));
        assert_eq!(prose("a\nb", 3), Ok("a\nb"));
        assert_eq!(prose("a\u{7}b", 9), Err(TextError::Control));
    }

    #[test]
    fn what_mail_programs_make_links_of_is_seen() {
        for link in [
            "https://evil.example",
            "evil.example/unlock",
            "go to evil.example now",
            "a@b.de",
            "(www.evil.example)",
        ] {
            assert!(looks_like_a_link(link), "{link}");
        }
        for name in
            ["Dr. Ada Lovelace", "J. R. R. Tolkien", "SIEM export 2.0", "Vera Prüfer", "Zoë Ünal jr.", ""]
        {
            assert!(!looks_like_a_link(name), "{name}");
        }
    }
}
