//! Feeds of the timeline besides the catalogue: iCalendar, Atom and RSS, from files or over https.
//!
//! An address may describe its items in its fragment, which is never sent:
//! `https://authority.example/events.ics#category=consultation&framework=dora&authority=EBA`.

use std::{fmt, fs, io::Read as _, path::PathBuf};

use catalogue::{
    feed::{Feed, MOST_BYTES},
    milestone::MilestoneCategory,
};
use domain::framework::Framework;
use outbound::feed::FeedClient;
use sha2::{Digest as _, Sha256};
use url::Url;

/// The configured feeds, and the client that fetches those that are not files.
#[derive(Debug, Default)]
pub struct Feeds {
    pub sources: Vec<FeedSource>,
    /// Only needed when a source is not a file.
    pub client: Option<FeedClient>,
}

/// One configured feed.
#[derive(Clone, PartialEq, Eq)]
pub struct FeedSource {
    place: FeedAddress,
    pub category: MilestoneCategory,
    pub framework: Option<Framework>,
    /// The publisher; the feed's own title if `None`.
    pub authority: Option<String>,
}

#[derive(Clone, PartialEq, Eq)]
enum FeedAddress {
    Web(Url),
    File(PathBuf),
}

/// The text is no valid address of a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAFeed {
    #[error("must be an https address or a file:///path")]
    Address,
    #[error("{0} after the # must be one of category, framework, authority")]
    Option(String),
    #[error("{option} {why}")]
    Value { option: String, why: String },
}

impl FeedSource {
    /// Parses an address with its options. Plain http is only for loopback in development; the client checks it
    /// again.
    pub fn parse(text: &str) -> Result<Self, NotAFeed> {
        let mut url = Url::parse(text).map_err(|_| NotAFeed::Address)?;
        let options = url.fragment().map(str::to_owned).unwrap_or_default();
        url.set_fragment(None);
        let place = match url.scheme() {
            "https" | "http" if url.has_host() => FeedAddress::Web(url),
            "file" => FeedAddress::File(url.to_file_path().map_err(|()| NotAFeed::Address)?),
            _ => return Err(NotAFeed::Address),
        };
        let mut source =
            Self { place, category: MilestoneCategory::Review, framework: None, authority: None };
        for (option, value) in url::form_urlencoded::parse(options.as_bytes()) {
            source.set(&option, &value)?;
        }
        Ok(source)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), NotAFeed> {
        let bad = |why: String| NotAFeed::Value { option: option.to_owned(), why };
        match option {
            "category" => self.category = value.parse().map_err(|error| bad(format!("{error}")))?,
            "framework" => self.framework = Some(value.parse().map_err(|error| bad(format!("{error}")))?),
            "authority" => self.authority = Some(value.to_owned()).filter(|name| !name.is_empty()),
            _ => return Err(NotAFeed::Option(option.to_owned())),
        }
        Ok(())
    }

    /// Plain http is only for development.
    pub fn is_plain_http(&self) -> bool {
        matches!(&self.place, FeedAddress::Web(url) if url.scheme() == "http")
    }

    pub fn is_web(&self) -> bool {
        matches!(self.place, FeedAddress::Web(_))
    }

    /// The key of its items in the store: derived from the address without revealing it.
    pub(super) fn key(&self) -> String {
        let address = match &self.place {
            FeedAddress::Web(url) => url.as_str().to_owned(),
            FeedAddress::File(path) => path.display().to_string(),
        };
        short_digest(&[&address])
    }

    /// The feed's name for users: without path, query and credentials.
    pub fn label(&self) -> String {
        match &self.place {
            FeedAddress::Web(url) => url.host_str().unwrap_or_default().to_owned(),
            FeedAddress::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Reads the feed as it is now.
    pub(super) async fn read(&self, client: Option<&FeedClient>) -> Result<Feed, String> {
        let bytes = match (&self.place, client) {
            (FeedAddress::File(path), _) => {
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || read_file(&path));
                read.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?
            }
            (FeedAddress::Web(url), Some(client)) => {
                client.fetch(url, MOST_BYTES).await.map_err(|error| error.to_string())?
            }
            (FeedAddress::Web(_), None) => return Err("there is no client to fetch it with".to_owned()),
        };
        Feed::read(&bytes).map_err(|error| error.to_string())
    }
}

/// Reads one byte more than allowed, so that a file that is too large is noticed.
fn read_file(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The address is hidden because it may contain a token.
impl fmt::Debug for FeedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FeedSource").field("label", &self.label()).finish_non_exhaustive()
    }
}

/// A short digest of these texts.
pub(super) fn short_digest(texts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text.as_bytes());
    }
    digest.finalize()[..10].iter().fold(String::new(), |name, byte| name + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_its_items_are() {
        let text = "https://feeds.example/a.ics?token=canary#category=consultation&framework=dora&authority=EBA%20ESAs";
        let source = FeedSource::parse(text).unwrap();
        assert_eq!(source.category, MilestoneCategory::Consultation);
        assert_eq!(
            (source.framework, source.authority.as_deref()),
            (Some(Framework::DORA), Some("EBA ESAs"))
        );
        assert_eq!(source.label(), "feeds.example");
        assert!(!format!("{source:?}").contains("canary"));
        let plain = FeedSource::parse("https://feeds.example/a.ics?token=canary").unwrap();
        assert_eq!(plain.key(), source.key(), "the options are no part of the address");
    }

    #[test]
    fn what_is_no_feed_is_said() {
        for (text, complaint) in [
            ("events.ics", "must be an https address"),
            ("ftp://feeds.example/x", "must be an https address"),
            ("file://host/x", "must be an https address"),
            ("https://feeds.example/x#kategorie=review", "kategorie after the #"),
            ("https://feeds.example/x#category=urgent", "category must be one of application"),
            ("https://feeds.example/x#framework=DORA", "framework must be the id of a framework"),
        ] {
            let error = FeedSource::parse(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
        assert_eq!(FeedSource::parse("file:///srv/feeds/eba.ics").unwrap().label(), "eba.ics");
    }
}
