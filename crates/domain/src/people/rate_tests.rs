//! The window against a slow reference implementation that replays the whole history for every request.

use proptest::prelude::*;

use super::*;

/// Keeps every accepted request and evaluates the rules millisecond by millisecond.
#[derive(Default)]
struct Model {
    accepted: Vec<u64>,
    exceedances: Vec<u64>,
    over_since: Option<u64>,
    blocked_until: u64,
    clock: u64,
}

impl Model {
    fn in_window(&self, rules: &Rules, at: u64) -> usize {
        self.accepted.iter().filter(|then| **then + rules.window_ms > at && **then <= at).count()
    }

    fn exceed(&mut self, rules: &Rules, at: u64) {
        self.exceedances.push(at);
        let remembered = self.exceedances.iter().filter(|then| **then + rules.memory_ms > at).count();
        if rules.exceedances > 0 && remembered >= rules.exceedances as usize {
            self.blocked_until = at + rules.block_ms;
        }
    }

    fn advance(&mut self, rules: &Rules, now: u64) {
        while self.clock < now {
            self.clock += 1;
            let over = self.in_window(rules, self.clock) > rules.standard as usize;
            match self.over_since {
                Some(_) if !over => self.over_since = None,
                Some(since) if (self.clock - since).is_multiple_of(rules.window_ms) => {
                    self.exceed(rules, self.clock);
                }
                _ => {}
            }
        }
    }

    fn admit(&mut self, rules: &Rules, now: u64) -> Result<(), u32> {
        self.advance(rules, now);
        if self.blocked_until > now {
            return Err(rules.standard);
        }
        if self.in_window(rules, now) >= rules.burst as usize {
            return Err(rules.burst);
        }
        self.accepted.push(now);
        if self.over_since.is_none() && self.in_window(rules, now) > rules.standard as usize {
            self.over_since = Some(now);
            self.exceed(rules, now);
        }
        Ok(())
    }
}

/// Small limits, so that the reference implementation is fast enough and every rule is exercised often.
const SMALL: Rules =
    Rules { window_ms: 60, standard: 6, burst: 10, exceedances: 3, block_ms: 300, memory_ms: 900 };

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_model(gaps in prop::collection::vec(prop_oneof![0_u64..4, 0_u64..20, 0_u64..400], 1..400)) {
        let (mut window, mut model, mut now) = (Window::default(), Model::default(), 0);
        for gap in gaps {
            now += gap;
            let expected = model.admit(&SMALL, now);
            match window.admit(&SMALL, now) {
                Decision::Served { .. } => prop_assert_eq!(expected, Ok(())),
                Decision::Rejected { limit, .. } => prop_assert_eq!(expected, Err(limit)),
            }
        }
    }

    #[test]
    fn waiting_retry_after_is_always_enough(gaps in prop::collection::vec(0_u64..1500, 1..400)) {
        let rules = Rules { window_ms: 60_000, standard: 60, burst: 100, ..Rules::V1 };
        let (mut window, mut now) = (Window::default(), 0);
        for gap in gaps {
            now += gap;
            if let Decision::Rejected { retry_after, .. } = window.admit(&rules, now) {
                prop_assert!(retry_after >= 1);
                let later = now + retry_after * 1000;
                let admitted = matches!(window.clone().admit(&rules, later), Decision::Served { .. });
                prop_assert!(admitted, "rejected again at {later}");
            }
        }
    }
}

fn served(window: &mut Window, rules: &Rules, now: u64) -> bool {
    matches!(window.admit(rules, now), Decision::Served { .. })
}

#[test]
fn sixty_are_within_forty_more_are_over_the_next_is_rejected() {
    let mut window = Window::default();
    for n in 0..60 {
        assert_eq!(window.admit(&Rules::V1, 0), Decision::Served { remaining: 59 - n, reset: 60 });
    }
    for _ in 0..40 {
        assert_eq!(window.admit(&Rules::V1, 0), Decision::Served { remaining: 0, reset: 60 });
    }
    assert_eq!(window.admit(&Rules::V1, 500), Decision::Rejected { limit: 100, retry_after: 60 });
}

#[test]
fn the_third_exceedance_blocks_from_the_next_request_on() {
    let mut window = Window::default();
    for round in 0..3 {
        for _ in 0..61 {
            assert!(served(&mut window, &Rules::V1, round * 120_000));
        }
    }
    let rejected = Decision::Rejected { limit: 60, retry_after: 300 };
    assert_eq!(window.admit(&Rules::V1, 240_000), rejected);
    assert!(!served(&mut window, &Rules::V1, 539_999));
    assert!(served(&mut window, &Rules::V1, 540_000));
}

#[test]
fn v2_rejects_the_sixty_first_and_never_blocks() {
    let mut window = Window::default();
    assert!((0..60).all(|_| served(&mut window, &Rules::V2, 0)));
    for _ in 0..1000 {
        assert_eq!(window.admit(&Rules::V2, 1), Decision::Rejected { limit: 60, retry_after: 60 });
    }
    assert!(served(&mut window, &Rules::V2, 60_000));
}

#[test]
fn a_clock_that_jumps_back_does_not_open_the_window() {
    let mut window = Window::default();
    assert!((0..100).all(|_| served(&mut window, &Rules::V1, 1_000_000)));
    assert!(!served(&mut window, &Rules::V1, 0));
}
