//! Parses feeds of supervisors: RSS, Atom and iCalendar become plain items with a day, the candidates for the
//! timeline and the radar.
//!
//! Feeds are external, so everything is bounded and nothing in them is trusted: markup is dropped, no entity is
//! expanded beyond single characters, and a truncated feed is refused, because its missing items would look
//! withdrawn. Another module fetches them. XML is tokenised by `quick-xml`; the feed crates on top of it bring a
//! second date library. The same applies to the maintained iCalendar crates, which also refuse a whole calendar for
//! one odd line, so its few relevant lines are parsed here.

mod calendar;
mod plain;
mod xml;

use std::borrow::Cow;

use domain::moment::Day;

/// The largest feed that is read.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The most items a feed may have.
pub const MOST_ITEMS: usize = 5_000;

/// The contents of a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    pub title: String,
    pub items: Vec<FeedItem>,
    /// Items left out because they have no title or no day.
    pub skipped: usize,
}

/// One entry of a feed, as plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedItem {
    /// The feed's own identifier: the same in every version of the feed.
    pub key: String,
    pub title: String,
    pub summary: String,
    /// Only `https` and `http` addresses.
    pub link: Option<String>,
    /// The day of the event, or of the publication.
    pub date: Day,
}

/// Why a feed was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    #[error("the feed is larger than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("the feed has more than {MOST_ITEMS} entries")]
    TooMany,
    #[error("the feed is neither RSS, Atom nor iCalendar")]
    UnknownFormat,
    #[error("the feed breaks off before its end")]
    BrokenOff,
    #[error("line {line} of the feed is not well-formed: {message}")]
    NotWellFormed { line: usize, message: String },
}

impl Feed {
    /// Reads a feed of any of the known formats.
    pub fn read(bytes: &[u8]) -> Result<Self, FeedError> {
        if bytes.len() > MOST_BYTES {
            return Err(FeedError::TooLarge);
        }
        let text = decode(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            xml::read(text)
        } else if text.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("BEGIN:VCALENDAR")) {
            calendar::read(text)
        } else {
            Err(FeedError::UnknownFormat)
        }
    }

    /// Adds an item, or counts it as skipped.
    fn take(&mut self, item: Draft) -> Result<(), FeedError> {
        if self.items.len() + self.skipped >= MOST_ITEMS {
            return Err(FeedError::TooMany);
        }
        match item.finish() {
            Some(item) => self.items.push(item),
            None => self.skipped += 1,
        }
        Ok(())
    }
}

/// Feeds that are not UTF-8 are read as Latin-1, whatever they declare.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// An item while it is read: raw texts, the first of each kind.
#[derive(Debug, Default)]
struct Draft {
    key: String,
    title: String,
    summary: String,
    link: String,
    date: Option<Day>,
}

const LONGEST_TITLE: usize = 300;
const LONGEST_SUMMARY: usize = 2_000;
const LONGEST_KEY: usize = 500;

impl Draft {
    fn finish(self) -> Option<FeedItem> {
        let title = plain::text(&self.title, LONGEST_TITLE);
        let date = self.date?;
        if title.is_empty() {
            return None;
        }
        let link = Some(self.link.trim()).filter(|link| is_web_address(link)).map(str::to_owned);
        let key = [self.key.trim(), link.as_deref().unwrap_or_default()]
            .into_iter()
            .find(|key| !key.is_empty())
            .map_or_else(|| format!("{date} {title}"), str::to_owned);
        let key = plain::cut(&key, LONGEST_KEY).to_owned();
        Some(FeedItem { key, title, summary: plain::text(&self.summary, LONGEST_SUMMARY), link, date })
    }
}

fn is_web_address(text: &str) -> bool {
    let address = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"'`\\".contains(c);
    address.is_some_and(|rest| !rest.is_empty() && text.len() <= 2_000 && rest.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_feed_is_refused() {
        assert_eq!(Feed::read(b""), Err(FeedError::UnknownFormat));
        assert_eq!(Feed::read(b"{\"version\": \"jsonfeed\"}"), Err(FeedError::UnknownFormat));
        assert_eq!(Feed::read(b"<html><body>404</body></html>"), Err(FeedError::UnknownFormat));
        assert_eq!(Feed::read(&vec![b' '; MOST_BYTES + 1]), Err(FeedError::TooLarge));
    }

    #[test]
    fn only_web_addresses_are_links() {
        assert!(is_web_address("https://www.bafin.de/dok/19?nn=1#x"));
        for bad in ["javascript:alert(1)", "https://", "ftp://x", "https://a b", "https://a\"onclick=", "//x"]
        {
            assert!(!is_web_address(bad), "{bad}");
        }
    }
}
