//! Converts the HTML in the texts of feeds into one line of plain text.

use std::borrow::Cow;

use quick_xml::escape::unescape_with;

/// The maximum ratio of markup to text that is processed.
const MARKUP: usize = 16;

/// Removes markup, resolves entities and collapses white space; text beyond `most` bytes is cut.
pub(super) fn text(raw: &str, most: usize) -> String {
    let bare = without_tags(cut(raw, MARKUP * most));
    let resolved = unescape_with(&bare, named_entity).unwrap_or(Cow::Borrowed(&bare));
    let mut line = String::with_capacity(resolved.len().min(most));
    for word in resolved.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > most {
            line.truncate(cut(&line, most).len());
            line.push('…');
            break;
        }
    }
    line
}

/// The start of a text, at most `most` bytes and whole characters.
pub(super) fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// A tag counts as a space: `one<br>two` is two words.
fn without_tags(raw: &str) -> String {
    let mut bare = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        let Some(end) = tag.find('>') else { break };
        bare.push_str(before);
        // A lone `<` is a character, not a tag.
        if tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            bare.push(' ');
            rest = &tag[end + 1..];
        } else {
            bare.push('<');
            rest = &tag[1..];
        }
    }
    bare.push_str(rest);
    bare
}

/// The entities in texts of authorities. Those of XML itself and numeric ones are resolved by the caller.
pub(super) fn named_entity(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" | "ldquo" | "rdquo" | "bdquo" => "\"",
        "apos" | "lsquo" | "rsquo" => "'",
        "nbsp" => " ",
        "ndash" | "mdash" => "–",
        "hellip" => "…",
        "sect" => "§",
        "euro" => "€",
        "auml" => "ä",
        "ouml" => "ö",
        "uuml" => "ü",
        "Auml" => "Ä",
        "Ouml" => "Ö",
        "Uuml" => "Ü",
        "szlig" => "ß",
        "eacute" => "é",
        "agrave" => "à",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_entities_become_plain_text() {
        let raw = "<p>Gr&uuml;ne&nbsp;<b>Liste</b><br/>5 < 6 &amp; more</p>\n<!-- x -->";
        assert_eq!(text(raw, 100), "Grüne Liste 5 < 6 & more");
        // An unknown entity is left unchanged.
        assert_eq!(text("a &unknown; b", 100), "a &unknown; b");
        assert_eq!(text("ääää bbbb", 5), "ää…");
        assert_eq!(text("<script", 100), "<script");
    }
}
