//! Untrusted text for display: cleaned once, then escaped and shortened for each medium.

/// No medium shows more of one text, so the rest is ignored.
const MAX_CLEANED: usize = 3000;

/// How a medium escapes one character of untrusted text.
pub(super) type Escape = fn(char, &mut String);

/// One visible line: control characters become spaces, runs of white space are collapsed, and characters that change
/// the writing direction are dropped, because they can disguise a text.
pub(super) fn clean(text: &str) -> String {
    let visible: String = text
        .chars()
        .take(MAX_CLEANED)
        .filter(|character| !turns_direction(*character))
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn turns_direction(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The escaped text, at most `max` long, with an ellipsis if it was cut.
///
/// Length is counted after escaping and in UTF-16 units, as the vendors' strictest checks do.
pub(super) fn fit(text: &str, max: usize, escape: Escape) -> String {
    let mut written = String::with_capacity(text.len());
    let (mut used, mut cut) = (0, 0);
    for character in text.chars() {
        let before = written.len();
        escape(character, &mut written);
        used += written[before..].encode_utf16().count();
        if used > max {
            written.truncate(cut);
            written.push('…');
            return written;
        }
        if used < max {
            cut = written.len();
        }
    }
    written
}

/// Escapes nothing.
pub(super) fn verbatim(character: char, to: &mut String) {
    to.push(character);
}

/// Slack's three control characters, without which there are no mentions, links or channel calls.
pub(super) fn slack(character: char, to: &mut String) {
    match character {
        '&' => to.push_str("&amp;"),
        '<' => to.push_str("&lt;"),
        '>' => to.push_str("&gt;"),
        _ => to.push(character),
    }
}

/// The Markdown of Mattermost and Rocket.Chat in a message's text: an invisible joiner after each character that
/// begins a mention, a link, an emphasis or an emoji disables it.
pub(super) fn chat(character: char, to: &mut String) {
    slack(character, to);
    if matches!(character, '@' | '#' | '[' | ']' | '`' | '*' | '_' | '~' | '|' | '!' | ':' | '/') {
        to.push('\u{2060}');
    }
}

/// The Markdown of Teams in facts, where links and emphasis could be forged.
pub(super) fn markdown(character: char, to: &mut String) {
    if matches!(character, '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '(' | ')' | '<' | '>' | '#' | '|') {
        to.push('\\');
    }
    to.push(character);
}

pub(super) fn html(character: char, to: &mut String) {
    match character {
        '&' => to.push_str("&amp;"),
        '<' => to.push_str("&lt;"),
        '>' => to.push_str("&gt;"),
        '"' => to.push_str("&quot;"),
        '\'' => to.push_str("&#39;"),
        _ => to.push(character),
    }
}

/// Removes the tags with which Teams marks mentions, repeatedly, because removing one can create another.
pub(super) fn without_mentions(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some((start, length)) = find_mention(&text) {
        text.replace_range(start..start + length, "");
    }
    text
}

fn find_mention(text: &str) -> Option<(usize, usize)> {
    // Only ASCII letters change here, so byte positions stay those of the text.
    let lower = text.to_ascii_lowercase();
    ["<at>", "</at>"].iter().find_map(|tag| Some((lower.find(tag)?, tag.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_visible_line_remains() {
        assert_eq!(clean("  a\r\nBcc: b\0\u{7f}\u{9b}c\td  "), "a Bcc: b c d");
        assert_eq!(clean("invoice\u{202e}fdp.exe\u{2066}"), "invoicefdp.exe");
        assert_eq!(clean("\u{2028}Straße\u{a0}5\u{2029}"), "Straße 5");
        assert_eq!(clean("👩‍💻 ok"), "👩‍💻 ok");
    }

    #[test]
    fn shortens_what_is_written_and_never_half_an_escape() {
        assert_eq!(fit("abc", 3, verbatim), "abc");
        assert_eq!(fit("abcd", 3, verbatim), "ab…");
        assert_eq!(fit("a<b", 6, slack), "a&lt;b");
        assert_eq!(fit("a<bc", 6, slack), "a&lt;…");
        assert_eq!(fit("<<<<", 9, slack), "&lt;&lt;…");
        assert_eq!(fit("<<<<", 8, slack), "&lt;…");
        assert_eq!(fit("😀😀", 3, verbatim), "😀…");
        assert_eq!(fit("", 0, verbatim), "");
        for max in 1..60 {
            let written = fit("<>&\"'😀ä[x](y) *z*", max, html);
            assert!(written.encode_utf16().count() <= max, "{max}: {written}");
        }
    }

    #[test]
    fn mentions_cannot_be_nested_back_together() {
        assert_eq!(without_mentions("<at>Everyone</at> <AT>x</At>"), "Everyone x");
        assert_eq!(without_mentions("<a<at>t>x<</at>/at>"), "x");
        assert_eq!(without_mentions("Ä <at 1>"), "Ä <at 1>");
    }
}
