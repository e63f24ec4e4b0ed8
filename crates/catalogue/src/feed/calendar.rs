//! iCalendar (RFC 5545): the events of a calendar. Recurrences, alarms and time zones are ignored; the day of an
//! event is the one written, since authorities announce days.

use std::borrow::Cow;

use domain::moment::Day;

use super::{Draft, Feed, FeedError};

/// The maximum nesting of components.
const DEEPEST: usize = 8;

pub(super) fn read(text: &str) -> Result<Feed, FeedError> {
    let mut state = State::default();
    for (number, line) in unfold(text) {
        let Some((name, value)) = property(&line) else { continue };
        let odd = |message: String| FeedError::NotWellFormed { line: number, message };
        match (name.as_str(), state.open.last().map(String::as_str)) {
            ("BEGIN", _) => state.begin(value).map_err(odd)?,
            ("END", Some(open)) if open.eq_ignore_ascii_case(value.trim()) => state.end()?,
            ("END", open) => {
                let open = open.unwrap_or("nothing");
                return Err(odd(format!("END:{} ends {open}", value.trim())));
            }
            ("X-WR-CALNAME" | "NAME", Some("VCALENDAR")) => state.feed.title = unescape(value),
            (_, Some("VEVENT")) => state.set(&name, value),
            _ => {}
        }
    }
    if state.ended { Ok(state.feed) } else { Err(FeedError::BrokenOff) }
}

#[derive(Default)]
struct State {
    feed: Feed,
    /// The open components, outermost first.
    open: Vec<String>,
    event: Option<Event>,
    ended: bool,
}

impl State {
    fn begin(&mut self, component: &str) -> Result<(), String> {
        self.open.push(component.trim().to_ascii_uppercase());
        if self.open == EVENT {
            self.event = Some(Event::default());
        }
        if self.open.len() > DEEPEST { Err("components are nested too deeply".to_owned()) } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), FeedError> {
        if self.open == EVENT
            && let Some(event) = self.event.take_if(|event| !event.cancelled)
        {
            self.feed.take(event.item)?;
        }
        self.open.pop();
        self.ended = self.open.is_empty();
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) {
        if let Some(event) = &mut self.event {
            event.set(name, value);
        }
    }
}

/// The path of events.
const EVENT: [&str; 2] = ["VCALENDAR", "VEVENT"];

#[derive(Default)]
struct Event {
    item: Draft,
    cancelled: bool,
}

impl Event {
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "UID" => value.trim().clone_into(&mut self.item.key),
            "SUMMARY" => self.item.title = unescape(value),
            "DESCRIPTION" => self.item.summary = unescape(value),
            "URL" => value.trim().clone_into(&mut self.item.link),
            "DTSTART" => self.item.date = day_of(value.trim()),
            "STATUS" => self.cancelled = value.trim().eq_ignore_ascii_case("CANCELLED"),
            _ => {}
        }
    }
}

/// The lines of a calendar with their numbers; a long line continues in the next, which starts with a space or a tab.
fn unfold(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = (1..).zip(text.lines()).peekable();
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let mut line = Cow::Borrowed(line);
        while let Some((_, more)) = lines.next_if(|(_, next)| next.starts_with([' ', '\t'])) {
            line.to_mut().push_str(&more[1..]);
        }
        Some((number, line))
    })
}

/// The name of a property, in capitals and without its parameters, and its value.
fn property(line: &str) -> Option<(String, &str)> {
    let mut quoted = false;
    let colon = line.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b':' && !quoted
    })?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let name = name.split(';').next().unwrap_or_default();
    Some((name.trim().to_ascii_uppercase(), value))
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(escaped) => text.push(escaped),
                None => {}
            },
            c => text.push(c),
        }
    }
    text
}

/// `20260117` or `20260117T080000Z`.
fn day_of(value: &str) -> Option<Day> {
    let (date, time) = value.split_at_checked(8)?;
    if !date.bytes().all(|byte| byte.is_ascii_digit()) || !(time.is_empty() || time.starts_with('T')) {
        return None;
    }
    format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]).parse().ok()
}
