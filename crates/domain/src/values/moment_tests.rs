use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn moments_and_days_are_written_and_read_as_the_library_does(millis in -62_135_596_800_000_i64..253_402_300_800_000) {
        let moment = Moment(millis);
        let day = moment.day();
        let time = SignedDuration::from_millis(millis - day.start().millis());
        let local = day.0.to_datetime(jiff::civil::Time::midnight()).checked_add(time).unwrap();
        prop_assert_eq!(moment.to_string(), format!("{local}Z"));
        prop_assert_eq!(moment.to_string().parse(), Ok(moment));
        if let Ok(known) = jiff::Timestamp::from_millisecond(millis) {
            prop_assert_eq!(moment.to_string(), known.to_string());
        }
        prop_assert_eq!(day.to_string(), day.0.to_string());
        prop_assert_eq!(day.to_string().parse(), Ok(day));
    }

    #[test]
    fn what_is_no_day_to_the_library_is_none_here(text in "[0-9]{4}-[0-9]{2}-[0-9 ]{2}") {
        prop_assert_eq!(text.parse().ok(), text.parse().ok().map(Day));
    }

    #[test]
    fn an_offset_is_read_as_the_library_reads_it(text in "20[0-9]{2}-1[0-2]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-5][0-9](\\.[0-9]{1,12})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])") {
        let ours = text.parse::<Moment>().ok().map(Moment::millis);
        // The library refuses a longer fraction, which we cut.
        if !text.contains('.') {
            prop_assert_eq!(ours, text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond));
        }
    }
}

#[test]
fn prints_utc_with_a_z_and_reads_any_offset() {
    let moment: Moment = "2026-11-14T10:30:00.25+01:00".parse().unwrap();
    assert_eq!(moment.to_string(), "2026-11-14T09:30:00.25Z");
    assert_eq!(moment.day().to_string(), "2026-11-14");
    let precise: Moment = "2026-11-14t09:30:00.2509999999999z".parse().unwrap();
    assert_eq!(precise.to_string(), "2026-11-14T09:30:00.25Z");
    for bad in [
        "",
        "2026-11-14",
        "2026-11-14T10:30:00",
        "2026-02-30T00:00:00Z",
        "+12026-01-01T00:00:00Z",
        "2026-11-14T10:30Z",
        "2026-11-14 10:30:00Z",
        "20261114T103000Z",
        "2026-11-14T10:30:00.Z",
        "2026-11-14T10:30:00+0100",
        "2026-11-14T10:30:00+01:60",
        "2026-11-14T10:30:00Z[Europe/Berlin]",
    ] {
        assert_eq!(bad.parse::<Moment>(), Err(NotAMoment), "{bad}");
    }
}

#[test]
fn days_are_real_days() {
    assert_eq!("2024-02-29".parse::<Day>().unwrap().plus_days(366).to_string(), "2025-03-01");
    for bad in ["2025-02-29", "2026-1-1", "20260101", "2026-13-01", "2026-01-01 ", "-026-01-01"] {
        assert_eq!(bad.parse::<Day>(), Err(NotADay), "{bad}");
    }
}
