//! Calendars in the format of RFC 5545, which calendar programs subscribe to.
//!
//! Work of a day is an event of that whole day; what is due at a moment is an event at that moment, in UTC. Nothing
//! repeats and nothing invites.

use crate::{deadline::Due, moment::Moment};

/// The longest line in octets, without its end.
const LINE: usize = 75;

/// An event of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IcalEvent {
    /// The same for the same thing in every copy of the calendar.
    pub uid: String,
    pub summary: String,
    pub due: Due,
    /// The page of the record.
    pub url: String,
}

/// A calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ical {
    pub name: String,
    pub events: Vec<IcalEvent>,
    /// When the calendar was made.
    pub made_at: Moment,
}

impl Ical {
    /// The calendar as text, its lines folded and ended as the format asks for.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut put = |line: &str| fold(&mut text, line);
        put("BEGIN:VCALENDAR");
        put("VERSION:2.0");
        put("PRODID:-//Tidewall//Due//EN");
        put("CALSCALE:GREGORIAN");
        put(&format!("NAME:{}", escaped(&self.name)));
        put(&format!("X-WR-CALNAME:{}", escaped(&self.name)));
        put("REFRESH-INTERVAL;VALUE=DURATION:PT1H");
        for event in &self.events {
            put("BEGIN:VEVENT");
            put(&format!("UID:{}", escaped(&event.uid)));
            put(&format!("DTSTAMP:{}", moment(self.made_at)));
            match event.due {
                Due::On(day) => {
                    put(&format!("DTSTART;VALUE=DATE:{}", day.to_string().replace('-', "")));
                    let end = day.plus_days(1).to_string().replace('-', "");
                    put(&format!("DTEND;VALUE=DATE:{end}"));
                }
                Due::At(at) => put(&format!("DTSTART:{}", moment(at))),
            }
            put(&format!("SUMMARY:{}", escaped(&event.summary)));
            put(&format!("URL:{}", event.url));
            put("TRANSP:TRANSPARENT");
            put("END:VEVENT");
        }
        put("END:VCALENDAR");
        text
    }
}

/// A moment in the basic form, in UTC and to the second.
fn moment(at: Moment) -> String {
    let text = at.to_string();
    let seconds = text.get(..19).unwrap_or(&text);
    format!("{}Z", seconds.replace(['-', ':'], ""))
}

/// A text value. Control characters other than line breaks have no place in one.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Adds a line, in pieces of at most 75 octets of which all but the first begin with a space. No letter is cut.
fn fold(text: &mut String, line: &str) {
    let mut used = 0;
    for letter in line.chars() {
        if used + letter.len_utf8() > LINE {
            text.push_str("\r\n ");
            used = 1;
        }
        text.push(letter);
        used += letter.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(summary: &str, due: Due) -> String {
        let event = IcalEvent {
            uid: "task-1@tidewall".to_owned(),
            summary: summary.to_owned(),
            due,
            url: "https://tidewall.example/workspace/work".to_owned(),
        };
        let made_at = "2026-11-18T10:00:00Z".parse().unwrap();
        Ical { name: "Bank, north".to_owned(), events: vec![event], made_at }.text()
    }

    #[test]
    fn lines_are_folded_between_letters_and_end_with_both_characters() {
        let long = "Überprüfung des Dienstleisters 🏦 ".repeat(12);
        let text = calendar(&long, Due::On("2026-11-30".parse().unwrap()));
        for line in text.split("\r\n") {
            assert!(line.len() <= LINE, "{line}");
            assert!(!line.contains(['\r', '\n']), "{line:?}");
        }
        assert!(text.ends_with("END:VCALENDAR\r\n"));
        assert!(text.replace("\r\n ", "").contains(&format!("SUMMARY:{long}\r\n")));
    }

    #[test]
    fn a_text_cannot_begin_a_line_of_its_own() {
        let text = calendar("a;b,c\\d\r\nATTENDEE:x\u{0}", Due::On("2026-11-30".parse().unwrap()));
        assert!(text.contains("SUMMARY:a\\;b\\,c\\\\d\\nATTENDEE:x\r\n"), "{text}");
        assert!(text.contains("X-WR-CALNAME:Bank\\, north\r\n"), "{text}");
    }

    #[test]
    fn a_day_is_whole_and_a_moment_exact() {
        let day = calendar("x", Due::On("2026-12-31".parse().unwrap()));
        assert!(day.contains("DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n"), "{day}");
        let at = calendar("x", Due::At("2026-11-18T13:04:05Z".parse().unwrap()));
        assert!(at.contains("DTSTART:20261118T130405Z\r\n") && !at.contains("DTEND"), "{at}");
    }
}
