//! Durations in settings: one whole number and one unit.

use std::time::Duration;

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Parses `500ms`, `30s`, `5m`, `12h` or `30d`; `None` for anything else, including a number that is too large.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*millis).map(Duration::from_millis)
}

/// Formats a duration in the largest unit that needs no fraction.
pub(crate) fn format(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if millis == 0 {
        return "0s".to_owned();
    }
    let fits = |unit: &&(&str, u64)| millis.is_multiple_of(unit.1);
    let (name, size) = UNITS.iter().rev().find(fits).unwrap_or(&UNITS[0]);
    format!("{}{name}", millis / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_unit() {
        for (text, millis) in
            [("500ms", 500), ("30s", 30_000), ("5m", 300_000), ("12h", 43_200_000), (" 1d ", 86_400_000)]
        {
            assert_eq!(parse(text), Some(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_one_number_and_one_unit() {
        for text in ["", "30", "s", "1.5s", "-1s", "30 s", "1h30m", "30S", "99999999999999999999s"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse("18446744073709551615d"), None, "does not overflow");
    }

    #[test]
    fn writes_the_largest_whole_unit() {
        for text in ["500ms", "30s", "90s", "5m", "12h", "30d"] {
            assert_eq!(parse(text).map(format).as_deref(), Some(text));
        }
        assert_eq!(format(Duration::from_mins(2)), "2m");
        assert_eq!(format(Duration::ZERO), "0s");
    }
}
