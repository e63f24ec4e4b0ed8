//! Prepares the text of records for print.

use std::borrow::Cow;

/// Text for a page: every kind of line break becomes `\n`, tabs become spaces, and unprintable characters are
/// removed: control characters, marks that change the reading direction (which can disguise text), soft hyphens, and
/// code points that are no characters.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text) || text.chars().all(is_clean) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.push('\n'),
            '\t' => cleaned.push(' '),
            // The non-breaking hyphen has no glyph of its own; the plain one has the same shape.
            '\u{2011}' => cleaned.push('-'),
            _ if is_unprintable(character) => {}
            _ => cleaned.push(character),
        }
    }
    Cow::Owned(cleaned)
}

/// The same on one line, for headings, titles and bookmarks.
pub(super) fn clean_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in clean(text).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Whether all characters are printable ASCII, which is the usual case. Checks many bytes at a time.
pub(super) fn is_printable_ascii(text: &str) -> bool {
    let printable = |byte: &u8| matches!(byte, b' '..=b'~');
    text.as_bytes().chunks(32).all(|bytes| bytes.iter().fold(true, |all, byte| all & printable(byte)))
}

/// Whether a character stays as it is.
fn is_clean(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{2ff}')
}

fn is_unprintable(character: char) -> bool {
    let code = u32::from(character);
    character.is_control()
        || matches!(code, 0xad | 0x61c | 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xfeff)
        || matches!(code, 0xfdd0..=0xfdef)
        || code & 0xfffe == 0xfffe
}
