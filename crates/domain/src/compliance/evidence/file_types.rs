//! The types of files that an institution accepts as evidence: by extension, and by content, which must fit the extension.
//!
//! What a computer would run when the file is opened is on no list: programs, scripts, and documents of a browser.

use std::fmt;

use super::{EvidenceComplaint, FileName};

/// The accepted extensions, in lower case, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTypes(Vec<String>);

/// How the content of a type is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// One of these beginnings.
    Begins(&'static [&'static [u8]]),
    /// A picture in a RIFF container.
    WebP,
    /// Text in any encoding.
    Text,
}

const ZIP: Content = Content::Begins(&[b"PK\x03\x04", b"PK\x05\x06"]);
const OLE: Content = Content::Begins(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]);
const JPEG: Content = Content::Begins(&[b"\xff\xd8\xff"]);
const TIFF: Content = Content::Begins(&[b"II*\0", b"MM\0*"]);

/// The types that are accepted unless an institution chooses others, with their content.
const USUAL: &[(&str, Content)] = &[
    ("7z", Content::Begins(&[b"7z\xbc\xaf\x27\x1c"])),
    ("csv", Content::Text),
    ("doc", OLE),
    ("docx", ZIP),
    ("eml", Content::Text),
    ("gif", Content::Begins(&[b"GIF87a", b"GIF89a"])),
    ("jpeg", JPEG),
    ("jpg", JPEG),
    ("json", Content::Text),
    ("log", Content::Text),
    ("md", Content::Text),
    ("msg", OLE),
    ("odp", ZIP),
    ("ods", ZIP),
    ("odt", ZIP),
    ("pdf", Content::Begins(&[b"%PDF-"])),
    ("png", Content::Begins(&[b"\x89PNG\r\n\x1a\n"])),
    ("ppt", OLE),
    ("pptx", ZIP),
    ("rtf", Content::Begins(&[b"{\\rtf"])),
    ("tif", TIFF),
    ("tiff", TIFF),
    ("txt", Content::Text),
    ("webp", Content::WebP),
    ("xls", OLE),
    ("xlsx", ZIP),
    ("xml", Content::Text),
    ("zip", ZIP),
];

/// Extensions that no institution can add.
const NEVER: &[&str] = &[
    "app", "apk", "appx", "bash", "bat", "chm", "cmd", "com", "cpl", "dll", "dmg", "docm", "elf", "exe",
    "hta", "htm", "html", "img", "iso", "jar", "js", "jse", "lnk", "mht", "mhtml", "mjs", "msc", "msi",
    "msix", "php", "pif", "pl", "pptm", "ps1", "py", "rb", "reg", "scf", "scr", "sh", "so", "svg", "svgz",
    "swf", "url", "vbe", "vbs", "vhd", "wasm", "wsf", "xht", "xhtml", "xlam", "xlsm", "xsl", "xslt",
];

/// Beginnings of programs and scripts, whatever the name says.
const PROGRAMS: &[&[u8]] = &[
    b"MZ",
    b"\x7fELF",
    b"#!",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\0asm",
    b"L\0\0\0\x01\x14\x02\0",
];

/// Tags that make a text a document of a browser.
const MARKUP: &[&str] = &["<!doctype html", "<html", "<script", "<svg", "<body", "<iframe"];

const MAX_TYPES: usize = 100;
const MAX_END: usize = 10;

impl Default for FileTypes {
    fn default() -> Self {
        Self(USUAL.iter().map(|(end, _)| (*end).to_owned()).collect())
    }
}

impl FileTypes {
    /// A list of extensions, with or without dots, separated by spaces or commas.
    pub fn parse(text: &str) -> Result<Self, EvidenceComplaint> {
        let words =
            text.split([',', ';', ' ', '\n', '\r', '\t']).map(|word| word.trim().trim_start_matches('.'));
        let mut ends: Vec<String> =
            words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
        ends.sort_unstable();
        ends.dedup();
        if ends.is_empty() || ends.len() > MAX_TYPES {
            return Err(EvidenceComplaint::NoTypes { most: MAX_TYPES });
        }
        let is_odd =
            |end: &&String| end.len() > MAX_END || !end.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if let Some(odd) = ends.iter().find(is_odd) {
            return Err(EvidenceComplaint::NoExtension { end: odd.clone() });
        }
        if let Some(never) = ends.iter().find(|end| NEVER.contains(&end.as_str())) {
            return Err(EvidenceComplaint::NeverAccepted { end: never.clone() });
        }
        Ok(Self(ends))
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Refuses a file of another type, and one whose first bytes do not fit its name.
    pub fn check(&self, name: &FileName, head: &[u8]) -> Result<(), EvidenceComplaint> {
        let end = name.end().unwrap_or_default();
        if !self.0.contains(&end) {
            return Err(EvidenceComplaint::TypeRefused { types: self.to_string() });
        }
        let known = USUAL.iter().find(|(known, _)| *known == end).map(|(_, content)| *content);
        let fits = !is_active(head) && known.is_none_or(|content| content.fits(head));
        if fits { Ok(()) } else { Err(EvidenceComplaint::ContentDiffers { end }) }
    }
}

impl fmt::Display for FileTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl Content {
    fn fits(self, head: &[u8]) -> bool {
        match self {
            Self::Begins(beginnings) => beginnings.iter().any(|beginning| head.starts_with(beginning)),
            Self::WebP => head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"),
            // UTF-16 has zero bytes and says so with its mark; no other text has any.
            Self::Text => {
                !head.contains(&0) || head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
            }
        }
    }
}

/// Whether a computer or a browser would run the content. Only a text that begins with a tag can be a document of a
/// browser: other texts may well speak of tags.
fn is_active(head: &[u8]) -> bool {
    if PROGRAMS.iter().any(|beginning| head.starts_with(beginning)) {
        return true;
    }
    let readable: String =
        head.iter().filter(|byte| **byte != 0).map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let text = readable.trim_start_matches(|letter: char| !letter.is_ascii() || letter.is_whitespace());
    text.starts_with('<') && MARKUP.iter().any(|tag| text.contains(tag))
}
