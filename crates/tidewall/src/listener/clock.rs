//! The phase of a connection and its deadline.
//!
//! One clock per connection. The stream reports bytes and flushes, the service reports requests, and the task that
//! drives the connection closes it when the deadline of the current phase has passed. The phase also identifies the
//! writer: bytes written while no request is in progress belong to a protocol error.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::Limits;

/// How long a response sent because of a timeout may take to reach the client.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long an idle connection stays open after draining began. Closing it at once would cut off a request that is
/// already on its way.
const IDLE_DRAIN: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Connected, nothing received yet.
    Silent,
    /// Part of a request's head has arrived.
    Head,
    /// At least one request is being processed.
    Answering,
    /// The response is complete but not yet flushed.
    Flushing,
    /// Between two requests.
    Idle,
}

/// A request in progress.
#[derive(Debug)]
struct Open {
    id: u64,
    deadline: Instant,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When the current phase began, for phases that wait for the client.
    since: Instant,
    /// Requests in progress, oldest first. More than one only on HTTP/2.
    open: Vec<Open>,
    next_id: u64,
    /// When the last response must have been sent.
    answer_deadline: Instant,
    multiplexed: bool,
    draining_since: Option<Instant>,
    unread_input: bool,
}

#[derive(Debug)]
pub(super) struct ConnectionClock {
    limits: Limits,
    state: Mutex<State>,
}

impl ConnectionClock {
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State {
            phase: Phase::Silent,
            since: now,
            open: Vec::new(),
            next_id: 0,
            answer_deadline: now,
            multiplexed: false,
            draining_since: None,
            unread_input: false,
        };
        Self { limits, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Called when bytes arrive. Between requests they begin a new one.
    pub(super) fn received(&self) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Silent | Phase::Idle) && !state.multiplexed {
            state.wait_in(Phase::Head);
        }
    }

    /// Called when a request's headers are complete. Returns its number and the deadline of its response.
    pub(super) fn begin(&self, multiplexed: bool) -> (u64, Instant) {
        let mut state = self.state();
        let began = if state.phase == Phase::Head && !multiplexed { state.since } else { Instant::now() };
        let deadline = began + self.limits.total;
        let id = state.next_id;
        state.next_id += 1;
        state.multiplexed |= multiplexed;
        state.open.push(Open { id, deadline });
        state.phase = Phase::Answering;
        (id, deadline)
    }

    /// Called when the response to a request is complete or was abandoned.
    pub(super) fn end(&self, id: u64) {
        let mut state = self.state();
        let Some(position) = state.open.iter().position(|open| open.id == id) else { return };
        state.answer_deadline = state.open.remove(position).deadline;
        if state.open.is_empty() {
            // HTTP/2 flushes on its own schedule, so there a flush is not related to this response.
            if state.multiplexed {
                state.wait_in(Phase::Idle);
            } else {
                state.phase = Phase::Flushing;
            }
        }
    }

    /// Called when everything written so far was flushed.
    pub(super) fn flushed(&self) {
        let mut state = self.state();
        if state.phase == Phase::Flushing {
            state.wait_in(Phase::Idle);
        }
    }

    /// Whether no request is being answered.
    pub(super) fn between_requests(&self) -> bool {
        matches!(self.state().phase, Phase::Silent | Phase::Head | Phase::Idle)
    }

    /// Whether the connection carries several requests at once (HTTP/2).
    pub(super) fn is_multiplexed(&self) -> bool {
        self.state().multiplexed
    }

    /// Called when the client may still be sending a body that will not be read.
    pub(super) fn leave_unread(&self) {
        self.state().unread_input = true;
    }

    pub(super) fn has_unread_input(&self) -> bool {
        self.state().unread_input
    }

    /// Begins draining. Returns whether the connection should finish now; otherwise a request may be on its way and
    /// the deadline decides.
    pub(super) fn drain(&self) -> bool {
        let mut state = self.state();
        state.draining_since = Some(Instant::now());
        state.multiplexed || matches!(state.phase, Phase::Answering | Phase::Flushing)
    }

    /// When the connection is closed if nothing happens before.
    pub(super) fn deadline(&self) -> Instant {
        let state = self.state();
        let waiting = |limit: Duration| {
            let deadline = state.since + limit;
            state.draining_since.map_or(deadline, |since| deadline.min(since + IDLE_DRAIN))
        };
        match state.phase {
            Phase::Silent => waiting(self.limits.first_byte),
            Phase::Head => state.since + self.limits.header,
            Phase::Answering => {
                let oldest = state.open.first().map_or(state.answer_deadline, |open| open.deadline);
                oldest + LAST_WORDS
            }
            Phase::Flushing => state.answer_deadline + LAST_WORDS,
            Phase::Idle => waiting(self.limits.idle),
        }
    }
}

impl State {
    /// Enters a phase whose deadline counts from now.
    fn wait_in(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> ConnectionClock {
        ConnectionClock::new(Limits {
            first_byte: Duration::from_secs(1),
            header: Duration::from_secs(2),
            body: Duration::from_secs(3),
            total: Duration::from_secs(5),
            idle: Duration::from_secs(8),
            max_connections: 1,
            max_in_flight: 1,
            max_header_bytes: 8192,
            http2: true,
        })
    }

    fn left(clock: &ConnectionClock) -> Duration {
        clock.deadline() - Instant::now()
    }

    async fn pass(seconds: u64) {
        tokio::time::advance(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn each_phase_has_its_own_deadline() {
        let clock = clock();
        assert_eq!(left(&clock), Duration::from_secs(1), "silent");
        clock.received();
        assert_eq!(left(&clock), Duration::from_secs(2), "head");
        pass(1).await;
        clock.received();
        assert_eq!(left(&clock), Duration::from_secs(1), "more of the head does not extend it");
        let (id, due) = clock.begin(false);
        assert_eq!(due - Instant::now(), Duration::from_secs(4), "total counts from the first byte");
        assert_eq!(left(&clock), Duration::from_secs(4) + LAST_WORDS, "answering");
        clock.end(id);
        assert_eq!(
            left(&clock),
            Duration::from_secs(4) + LAST_WORDS,
            "a reader that does not read gains nothing"
        );
        clock.flushed();
        assert_eq!(left(&clock), Duration::from_secs(8), "idle");
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_of_several_streams_decides() {
        let clock = clock();
        let (first, _) = clock.begin(true);
        pass(2).await;
        let (second, _) = clock.begin(true);
        assert_eq!(left(&clock), Duration::from_secs(3) + LAST_WORDS);
        clock.end(first);
        assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS);
        clock.end(second);
        clock.received();
        assert_eq!(left(&clock), Duration::from_secs(8), "frames between streams do not begin a head");
    }

    #[tokio::test(start_paused = true)]
    async fn draining_closes_waiting_connections_soon_and_busy_ones_when_they_are_done() {
        let waiting = clock();
        assert!(!waiting.drain());
        assert_eq!(left(&waiting), IDLE_DRAIN);
        waiting.received();
        assert_eq!(left(&waiting), Duration::from_secs(2), "a request on its way is still received");

        let busy = clock();
        busy.begin(false);
        assert!(busy.drain());
        assert_eq!(left(&busy), Duration::from_secs(5) + LAST_WORDS);
    }

    #[tokio::test(start_paused = true)]
    async fn knows_when_nobody_is_being_answered() {
        let clock = clock();
        clock.received();
        assert!(clock.between_requests());
        let (id, _) = clock.begin(false);
        assert!(!clock.between_requests());
        clock.end(id);
        assert!(!clock.between_requests(), "the answer is still being written");
        clock.flushed();
        assert!(clock.between_requests());
    }
}
