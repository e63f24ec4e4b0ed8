//! Feeds as authorities publish them, and malformed ones.

use proptest::prelude::*;
use tidewall_catalogue::feed::{Feed, FeedError, MOST_ITEMS};

const RSS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="rss.css"?>
<!DOCTYPE rss [ <!ENTITY big "boom"> ]>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>BaFin: Verbrauchermitteilungen &amp; Aufsicht</title>
    <link>https://www.example.org/</link>
    <item>
      <media:title>Vorschaubild</media:title>
      <title><![CDATA[Rundschreiben 06/2026 (BA) – MaRisk]]></title>
      <link>https://www.example.org/dok/19876?nn=1&amp;x=2</link>
      <description>&lt;p&gt;Die &lt;b&gt;neunte&lt;/b&gt; Novelle&lt;br&gt;gilt sofort &amp;uuml;berall.&lt;/p&gt;</description>
      <pubDate>Tue, 30 Jun 2026 23:30:00 -0200</pubDate>
      <guid isPermaLink="false">bafin-19876</guid>
    </item>
    <item>
      <title>Ohne Datum</title>
      <link>https://www.example.org/2</link>
    </item>
    <item>
      <title>Nur &#196;nderung &big; hier</title>
      <link>javascript:alert(1)</link>
      <pubDate>Wed, 01 Jul 2026 08:00:00 GMT</pubDate>
    </item>
  </channel>
</rss>"#;

const ATOM: &str = r#"<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="text">EBA news</title>
  <id>urn:feed</id>
  <updated>2026-03-02T00:00:00Z</updated>
  <entry>
    <id>urn:eba:1</id>
    <title type="html">Guidelines on &lt;i&gt;third-party&lt;/i&gt; risk</title>
    <link rel="enclosure" href="https://www.example.org/file.pdf"/>
    <link rel="alternate" href="https://www.example.org/guidelines?a=1&amp;b=2"/>
    <published>2026-03-01T23:30:00-01:00</published>
    <updated>2026-03-05T00:00:00Z</updated>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p>Two</p></div></content>
  </entry>
</feed>"#;

const RDF: &str = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://www.example.org/"><title>ECB</title></channel>
  <item rdf:about="https://www.example.org/a"><title>Priorities</title><link>https://www.example.org/a</link><dc:date>2026-01-22</dc:date></item>
</rdf:RDF>"#;

const CALENDAR: &str = "BEGIN:VCALENDAR\r
VERSION:2.0\r
X-WR-CALNAME:Supervisory calendar\r
BEGIN:VTIMEZONE\r
TZID:Europe/Berlin\r
BEGIN:STANDARD\r
DTSTART:19701025T030000\r
END:STANDARD\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
UID:cra-reporting@example.org\r
DTSTART;VALUE=DATE:20260911\r
SUMMARY;LANGUAGE=en;X-NOTE=\"a:b\":CRA: reporting\\, vulnerabilities and in\r
 cidents\r
DESCRIPTION:First line\\nsecond\\; line\r
URL:https://www.example.org/cra\r
BEGIN:VALARM\r
SUMMARY:Do not take this\r
END:VALARM\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:gone@example.org\r
DTSTART:20260912\r
SUMMARY:Cancelled\r
STATUS:CANCELLED\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:timed@example.org\r
DTSTART;TZID=Europe/Berlin:20270117T000000\r
SUMMARY:Timed\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:unreal@example.org\r
DTSTART:20270230\r
SUMMARY:No such day\r
END:VEVENT\r
END:VCALENDAR\r
";

#[test]
fn rss_becomes_plain_items() {
    let feed = Feed::read(RSS.as_bytes()).unwrap();
    assert_eq!(feed.title, "BaFin: Verbrauchermitteilungen & Aufsicht");
    assert_eq!((feed.items.len(), feed.skipped), (2, 1));
    let first = &feed.items[0];
    assert_eq!(first.key, "bafin-19876");
    assert_eq!(first.title, "Rundschreiben 06/2026 (BA) – MaRisk");
    assert_eq!(first.summary, "Die neunte Novelle gilt sofort überall.");
    assert_eq!(first.link.as_deref(), Some("https://www.example.org/dok/19876?nn=1&x=2"));
    // Half past eleven at night, two hours west of Greenwich, is the next day in UTC.
    assert_eq!(first.date.to_string(), "2026-07-01");
    let second = &feed.items[1];
    assert_eq!((second.title.as_str(), &second.link), ("Nur Änderung hier", &None));
    assert_eq!(second.key, "2026-07-01 Nur Änderung hier");
}

