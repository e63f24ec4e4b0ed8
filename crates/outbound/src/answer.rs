//! Interprets a chat destination's HTTP response, and how long it asks us to wait.

use std::time::{Duration, UNIX_EPOCH};

use domain::{moment::Moment, webhook::Channel};

use crate::{
    outcome::{Outcome, Reason, Verdict, bounded},
    retry::MAX_RETRY_AFTER,
};

/// The parts of an HTTP response that are used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// The `Retry-After` header as it was sent.
    pub retry_after: Option<String>,
    /// The first bytes of the body.
    pub body: Vec<u8>,
    /// Whether the body ended by itself within those bytes.
    pub complete: bool,
}

impl Answer {
    /// Judges the answer as that of a destination of `channel`, received at `now`.
    pub fn outcome(self, channel: Channel, now: Moment) -> Outcome {
        let (verdict, reason) = self.verdict(channel);
        let retry_after = self.retry_after.as_deref().and_then(|header| parse_retry_after(header, now));
        Outcome {
            verdict,
            reason,
            status: Some(self.status),
            retry_after: retry_after.filter(|_| verdict == Verdict::Transient),
            detail: bounded(String::from_utf8_lossy(&self.body).into_owned()),
        }
    }

    /// Judges the answer as that of an event hook, whose receiver confirms by the status alone.
    pub fn outcome_of_event(self, now: Moment) -> Outcome {
        let is_success = (200..300).contains(&self.status);
        let outcome = self.outcome(Channel::Teams, now);
        if is_success { Outcome { verdict: Verdict::Delivered, ..outcome } } else { outcome }
    }

    fn verdict(&self, channel: Channel) -> (Verdict, Reason) {
        let verdict = match self.status {
            200..300 => return self.success(channel),
            408 | 425 | 429 => Verdict::Transient,
            401 | 403 | 404 | 410 => Verdict::Dead,
            400 | 413 | 415 | 422 => Verdict::OurFault,
            300..500 => Verdict::Refused,
            _ => Verdict::Transient,
        };
        (verdict, Reason::Answered)
    }

    /// A good status is all that Teams returns: the card is posted later, by a workflow that we cannot observe. Slack
    /// and compatible servers confirm in the body, so a proxy's page with status 200 is not taken for a confirmation.
    fn success(&self, channel: Channel) -> (Verdict, Reason) {
        if channel == Channel::Teams {
            return (Verdict::Accepted, Reason::Answered);
        }
        if self.confirms() {
            return (Verdict::Delivered, Reason::Answered);
        }
        // A truncated body is inconclusive; a complete one with another text is a refusal.
        let verdict = if self.complete { Verdict::Refused } else { Verdict::Transient };
        (verdict, Reason::NotConfirmed)
    }

    /// `ok` as from Slack and Mattermost, or `{"success": true}` as from Rocket.Chat.
    fn confirms(&self) -> bool {
        self.complete && (self.body.trim_ascii() == b"ok" || confirms_in_json(&self.body))
    }
}

fn confirms_in_json(body: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(body)
        .is_ok_and(|value| value["success"] == true || value["ok"] == true)
}

