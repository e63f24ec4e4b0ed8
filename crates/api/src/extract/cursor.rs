//! Cursors of lists: opaque texts, validated before they are used.

use domain::{
    moment::Moment,
    page::{Cursor, CursorOrder},
};
use sha2::{Digest as _, Sha256};

/// The number of check digits at the end: a truncated, mistyped or invented text is refused.
const CHECK: usize = 8;

/// The text of a cursor.
pub(crate) fn text_of(cursor: Cursor) -> String {
    let key = cursor.key;
    sealed(match cursor.order {
        CursorOrder::Newest => format!("n{key:x}"),
        CursorOrder::Oldest => format!("o{key:x}"),
        CursorOrder::FoundNewest => format!("f{key:x}"),
        CursorOrder::FoundOldest => format!("g{key:x}"),
        CursorOrder::Changed { since, at } => format!("c{key:x}.{:x}.{:x}", since.millis(), at.millis()),
    })
}

/// Parses a cursor.
pub(crate) fn parse(text: &str) -> Option<Cursor> {
    let content = opened(text)?;
    let (letter, rest) = content.split_at_checked(1)?;
    let key = |digits: &str| u128::from_str_radix(digits, 16).ok();
    let order = match letter {
        "n" => CursorOrder::Newest,
        "o" => CursorOrder::Oldest,
        "f" => CursorOrder::FoundNewest,
        "g" => CursorOrder::FoundOldest,
        "c" => {
            let mut parts = rest.split('.');
            let key = key(parts.next()?)?;
            // Times before 1970 are printed as the bits of a negative number.
            let mut moment = || {
                let bits = u64::from_str_radix(parts.next()?, 16).ok()?;
                Some(Moment::from_millis(bits.cast_signed()))
            };
            let (since, at) = (moment()?, moment()?);
            return Some(Cursor { order: CursorOrder::Changed { since, at }, key });
        }
        _ => return None,
    };
    Some(Cursor { order, key: key(rest)? })
}

/// The text of a position in a list of the catalogue, valid for exactly this list.
pub(crate) fn text_of_position(position: u64, list: &str) -> String {
    let digest = digits(&format!("{position}.{list}"));
    sealed(format!("p{position:x}.{digest}"))
}

/// The position, if the text belongs to this list.
pub(crate) fn parse_position(text: &str, list: &str) -> Option<u64> {
    let content = opened(text)?;
    let (position, digest) = content.strip_prefix('p')?.split_once('.')?;
    let position = u64::from_str_radix(position, 16).ok()?;
    (digits(&format!("{position}.{list}")) == digest).then_some(position)
}

fn sealed(content: String) -> String {
    let check = digits(&content);
    content + "-" + &check
}

fn opened(text: &str) -> Option<&str> {
    let (content, check) = text.rsplit_once('-')?;
    (digits(content) == check).then_some(content)
}

fn digits(content: &str) -> String {
    let digest = Sha256::new().chain_update(b"tidewall cursor ").chain_update(content).finalize();
    digest.iter().take(CHECK / 2).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_read_back_and_nothing_else_is_read() {
        let (since, at) = (Moment::from_millis(-7), Moment::from_millis(1_794_664_800_000));
        for order in [
            CursorOrder::Newest,
            CursorOrder::Oldest,
            CursorOrder::FoundNewest,
            CursorOrder::FoundOldest,
            CursorOrder::Changed { since, at },
        ] {
            for key in [0, 1, u128::MAX] {
                let cursor = Cursor { order, key };
                let text = text_of(cursor);
                assert!(
                    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)),
                    "{text}"
                );
                assert_eq!(parse(&text), Some(cursor));
                for place in 0..text.len() {
                    let mut other = text.clone().into_bytes();
                    other[place] = if other[place] == b'1' { b'2' } else { b'1' };
                    assert_eq!(parse(std::str::from_utf8(&other).unwrap()), None, "{text} at {place}");
                }
            }
        }
        for text in ["", "-", "n", "n1", "é-1", "x1-00000000"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_position_belongs_to_one_list() {
        let text = text_of_position(50, "abc");
        assert_eq!(parse_position(&text, "abc"), Some(50));
        assert_eq!(parse_position(&text, "abd"), None);
        assert_eq!(parse(&text), None);
    }
}
