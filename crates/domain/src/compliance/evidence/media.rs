//! The media type of a file, from a fixed list, by its first bytes. The sender's claim is ignored, and no type that a
//! browser would run is on the list.

use super::FileName;

/// The number of bytes that are examined.
pub const HEAD: usize = 8192;

const UNKNOWN: &str = "application/octet-stream";

/// Types by their first bytes.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
];

/// Types of zip files, by extension.
const ZIPPED: &[(&str, &str)] = &[
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
];

/// Types of text files, by extension.
const TEXTS: &[(&str, &str)] = &[
    ("txt", "text/plain"),
    ("log", "text/plain"),
    ("md", "text/plain"),
    ("csv", "text/csv"),
    ("json", "application/json"),
];

/// The type of a file with these first bytes.
pub fn media_type(head: &[u8], name: &FileName) -> &'static str {
    if let Some((_, known)) = BEGINNINGS.iter().find(|(beginning, _)| head.starts_with(beginning)) {
        return known;
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return "image/webp";
    }
    let end = name.end().unwrap_or_default();
    let by_end =
        |list: &[(&str, &'static str)]| list.iter().find(|(known, _)| *known == end).map(|(_, kind)| *kind);
    if head.starts_with(b"PK\x03\x04") {
        return by_end(ZIPPED).unwrap_or("application/zip");
    }
    if is_text(head) { by_end(TEXTS).unwrap_or(UNKNOWN) } else { UNKNOWN }
}

/// UTF-8 without control characters; the last character may be incomplete.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t' | '\u{c}'))
}
