//! RSS (0.91 to 2.0), RSS 1.0 and Atom. The three only differ in names, so one parser reads them all.

use std::borrow::Cow;

use domain::moment::{Day, Moment};
use jiff::fmt::rfc2822::DateTimeParser;
use quick_xml::{
    Reader,
    events::{BytesRef, BytesStart, Event},
};

use super::{Draft, Feed, FeedError, plain::named_entity};

/// A field whose text is being collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    FeedTitle,
    Key,
    Title,
    Summary,
    Link,
    Date,
}

pub(super) fn read(text: &str) -> Result<Feed, FeedError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    let mut state = State::default();
    loop {
        let event = reader.read_event().map_err(|error| {
            let position = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            let line = crate::source::line_of(text.as_bytes(), position);
            FeedError::NotWellFormed { line, message: error.to_string() }
        })?;
        match event {
            Event::Start(element) => state.open(&element)?,
            Event::Empty(element) => {
                state.open(&element)?;
                state.close()?;
            }
            Event::End(_) => state.close()?,
            Event::Text(text) => state.add(&text.into_inner()),
            Event::CData(text) => state.add(&text.into_inner()),
            Event::GeneralRef(entity) => state.entity(&entity),
            Event::Eof => break,
            _ => {}
        }
    }
    if state.began && state.depth == 0 { Ok(state.feed) } else { Err(FeedError::BrokenOff) }
}

#[derive(Default)]
struct State {
    feed: Feed,
    began: bool,
    depth: usize,
    item: Option<(usize, Draft)>,
    field: Option<(usize, Field)>,
    text: String,
}

impl State {
    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), FeedError> {
        self.began = true;
        self.depth += 1;
        let name = element.name();
        let name = name.as_ref();
        if self.depth == 1 && !["rss", "rdf:RDF", "feed"].contains(&name) {
            return Err(FeedError::UnknownFormat);
        }
        if self.field.is_some() {
            // Markup inside a field must not join the words around it.
            self.text.push(' ');
            return Ok(());
        }
        match &mut self.item {
            None if matches!(name, "item" | "entry") => self.item = Some((self.depth, Draft::default())),
            None if name == "title" && self.feed.title.is_empty() => self.collect(Field::FeedTitle),
            Some((depth, item)) if self.depth == *depth + 1 => {
                if name == "link" && item.link.is_empty() {
                    item.link = address_of(element);
                }
                if let Some(field) = field_of(name) {
                    self.collect(field);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn collect(&mut self, field: Field) {
        self.field = Some((self.depth, field));
        self.text.clear();
    }

    fn close(&mut self) -> Result<(), FeedError> {
        if let Some((_, field)) = self.field.take_if(|(depth, _)| *depth == self.depth) {
            self.keep(field);
        }
        if let Some((_, item)) = self.item.take_if(|(depth, _)| *depth == self.depth) {
            self.feed.take(item)?;
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// The first text of a field counts.
    fn keep(&mut self, field: Field) {
        let text = std::mem::take(&mut self.text);
        let place = match (&mut self.item, field) {
            (_, Field::FeedTitle) => &mut self.feed.title,
            (None, _) => return,
            (Some((_, item)), Field::Date) => {
                item.date = item.date.or_else(|| day_of(text.trim()));
                return;
            }
            (Some((_, item)), Field::Key) => &mut item.key,
            (Some((_, item)), Field::Title) => &mut item.title,
            (Some((_, item)), Field::Summary) => &mut item.summary,
            (Some((_, item)), Field::Link) => &mut item.link,
        };
        if place.trim().is_empty() {
            *place = text;
        }
    }

    fn add(&mut self, text: &str) {
        if self.field.is_some() {
            self.text.push_str(text);
        }
    }

    /// Single characters only: entities that a document defines itself are not expanded.
    fn entity(&mut self, entity: &BytesRef<'_>) {
        match entity.resolve_char_ref() {
            Ok(Some(c)) => self.add(c.encode_utf8(&mut [0; 4])),
            _ => self.add(named_entity(&entity.borrow().into_inner()).unwrap_or(" ")),
        }
    }
}

fn field_of(name: &str) -> Option<Field> {
    Some(match name {
        "guid" | "id" => Field::Key,
        "title" => Field::Title,
        "description" | "summary" | "content" | "content:encoded" => Field::Summary,
        "link" => Field::Link,
        "pubDate" | "published" | "updated" | "dc:date" | "date" => Field::Date,
        _ => return None,
    })
}

/// The address of an Atom link to the entry itself.
fn address_of(link: &BytesStart<'_>) -> String {
    let attribute = |name: &str| {
        let found = link.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
        quick_xml::escape::unescape(&found.value).ok().map(Cow::into_owned)
    };
    let to_itself = attribute("rel").is_none_or(|rel| rel == "alternate");
    attribute("href").filter(|_| to_itself).unwrap_or_default()
}

/// The day of a date as RSS or Atom writes it, in UTC; of a date without a zone, the day as written.
fn day_of(text: &str) -> Option<Day> {
    // Feeds get the weekday wrong more often than the date.
    if let Ok(at) = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text) {
        return Some(Moment::from_millis(at.as_millisecond()).day());
    }
    let moment = text.parse::<Moment>().ok().map(Moment::day);
    moment.or_else(|| text.get(..10)?.parse().ok())
}