/// Parses `Retry-After`: whole or fractional seconds, or an HTTP date. An invalid value is `None`.
pub fn parse_retry_after(header: &str, now: Moment) -> Option<Duration> {
    let header = header.trim();
    let wait = if header.starts_with(|first: char| first.is_ascii_digit()) {
        seconds(header)?
    } else {
        until_date(header, now)?
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

fn seconds(text: &str) -> Option<Duration> {
    // Plain decimals only: the number parser would also accept exponents.
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = plain.then(|| text.parse::<f64>().ok())??;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(MAX_RETRY_AFTER))
}

fn until_date(text: &str, now: Moment) -> Option<Duration> {
    let date = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    let now = Duration::from_millis(now.millis().try_into().unwrap_or(0));
    Some(date.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-14T09:30:00Z";

    fn judged(channel: Channel, status: u16, body: &str) -> (Verdict, Reason) {
        let answer = Answer { status, body: body.into(), complete: true, ..Answer::default() };
        let outcome = answer.outcome(channel, NOW.parse().unwrap());
        assert_eq!(outcome.status, Some(status));
        (outcome.verdict, outcome.reason)
    }

    #[test]
    fn slack_delivers_only_when_the_body_says_so() {
        use Reason::{Answered, NotConfirmed};
        for body in ["ok", "ok\n", "{\"success\":true}", "{\"ok\": true}"] {
            assert_eq!(judged(Channel::Slack, 200, body), (Verdict::Delivered, Answered), "{body}");
        }
        for body in
            ["", "OK", "okay", "<html>ok</html>", "{\"ok\":false}", "{\"success\":\"true\"}", "[true]"]
        {
            assert_eq!(judged(Channel::Slack, 200, body), (Verdict::Refused, NotConfirmed), "{body}");
        }
        let broken = Answer { status: 200, body: b"ok".into(), complete: false, retry_after: None };
        let outcome = broken.outcome(Channel::Slack, NOW.parse().unwrap());
        assert_eq!((outcome.verdict, outcome.reason), (Verdict::Transient, NotConfirmed));
    }

    #[test]
    fn teams_accepts_and_never_proves() {
        for status in [200, 202, 204, 299] {
            assert_eq!(judged(Channel::Teams, status, "anything").0, Verdict::Accepted);
        }
        let broken = Answer { status: 202, ..Answer::default() };
        assert_eq!(broken.outcome(Channel::Teams, NOW.parse().unwrap()).verdict, Verdict::Accepted);
    }

    #[test]
    fn every_status_has_its_verdict_on_both_channels() {
        for channel in [Channel::Slack, Channel::Teams] {
            for status in 100..1000 {
                let expected = match status {
                    200..=299 => continue,
                    408 | 425 | 429 => Verdict::Transient,
                    401 | 403 | 404 | 410 => Verdict::Dead,
                    400 | 413 | 415 | 422 => Verdict::OurFault,
                    300..=499 => Verdict::Refused,
                    _ => Verdict::Transient,
                };
                assert_eq!(judged(channel, status, "no_service"), (expected, Reason::Answered), "{status}");
            }
        }
    }

    #[test]
    fn reads_retry_after_in_all_three_forms() {
        let now = NOW.parse().unwrap();
        let millis = |header: &str| parse_retry_after(header, now).map(|wait| wait.as_millis());
        for (header, expected) in [
            ("0", 0),
            ("1", 1000),
            (" 120 ", 120_000),
            ("1.5", 1500),
            ("0.25", 250),
            ("99999999999999999999999", 86_400_000),
            ("Sat, 14 Nov 2026 09:31:30 GMT", 90_000),
            ("Saturday, 14-Nov-26 09:31:30 GMT", 90_000),
            ("Sat Nov 14 09:31:30 2026", 90_000),
            ("Sat, 14 Nov 2026 09:00:00 GMT", 0),
            ("Thu, 14 Nov 2126 09:30:00 GMT", 86_400_000),
        ] {
            assert_eq!(millis(header), Some(expected), "{header}");
        }
        for header in ["", "-1", "1e3", "inf", "NaN", "1.2.3", "+5", "5 s", "soon", "2026-11-14T09:31:30Z"] {
            assert_eq!(millis(header), None, "{header}");
        }
    }

    #[test]
    fn a_wait_is_only_kept_where_there_is_another_try() {
        let now = NOW.parse().unwrap();
        let wait = |status| {
            let answer = Answer { status, retry_after: Some("7".to_owned()), ..Answer::default() };
            answer.outcome(Channel::Slack, now).retry_after
        };
        assert_eq!(wait(429), Some(Duration::from_secs(7)));
        assert_eq!(wait(503), Some(Duration::from_secs(7)));
        assert_eq!(wait(404), None);
    }

    #[test]
    fn keeps_at_most_a_kibibyte_of_the_body() {
        let answer = Answer { status: 500, body: vec![0xff; 5000], ..Answer::default() };
        assert!(answer.outcome(Channel::Slack, NOW.parse().unwrap()).detail.len() <= 1024);
    }
}
