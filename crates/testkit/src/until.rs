//! Waiting for what happens elsewhere: in another task, on another thread, in another process.

use std::time::{Duration, Instant};

/// Longer than anything that tests wait for takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until it is so, and fails with these words if that does not happen.
pub async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let since = Instant::now();
    while !is_so().await {
        assert!(since.elapsed() < PATIENCE, "it did not happen: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}
