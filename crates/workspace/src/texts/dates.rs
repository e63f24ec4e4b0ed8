//! Days and times as people of each language write them. Times are in UTC and say so; the script adds the
//! reader's own time beside them.

use domain::{
    moment::{Day, Moment},
    wording::Language,
};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

pub(crate) fn day(language: Language, day: Day) -> String {
    let date = day.date();
    match language {
        Language::English => {
            let month = MONTHS[usize::from(u8::from(date.month())) - 1];
            format!("{} {month} {}", date.day(), date.year())
        }
        Language::German => format!("{:02}.{:02}.{}", date.day(), u8::from(date.month()), date.year()),
    }
}

pub(crate) fn moment(language: Language, at: Moment) -> String {
    let seconds = at.millis().div_euclid(1000).rem_euclid(24 * 60 * 60);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{}, {hours:02}:{minutes:02} UTC", day(language, at.day()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_days_its_own_way() {
        let at: Moment = "2026-03-01T07:05:59Z".parse().unwrap();
        assert_eq!(moment(Language::English, at), "1 Mar 2026, 07:05 UTC");
        assert_eq!(moment(Language::German, at), "01.03.2026, 07:05 UTC");
    }
}
