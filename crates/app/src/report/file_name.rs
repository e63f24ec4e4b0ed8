//! File names that describe the content and are safe everywhere: plain letters, digits and hyphens.

/// Longer names are truncated: some systems refuse them.
const LONGEST: usize = 60;

/// The kind of record and its name; `otherwise` replaces a name without a usable letter.
pub(super) fn file_name(kind: &str, name: &str, otherwise: &str) -> String {
    let plain = plain(name);
    let named = if plain.is_empty() { otherwise } else { plain.as_str() };
    format!("{kind}-{named}")
}

/// The end of an id: enough to distinguish two records with the same name.
pub(super) fn short(id: &str) -> &str {
    const LENGTH: usize = 8;
    id.len().checked_sub(LENGTH).and_then(|start| id.get(start..)).unwrap_or(id)
}

fn plain(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        match character {
            'ä' => name.push_str("ae"),
            'ö' => name.push_str("oe"),
            'ü' => name.push_str("ue"),
            'ß' => name.push_str("ss"),
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_and_safe_in_headers() {
        assert_eq!(file_name("programme", "Prüfplan 2026: „Größe“", "x"), "programme-pruefplan-2026-groesse");
        assert_eq!(file_name("cra", "../..\"; rm -rf\r\nX: y", "x"), "cra-rm-rf-x-y");
        assert_eq!(file_name("cra", "漢字", "01m7"), "cra-01m7");
        assert_eq!(plain(&"a".repeat(500)).len(), LONGEST);
        assert_eq!(short("cra_01k9x14js0e00000000000000a"), "0000000a");
        assert_eq!(short("abc"), "abc");
    }
}
