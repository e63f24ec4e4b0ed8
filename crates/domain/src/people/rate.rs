//! The request limit of one key: an exact sliding window of accepted requests, as pure logic.
//!
//! Above the standard rate a key is *over*; being over counts exceedances, and enough of them block the key. Time is
//! passed in as milliseconds that never decrease for one window.

use std::collections::VecDeque;

/// The limits of one tier. With `burst == standard` and no `exceedances` it is a plain hard limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub window_ms: u64,
    /// Up to this many in the window the key is within its rate.
    pub standard: u32,
    /// Up to this many are served; the next is rejected.
    pub burst: u32,
    /// How many recent exceedances block the key; 0 never blocks.
    pub exceedances: u32,
    pub block_ms: u64,
    /// How long an exceedance counts.
    pub memory_ms: u64,
}

impl Rules {
    pub const V1: Self = Self {
        window_ms: 60_000,
        standard: 60,
        burst: 100,
        exceedances: 3,
        block_ms: 300_000,
        memory_ms: 900_000,
    };
    pub const V2: Self = Self { standard: 60, burst: 60, exceedances: 0, ..Self::V1 };

    pub fn window_seconds(&self) -> u64 {
        self.window_ms / 1000
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Served {
        /// Requests left within the standard rate.
        remaining: u32,
        /// Whole seconds until the oldest request leaves the window.
        reset: u64,
    },
    Rejected {
        /// The limit that was hit.
        limit: u32,
        /// Whole seconds after which a request is accepted, if none comes in between.
        retry_after: u64,
    },
}

/// The state of one key.
#[derive(Debug, Clone, Default)]
pub struct Window {
    accepted: VecDeque<u64>,
    over_since: Option<u64>,
    /// Additional exceedances already counted for the current period over the rate.
    counted: u64,
    exceedances: VecDeque<u64>,
    blocked_until: Option<u64>,
    last: u64,
}

impl Window {
    /// Decides about one request at `now` and records it.
    pub fn admit(&mut self, rules: &Rules, now: u64) -> Decision {
        let now = now.max(self.last);
        self.last = now;
        self.catch_up(rules, now);
        if self.blocked_until.is_some() {
            return self.reject(rules, rules.standard, now);
        }
        if self.accepted.len() >= rules.burst as usize {
            return self.reject(rules, rules.burst, now);
        }
        self.accepted.push_back(now);
        if self.over_since.is_none() && self.accepted.len() > rules.standard as usize {
            self.over_since = Some(now);
            self.counted = 0;
            self.exceed(rules, now);
        }
        let used = u32::try_from(self.accepted.len()).unwrap_or(u32::MAX);
        let oldest = self.accepted.front().copied().unwrap_or(now);
        Decision::Served {
            remaining: rules.standard.saturating_sub(used),
            reset: (oldest + rules.window_ms - now).div_ceil(1000),
        }
    }

    /// Whether nothing in it can influence a decision any more, so that it can be dropped.
    pub fn is_idle(&self, rules: &Rules, now: u64) -> bool {
        now > self.last + rules.window_ms + rules.memory_ms.max(rules.block_ms)
    }

    /// Updates the state to `now`: old requests leave the window, time over the rate is counted, blocks end.
    fn catch_up(&mut self, rules: &Rules, now: u64) {
        self.count_time_over(rules, now);
        while self.accepted.front().is_some_and(|at| at + rules.window_ms <= now) {
            self.accepted.pop_front();
        }
        while self.exceedances.front().is_some_and(|at| at + rules.memory_ms <= now) {
            self.exceedances.pop_front();
        }
        if self.blocked_until.is_some_and(|until| until <= now) {
            self.blocked_until = None;
        }
    }

    /// Each further full window over the rate counts one exceedance, at the moment it is full.
    fn count_time_over(&mut self, rules: &Rules, now: u64) {
        let Some(since) = self.over_since else { return };
        let ends = self.over_ends(rules);
        loop {
            let due = since + (self.counted + 1) * rules.window_ms;
            if due > now || due >= ends {
                break;
            }
            self.counted += 1;
            self.exceed(rules, due);
        }
        if ends <= now {
            self.over_since = None;
        }
    }

    /// When the count falls back to the standard rate if no request arrives.
    fn over_ends(&self, rules: &Rules) -> u64 {
        let newest_beyond = self.accepted.len().checked_sub(rules.standard as usize + 1);
        newest_beyond.and_then(|index| self.accepted.get(index)).map_or(0, |at| at + rules.window_ms)
    }

    fn exceed(&mut self, rules: &Rules, at: u64) {
        if rules.exceedances == 0 {
            return;
        }
        while self.exceedances.front().is_some_and(|old| old + rules.memory_ms <= at) {
            self.exceedances.pop_front();
        }
        self.exceedances.push_back(at);
        if self.exceedances.len() >= rules.exceedances as usize {
            self.blocked_until = Some(at + rules.block_ms);
        }
    }

    fn reject(&self, rules: &Rules, limit: u32, now: u64) -> Decision {
        let wait = match self.blocked_until {
            Some(until) => until - now,
            None => self.accepted.front().map_or(0, |oldest| oldest + rules.window_ms - now),
        };
        let mut seconds = wait.div_ceil(1000).max(1);
        // Time over the rate may block the key while the caller waits: then the end of the block is returned.
        let mut later = self.clone();
        later.catch_up(rules, now + seconds * 1000);
        if let Some(until) = later.blocked_until {
            seconds = (until - now).div_ceil(1000);
        }
        Decision::Rejected { limit, retry_after: seconds }
    }
}

#[cfg(test)]
#[path = "rate_tests.rs"]
mod tests;
