//! How long a result lasts: the same is computed at every moment until then.

use super::{CASES, Clocks, Dice, HOUR, Moment, Situation, Standing, shipped, situation, standing};

fn at(case: &Situation, now: i64, clocks: &Clocks) -> Standing {
    standing(&Situation { now, ..case.clone() }, clocks)
}

#[test]
fn nothing_changes_by_itself_before_the_result_ends() {
    let (clocks, mut dice) = (shipped(), Dice(20_261_119));
    let (mut for_good, mut ends, mut differs) = (0, 0, 0);
    for number in 0..CASES {
        let case = situation(&mut dice);
        let now = at(&case, case.now, &clocks);
        let (last, kind) = match now.lasts_until.map(Moment::millis) {
            Some(last) => (last, &mut ends),
            None => (case.now + 20 * 365 * 24 * HOUR, &mut for_good),
        };
        *kind += 1;
        assert!(last >= case.now, "case {number}: {case:#?}");
        for moment in [last, case.now.midpoint(last), (case.now + 1).min(last)] {
            let later = at(&case, moment, &clocks);
            assert_eq!(later.classification, now.classification, "case {number} at {moment}: {case:#?}");
            assert_eq!(later.reports, now.reports, "case {number} at {moment}: {case:#?}");
        }
        let after = at(&case, last + 1, &clocks);
        differs += i32::from(
            now.lasts_until.is_some()
                && (after.classification != now.classification || after.reports != now.reports),
        );
    }
    assert!(for_good > 500 && ends > 5_000, "{for_good} for good, {ends} with an end");
    assert!(differs * 10 > ends * 9, "an end is hardly ever too early: {differs} of {ends}");
}
