//! The Redis script compared with the window it mirrors, on a real server.

use domain::rate::Window;

use super::*;

fn shared() -> SharedCount {
    let url = std::env::var("TIDEWALL_TEST_REDIS").expect("scripts/test starts a Redis and names it");
    // A machine that stalls for a second must not change an answer.
    SharedCount::with_patience(&url, Duration::from_secs(30)).unwrap()
}

fn subject(name: &str) -> String {
    let nanos = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    format!("test:{name}:{nanos}")
}

/// Small limits, so that every rule is exercised often; times long enough that the server, which forgets a subject
/// by its own clock, never does so within the test.
const SMALL: Rules =
    Rules { window_ms: 6_007, standard: 6, burst: 10, exceedances: 3, block_ms: 30_000, memory_ms: 90_000 };

/// A simple generator, so that a failing sequence can be reproduced from its seed.
fn gaps(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match state % 3 {
            0 => state / 3 % 4,
            1 => state / 3 % 20,
            _ => state / 3 % 400,
        }
    })
}

#[tokio::test]
async fn every_answer_is_that_of_the_window_in_the_process() {
    let shared = shared();
    let v1 = Rules { window_ms: 60_000, ..Rules::V1 };
    for (rules, stretch) in [(SMALL, 100), (v1, 150), (Rules::V2, 100)] {
        for seed in 0..12 {
            let subject = subject(&format!("{seed}-{stretch}"));
            let (mut window, mut now) = (Window::default(), 1_000_000);
            for (number, gap) in gaps(seed).take(300).enumerate() {
                now += gap * stretch;
                let expected = window.admit(&rules, now);
                let answer = shared.admit_at(&rules, &subject, now).await.unwrap();
                assert_eq!(answer, expected, "request {number} of history {seed}, {rules:?}");
            }
        }
    }
}

#[tokio::test]
async fn two_connections_share_one_count_by_the_clock_of_the_server() {
    let (one, other, subject) = (shared(), shared(), subject("pair"));
    for round in 0..30 {
        let remaining = 59 - 2 * round;
        let first = one.admit(&Rules::V2, &subject).await.unwrap();
        assert!(matches!(first, Decision::Served { remaining: left, .. } if left == remaining), "{first:?}");
        let second = other.admit(&Rules::V2, &subject).await.unwrap();
        assert!(
            matches!(second, Decision::Served { remaining: left, .. } if left == remaining - 1),
            "{second:?}"
        );
    }
    let rejected = one.admit(&Rules::V2, &subject).await.unwrap();
    assert!(matches!(rejected, Decision::Rejected { limit: 60, .. }), "{rejected:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error_at_once() {
    let nobody = SharedCount::new("redis://127.0.0.1:1/").unwrap();
    let started = std::time::Instant::now();
    let error = nobody.admit(&Rules::V2, "x").await.unwrap_err();
    assert!(matches!(error, CountError::Away(_)), "{error}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_bad_address_is_refused_without_repeating_it() {
    let error = SharedCount::new("http://:secret@host").unwrap_err().to_string();
    assert!(error.contains("redis_url") && !error.contains("secret"), "{error}");
}
