//! The catalogue's milestones as a calendar to subscribe to (RFC 5545). Items of feeds are left out, because we may
//! not republish them.

use app::catalogue::{Edition, milestone::Milestone};
use axum::response::Response;
use domain::{
    moment::Day,
    wording::{Label, Language},
};
use http::HeaderValue;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest},
};
use crate::{ApiError, extract::LanguageParams};

pub(super) const BODY: PublicBody =
    PublicBody { name: "timeline calendar", write: |edition, language| Ok(body(edition, language)) };

const TITLE: Label = Label::new("Compliance timeline", "Zeitleiste der Regulierung");

fn body(edition: &Edition, language: Language) -> Vec<u8> {
    let mut calendar = Calendar::default();
    calendar.line("BEGIN", "VCALENDAR");
    calendar.line("VERSION", "2.0");
    calendar.line("PRODID", concat!("-//Tidewall//Tidewall ", env!("CARGO_PKG_VERSION"), "//EN"));
    calendar.text("NAME", TITLE.text(language));
    calendar.text("X-WR-CALNAME", TITLE.text(language));
    calendar.line("REFRESH-INTERVAL;VALUE=DURATION", "P1D");
    calendar.line("X-PUBLISHED-TTL", "P1D");
    for milestone in &edition.milestones {
        calendar.event(milestone, edition.version, language);
    }
    calendar.line("END", "VCALENDAR");
    calendar.0.into_bytes()
}

/// The lines of a calendar while it is written.
#[derive(Debug, Default)]
struct Calendar(String);

/// A longer line continues in the next one, after a space.
const LONGEST_LINE: usize = 75;

impl Calendar {
    fn event(&mut self, milestone: &Milestone, version: Day, language: Language) {
        self.line("BEGIN", "VEVENT");
        self.line("UID", &format!("{}@tidewall", milestone.id));
        self.line("DTSTAMP", &format!("{}T000000Z", digits(version)));
        self.line("DTSTART;VALUE=DATE", &digits(milestone.date));
        self.line("DTEND;VALUE=DATE", &digits(milestone.date.plus_days(1)));
        self.text("SUMMARY", milestone.title.get(language));
        let description = format!(
            "{}\n\n{}: {}",
            milestone.summary.get(language),
            milestone.authority,
            milestone.reference
        );
        self.text("DESCRIPTION", &description);
        self.text("CATEGORIES", milestone.category.label().text(language));
        self.line("TRANSP", "TRANSPARENT");
        self.line("END", "VEVENT");
    }

    /// A value with special characters escaped.
    fn text(&mut self, name: &str, value: &str) {
        let mut escaped = String::with_capacity(value.len());
        for sign in value.chars() {
            match sign {
                '\\' | ';' | ',' => escaped.extend(['\\', sign]),
                '\n' => escaped.push_str("\\n"),
                sign if sign.is_control() => {}
                sign => escaped.push(sign),
            }
        }
        self.line(name, &escaped);
    }

    fn line(&mut self, name: &str, value: &str) {
        let mut length = 0;
        for sign in name.chars().chain([':']).chain(value.chars()) {
            if length + sign.len_utf8() > LONGEST_LINE {
                self.0.push_str("\r\n ");
                length = 1;
            }
            self.0.push(sign);
            length += sign.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

/// `20261114`
fn digits(day: Day) -> String {
    day.to_string().replace('-', "")
}

/// Gets the compliance timeline as an iCalendar file.
#[utoipa::path(get, path = "/api/compliance-timeline.ics", operation_id = "getTimelineCalendar",
    tag = "reference",
    params(LanguageParams), security(()),
    responses((status = 200, body = String, content_type = "text/calendar"), PublicErrors))]
pub(crate) async fn calendar(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer_as(&BODY, HeaderValue::from_static("text/calendar; charset=utf-8")).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_escaped_and_folded_by_octets() {
        let mut calendar = Calendar::default();
        calendar.text("SUMMARY", "a;b,c\\d\ne\u{7}f");
        assert_eq!(calendar.0, "SUMMARY:a\\;b\\,c\\\\d\\nef\r\n");
        let mut calendar = Calendar::default();
        calendar.text("SUMMARY", &"ü".repeat(200));
        for line in calendar.0.trim_end().split("\r\n") {
            assert!(line.len() <= LONGEST_LINE, "{line}");
        }
        assert_eq!(calendar.0.replace("\r\n ", ""), format!("SUMMARY:{}\r\n", "ü".repeat(200)));
    }
}