#[test]
fn atom_and_rdf_become_the_same() {
    let feed = Feed::read(ATOM.as_bytes()).unwrap();
    assert_eq!((feed.title.as_str(), feed.items.len()), ("EBA news", 1));
    let item = &feed.items[0];
    assert_eq!((item.key.as_str(), item.title.as_str()), ("urn:eba:1", "Guidelines on third-party risk"));
    assert_eq!(item.link.as_deref(), Some("https://www.example.org/guidelines?a=1&b=2"));
    assert_eq!((item.summary.as_str(), item.date.to_string().as_str()), ("One Two", "2026-03-02"));

    let feed = Feed::read(RDF.as_bytes()).unwrap();
    assert_eq!((feed.title.as_str(), feed.items.len()), ("ECB", 1));
    let item = &feed.items[0];
    assert_eq!(
        (item.key.as_str(), item.date.to_string().as_str()),
        ("https://www.example.org/a", "2026-01-22")
    );
}

#[test]
fn calendars_give_their_events() {
    let feed = Feed::read(CALENDAR.as_bytes()).unwrap();
    assert_eq!((feed.title.as_str(), feed.items.len(), feed.skipped), ("Supervisory calendar", 2, 1));
    let item = &feed.items[0];
    assert_eq!(item.key, "cra-reporting@example.org");
    assert_eq!(item.title, "CRA: reporting, vulnerabilities and incidents");
    assert_eq!(item.summary, "First line second; line");
    assert_eq!(item.link.as_deref(), Some("https://www.example.org/cra"));
    assert_eq!(item.date.to_string(), "2026-09-11");
    assert_eq!(feed.items[1].date.to_string(), "2027-01-17");
    // Unix line ends and lower-case names occur in practice.
    let unix = CALENDAR.replace("\r\n", "\n").replace("SUMMARY:Timed", "summary:Timed");
    assert_eq!(Feed::read(unix.as_bytes()).unwrap(), feed);
}

#[test]
fn a_feed_that_breaks_off_is_refused() {
    for whole in [RSS, ATOM, RDF, CALENDAR] {
        for end in (0..whole.trim_end().len()).filter(|end| whole.is_char_boundary(*end)) {
            assert!(Feed::read(&whole.as_bytes()[..end]).is_err(), "{end} of {whole}");
        }
    }
}

#[test]
fn wrong_markup_is_named_with_its_line() {
    let broken = RSS.replace("</description>", "</beschreibung>");
    let Err(FeedError::NotWellFormed { line, message }) = Feed::read(broken.as_bytes()) else {
        panic!("a wrong end tag was taken");
    };
    assert_eq!(line, 12);
    assert!(message.contains("description"), "{message}");
}

#[test]
fn entities_are_never_expanded() {
    let laughs = r#"<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><rss><channel><item>
        <title>&b; x</title><pubDate>Wed, 01 Jul 2026 08:00:00 GMT</pubDate></item></channel></rss>"#;
    assert_eq!(Feed::read(laughs.as_bytes()).unwrap().items[0].title, "x");
}

#[test]
fn latin_1_and_byte_order_marks_are_read() {
    let item =
        "<rss><channel><item><title>Pr\u{fc}fung</title><pubDate>2026-07-01</pubDate></item></channel></rss>";
    let latin: Vec<u8> = item.chars().map(|c| u8::try_from(c).unwrap()).collect();
    assert_eq!(Feed::read(&latin).unwrap().items[0].title, "Prüfung");
    let marked = format!("\u{feff}{item}");
    assert_eq!(Feed::read(marked.as_bytes()).unwrap().items[0].title, "Prüfung");
}

#[test]
fn too_many_entries_are_refused() {
    let item = "<item><title>x</title><pubDate>2026-07-01</pubDate></item>";
    let feed = |count: usize| format!("<rss><channel>{}</channel></rss>", item.repeat(count));
    assert_eq!(Feed::read(feed(MOST_ITEMS).as_bytes()).unwrap().items.len(), MOST_ITEMS);
    assert_eq!(Feed::read(feed(MOST_ITEMS + 1).as_bytes()), Err(FeedError::TooMany));
}

proptest! {
    /// Any input is parsed or refused.
    #[test]
    fn damaged_feeds_do_no_harm(
        sample in prop::sample::select(vec![RSS, ATOM, RDF, CALENDAR]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[ -~äé€\\r\\n]{0,3}"), 1..8),
    ) {
        let mut text: Vec<char> = sample.chars().collect();
        for (place, put) in edits {
            let at = place.index(text.len());
            text.splice(at..(at + 2).min(text.len()), put.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(feed) = Feed::read(text.as_bytes()) {
            for item in feed.items {
                prop_assert!(!item.title.is_empty() && !item.key.is_empty());
                prop_assert!(!item.title.contains(['\n', '\r']));
            }
        }
    }
}
