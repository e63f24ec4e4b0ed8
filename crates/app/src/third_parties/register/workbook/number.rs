//! Numbers of a workbook as the displayed texts. A spreadsheet stores every number with fifteen digits and every date
//! as a number of days.

use domain::moment::Day;

use super::styles::Shown;

/// Larger numbers have more digits than are stored.
const TOO_MANY_DIGITS: f64 = 1e15;
/// Smaller fractions of a day are rounding errors, not times.
const NO_TIME: f64 = 1e-6;

/// Why a number has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoText {
    NoNumber,
    ManyDigits,
    NoDay,
    TimeOfDay,
}

/// The first day of the count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Epoch {
    #[default]
    Of1900,
    Of1904,
}

pub(super) fn text(stored: &str, shown: Shown, epoch: Epoch) -> Result<String, NoText> {
    let number: f64 = stored.trim().parse().map_err(|_| NoText::NoNumber)?;
    if !number.is_finite() {
        return Err(NoText::NoNumber);
    }
    match shown {
        Shown::Day => day(number, epoch).map(|day| day.to_string()),
        Shown::Number => plain(number),
        Shown::Padded(digits) => {
            let text = plain(number)?;
            let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
            Ok(if is_whole { format!("{text:0>digits$}") } else { text })
        }
    }
}

/// With fifteen digits, as a spreadsheet shows it: 0.1 + 0.2 is 0.3.
fn plain(number: f64) -> Result<String, NoText> {
    if number.abs() >= TOO_MANY_DIGITS {
        return Err(NoText::ManyDigits);
    }
    let rounded: f64 = format!("{number:.14e}").parse().map_err(|_| NoText::NoNumber)?;
    Ok(if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() })
}

/// A day with its time, to the second, without an offset: a spreadsheet knows no time zones.
pub(super) fn local_time(stored: &str, epoch: Epoch) -> Result<String, NoText> {
    const DAY: f64 = 86_400.0;
    let number: f64 = stored.trim().parse().map_err(|_| NoText::NoNumber)?;
    let seconds = (number * DAY).round();
    let whole = (seconds / DAY).floor();
    let day = day(whole, epoch)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "less than the seconds of a day"
    )]
    let rest = (seconds - whole * DAY) as u32;
    Ok(format!("{day}T{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60))
}

fn day(number: f64, epoch: Epoch) -> Result<Day, NoText> {
    let (whole, rest) = ((number + NO_TIME).floor(), number - (number + NO_TIME).floor());
    if rest.abs() > NO_TIME {
        return Err(NoText::TimeOfDay);
    }
    let first = |text: &str| text.parse::<Day>().map_err(|_| NoText::NoDay);
    #[expect(clippy::cast_possible_truncation, reason = "the ranges below are small")]
    let days = if (0.0..=2_958_465.0).contains(&whole) { whole as i64 } else { return Err(NoText::NoDay) };
    let day = match (epoch, days) {
        // The 1900 date system contains a 29 February that did not exist.
        (Epoch::Of1900, 0 | 60) => return Err(NoText::NoDay),
        (Epoch::Of1900, 1..60) => first("1899-12-31")?.plus_days(days),
        (Epoch::Of1900, _) => first("1899-12-30")?.plus_days(days),
        (Epoch::Of1904, 0..=2_957_003) => first("1904-01-01")?.plus_days(days),
        (Epoch::Of1904, _) => return Err(NoText::NoDay),
    };
    Ok(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_see_them() {
        for (stored, meant) in [
            ("1250000", "1250000"),
            ("1.25E6", "1250000"),
            ("1250000.5", "1250000.5"),
            ("0.30000000000000004", "0.3"),
            ("1234.5599999999999", "1234.56"),
            ("-5", "-5"),
            ("-0", "0"),
            ("999999999999999", "999999999999999"),
            ("1e-7", "0.0000001"),
        ] {
            assert_eq!(text(stored, Shown::Number, Epoch::Of1900).as_deref(), Ok(meant), "{stored}");
        }
        assert_eq!(text("42", Shown::Padded(5), Epoch::Of1900).as_deref(), Ok("00042"));
        for (stored, problem) in
            [("1234567890123456", NoText::ManyDigits), ("NaN", NoText::NoNumber), ("x", NoText::NoNumber)]
        {
            assert_eq!(text(stored, Shown::Number, Epoch::Of1900), Err(problem), "{stored}");
        }
    }

    #[test]
    fn days_are_counted_from_either_epoch() {
        for (stored, meant) in
            [("1", "1900-01-01"), ("59", "1900-02-28"), ("61", "1900-03-01"), ("46022", "2025-12-31")]
        {
            assert_eq!(text(stored, Shown::Day, Epoch::Of1900).as_deref(), Ok(meant), "{stored}");
        }
        assert_eq!(text("2958465", Shown::Day, Epoch::Of1900).as_deref(), Ok("9999-12-31"));
        assert_eq!(text("44560", Shown::Day, Epoch::Of1904).as_deref(), Ok("2025-12-31"));
        for (stored, problem) in [
            ("0", NoText::NoDay),
            ("60", NoText::NoDay),
            ("-1", NoText::NoDay),
            ("2958466", NoText::NoDay),
            ("46022.5", NoText::TimeOfDay),
        ] {
            assert_eq!(text(stored, Shown::Day, Epoch::Of1900), Err(problem), "{stored}");
        }
    }

    #[test]
    fn a_time_of_day_is_read_to_the_second() {
        for (stored, meant) in [
            ("46340.5", "2026-11-14T12:00:00"),
            ("46340.39593750000", "2026-11-14T09:30:09"),
            ("46340.9999999", "2026-11-15T00:00:00"),
        ] {
            assert_eq!(local_time(stored, Epoch::Of1900).as_deref(), Ok(meant), "{stored}");
        }
        assert_eq!(local_time("-0.5", Epoch::Of1900), Err(NoText::NoDay));
    }
}
