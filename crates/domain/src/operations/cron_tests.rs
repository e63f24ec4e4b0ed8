use super::*;

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

/// The next times of a schedule, one after the other.
fn next(cron: &str, zone: &str, from: &str, count: usize) -> Vec<String> {
    let (cron, zone): (Cron, TimeZone) = (cron.parse().unwrap(), zone.parse().unwrap());
    let mut now = at(from);
    let step = |_| {
        now = cron.next_after(now, &zone);
        now.to_string()
    };
    (0..count).map(step).collect()
}

#[test]
fn the_usual_forms_name_the_usual_times() {
    let from = "2026-11-14T14:00:00Z";
    let first = |cron: &str| next(cron, "UTC", from, 1).remove(0);
    assert_eq!(first("* * * * *"), "2026-11-14T14:01:00Z");
    assert_eq!(first("*/15 * * * *"), "2026-11-14T14:15:00Z");
    assert_eq!(first("5-59/20 * * * *"), "2026-11-14T14:05:00Z");
    assert_eq!(first("@daily"), "2026-11-15T00:00:00Z");
    assert_eq!(first("0 6 L * *"), "2026-11-30T06:00:00Z");
    assert_eq!(first("30 2 * * *"), "2026-11-15T02:30:00Z");
    assert_eq!(first("0 9-17/4 * * mon-fri"), "2026-11-16T09:00:00Z");
    assert_eq!(first("0 0 1 jan,jul *"), "2027-01-01T00:00:00Z");
    assert_eq!(first("0 0 29 2 *"), "2028-02-29T00:00:00Z");
    assert_eq!(first("0 3 * * 7"), first("0 3 * * 0"));
    assert_eq!(first("0 3 * * sun"), "2026-11-15T03:00:00Z");
}

#[test]
fn a_day_and_a_weekday_are_each_enough() {
    let times = next("0 0 20 * mon", "UTC", "2026-11-14T14:00:00Z", 3);
    assert_eq!(times, ["2026-11-16T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-23T00:00:00Z"]);
}

#[test]
fn the_present_minute_is_not_the_next_one() {
    assert_eq!(next("0 14 * * *", "UTC", "2026-11-14T14:00:00Z", 1), ["2026-11-15T14:00:00Z"]);
    assert_eq!(next("0 14 * * *", "UTC", "2026-11-14T13:59:59.999Z", 1), ["2026-11-14T14:00:00Z"]);
}

#[test]
fn the_wall_clock_decides_where_a_zone_is_given() {
    let winter = next("30 2 * * *", "Europe/Berlin", "2026-11-14T14:00:00Z", 1);
    let summer = next("30 2 * * *", "Europe/Berlin", "2026-07-01T14:00:00Z", 1);
    assert_eq!((winter[0].as_str(), summer[0].as_str()), ("2026-11-15T01:30:00Z", "2026-07-02T00:30:00Z"));
}

#[test]
fn nothing_is_lost_or_doubled_when_the_clock_changes() {
    // 29 March 2026: two o'clock is followed by three.
    let forward = next("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3);
    assert_eq!(forward, ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]);
    // 25 October 2026: half past two comes twice.
    let back = next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
    assert_eq!(back, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
    // What happens every hour happens every hour.
    let hourly = next("30 * * * *", "Europe/Berlin", "2026-10-24T23:45:00Z", 3);
    assert_eq!(hourly, ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"]);
}

#[test]
fn mistakes_are_named() {
    let error = |text: &str| text.parse::<Cron>().unwrap_err().to_string();
    assert!(error("* * * *").starts_with("must have five fields"));
    assert!(error("60 * * * *").contains("\"60\" as its minute: write a number from 0 to 59"));
    assert!(error("0 0 * * noday").contains("\"noday\" as its weekday"));
    assert_eq!(error("0 0 31 feb *"), "names a day that never comes");
    for bad in [
        "*/0 * * * *",
        "5-1 * * * *",
        "+5 * * * *",
        ", * * * *",
        "1- * * * *",
        "* * 0 * *",
        "* * * 13 *",
        "5/20 * * * *",
        "0 0 * * * *",
        "@never",
        "",
    ] {
        assert!(bad.parse::<Cron>().is_err(), "{bad}");
    }
}
