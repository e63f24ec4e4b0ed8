//! Cleaned file names of uploads: no path, no control or deceptive characters, bounded length.

use std::fmt;

/// The name under which a file is shown and saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

const MAX_CHARS: usize = 120;
/// The maximum length of an extension.
const MAX_END: usize = 10;
/// The name if nothing is left after cleaning.
const UNNAMED: &str = "file";

impl FileName {
    /// Never fails: invalid characters are removed.
    #[must_use]
    pub fn cleaned(sent: &str) -> Self {
        let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
        let kept: String = last.chars().filter(|letter| !is_hidden(*letter)).map(plain).collect();
        let words: Vec<&str> = kept.split_whitespace().collect();
        let name = words.join(" ");
        let name = name.trim_matches(['.', ' ']);
        if name.is_empty() { Self(UNNAMED.to_owned()) } else { Self(shortened(name)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The extension in lower case.
    pub fn end(&self) -> Option<String> {
        self.0.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase())
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Control characters, and invisible or direction-changing ones: `invoice\u{202e}fdp.exe`.
fn is_hidden(letter: char) -> bool {
    let invisible = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    (letter.is_control() && !letter.is_whitespace()) || invisible
}

/// Replaces characters with a meaning to a file system or a shell.
fn plain(letter: char) -> char {
    if matches!(letter, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { letter }
}

/// Cut in the middle, so that the extension is kept.
fn shortened(name: &str) -> String {
    if name.chars().count() <= MAX_CHARS {
        return name.to_owned();
    }
    let end = name.rsplit_once('.').map(|(_, end)| end).filter(|end| end.chars().count() <= MAX_END);
    match end {
        Some(end) => {
            let room = MAX_CHARS - end.chars().count() - 1;
            let stem: String = name.chars().take(room).collect();
            format!("{}.{end}", stem.trim_end())
        }
        None => name.chars().take(MAX_CHARS).collect(),
    }
}

/// The value of `Content-Disposition` for a download: a plain name for old programs, and the full one.
pub fn attachment(name: &FileName) -> String {
    let ascii: String = name
        .as_str()
        .chars()
        .map(|letter| if letter.is_ascii_graphic() || letter == ' ' { letter } else { '_' })
        .map(|letter| if matches!(letter, '"' | '\\' | '%' | ';') { '_' } else { letter })
        .collect();
    let mut full = String::new();
    for byte in name.as_str().bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') {
            full.push(char::from(byte));
        } else {
            full.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 0x0f)]);
        }
    }
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{full}")
}

fn hex_digit(half: u8) -> char {
    char::from_digit(half.into(), 16).map_or('0', |digit| digit.to_ascii_uppercase())
}
