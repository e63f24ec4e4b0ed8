//! Detects the format of a file.

use super::encoding::{self, Encoding};
use crate::vocabulary::vocabulary;

vocabulary! {
    /// A kind of file that can be imported.
    Format {
        Csv = "csv" ("CSV", "CSV"),
        Sarif = "sarif" ("SARIF 2.1.0", "SARIF 2.1.0"),
        Trivy = "trivy" ("Trivy JSON", "Trivy-JSON"),
        OsvScanner = "osv-scanner" ("OSV-Scanner JSON", "OSV-Scanner-JSON"),
    }
}

impl Format {
    /// How many bytes are enough to detect it.
    pub const HEAD: usize = 4096;

    /// Many scanners write XML, which could be taken for a line of CSV.
    pub fn is_xml(head: &[u8]) -> bool {
        let text = readable(head);
        let text = text.trim_start();
        text.starts_with("<?xml") || text.starts_with("<!DOCTYPE") || text.starts_with("<NessusClientData")
    }

    /// The format by the beginning of the file; its parser then validates it.
    pub fn guess(head: &[u8]) -> Option<Self> {
        let text = readable(head);
        let text = text.trim_start();
        if !text.starts_with(['{', '[']) {
            return (!text.is_empty()).then_some(Self::Csv);
        }
        let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if holds(&["\"SchemaVersion\"", "\"ArtifactName\"", "\"Results\""]) {
            Some(Self::Trivy)
        } else if holds(&["\"$schema\"", "\"runs\""]) {
            Some(Self::Sarif)
        } else if holds(&["\"results\""]) {
            Some(Self::OsvScanner)
        } else {
            None
        }
    }
}

/// The beginning as text, good enough to search for ASCII words.
fn readable(head: &[u8]) -> String {
    match encoding::by_mark(head) {
        Some((Encoding::Utf16Le | Encoding::Utf16Be, mark)) => {
            head[mark..].iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
        }
        Some((_, mark)) => String::from_utf8_lossy(&head[mark..]).into_owned(),
        None => String::from_utf8_lossy(head).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_known_by_its_beginning() {
        for (head, format) in [
            ("title;severity\nA;low", Some(Format::Csv)),
            (" {\n \"SchemaVersion\": 2, \"Results\": []", Some(Format::Trivy)),
            ("{\"version\": \"2.1.0\", \"runs\": [{\"results\": []", Some(Format::Sarif)),
            ("{\"$schema\": \"https://x\", \"version\"", Some(Format::Sarif)),
            ("{\"results\": [{\"source\"", Some(Format::OsvScanner)),
            ("{}", None),
            ("", None),
            (" \n", None),
        ] {
            assert_eq!(Format::guess(head.as_bytes()), format, "{head}");
            let utf16: Vec<u8> =
                std::iter::once(0xFEFF).chain(head.encode_utf16()).flat_map(u16::to_be_bytes).collect();
            assert_eq!(Format::guess(&utf16), format, "UTF-16 {head}");
        }
        assert_eq!(Format::guess("\u{feff}title,severity".as_bytes()), Some(Format::Csv));
    }
}
