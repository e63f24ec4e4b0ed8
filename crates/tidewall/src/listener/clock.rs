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
/// Large bodies may take longer than the total limit while they move at least this fast, in bytes a second. A client that
/// drips or does not read gains nothing by it.
const SLOWEST: u64 = 64 * 1024;
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

/// When a request has to be done.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// The deadline of a request whose bodies are small.
    base: Instant,
    /// How many bytes came or went since it began, and when the last of them did.
    moved: u64,
    moved_at: Instant,
}

impl Due {
    fn at(base: Instant) -> Self {
        Self { base, moved: 0, moved_at: base }
    }

    fn moved(&mut self, bytes: usize) {
        self.moved += bytes as u64;
        self.moved_at = Instant::now();
    }

    fn deadline(&self, limits: &Limits) -> Instant {
        let earned = self.base + Duration::from_secs(self.moved / SLOWEST);
        self.base.max(earned.min(self.moved_at + limits.total))
    }
}

/// A request in progress.
#[derive(Debug)]
struct Open {
    id: u64,
    due: Due,
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
    answer: Due,
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
            answer: Due::at(now),
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

    /// Called when a request's headers are complete. Returns its number.
    pub(super) fn begin(&self, multiplexed: bool) -> u64 {
        let mut state = self.state();
        let began = if state.phase == Phase::Head && !multiplexed { state.since } else { Instant::now() };
        let id = state.next_id;
        state.next_id += 1;
        state.multiplexed |= multiplexed;
        state.open.push(Open { id, due: Due::at(began + self.limits.total) });
        state.phase = Phase::Answering;
        id
    }

    /// Called when bytes came or went.
    pub(super) fn moved(&self, bytes: usize) {
        let state = &mut *self.state();
        let open = state.open.iter_mut().map(|open| &mut open.due);
        open.chain([&mut state.answer]).for_each(|due| due.moved(bytes));
    }

    /// Called when a request is accepted whose work takes longer than others may.
    pub(super) fn prolong(&self, id: u64, by: Duration) {
        if let Some(open) = self.state().open.iter_mut().find(|open| open.id == id) {
            open.due.base = open.due.base.max(Instant::now() + by);
        }
    }

    /// When the response to a request is due, which may become later.
    pub(super) fn due(&self, id: u64) -> Instant {
        let state = self.state();
        let open = state.open.iter().find(|open| open.id == id);
        open.map_or(state.answer, |open| open.due).deadline(&self.limits)
    }

    /// Called when the response to a request is complete or was abandoned.
    pub(super) fn end(&self, id: u64) {
        let mut state = self.state();
        let Some(position) = state.open.iter().position(|open| open.id == id) else { return };
        state.answer = state.open.remove(position).due;
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
                let due = state.open.iter().map(|open| open.due.deadline(&self.limits));
                due.min().unwrap_or_else(|| state.answer.deadline(&self.limits)) + LAST_WORDS
            }
            Phase::Flushing => state.answer.deadline(&self.limits) + LAST_WORDS,
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
        let id = clock.begin(false);
        assert_eq!(
            clock.due(id) - Instant::now(),
            Duration::from_secs(4),
            "total counts from the first byte"
        );
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
        let first = clock.begin(true);
        pass(2).await;
        let second = clock.begin(true);
        assert_eq!(left(&clock), Duration::from_secs(3) + LAST_WORDS);
        clock.end(first);
        assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS);
        clock.end(second);
        clock.received();
        assert_eq!(left(&clock), Duration::from_secs(8), "frames between streams do not begin a head");
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_has_the_time_it_earns_while_it_moves() {
        let clock = clock();
        let id = clock.begin(false);
        clock.moved(1000);
        assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS, "little earns nothing");
        clock.moved(usize::try_from(60 * SLOWEST).unwrap());
        assert_eq!(
            left(&clock),
            Duration::from_secs(5) + LAST_WORDS,
            "a client that stops reading is cut off"
        );
        for _ in 0..10 {
            pass(4).await;
            clock.moved(1000);
            assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS);
        }
        clock.end(id);
        for _ in 0..5 {
            pass(4).await;
            clock.moved(1000);
        }
        assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS, "sent after it was complete");
        pass(4).await;
        clock.moved(1000);
        assert_eq!(left(&clock), Duration::from_secs(1) + LAST_WORDS, "it earned 60 seconds in all");
    }

    #[tokio::test(start_paused = true)]
    async fn accepted_work_has_the_time_it_was_given() {
        let clock = clock();
        let (id, other) = (clock.begin(true), clock.begin(true));
        clock.prolong(id, Duration::from_mins(1));
        assert_eq!(left(&clock), Duration::from_secs(5) + LAST_WORDS, "the other one still decides");
        clock.end(other);
        assert_eq!(left(&clock), Duration::from_mins(1) + LAST_WORDS);
        clock.prolong(id, Duration::from_secs(1));
        assert_eq!(clock.due(id) - Instant::now(), Duration::from_mins(1), "and never less");
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
        let id = clock.begin(false);
        assert!(!clock.between_requests());
        clock.end(id);
        assert!(!clock.between_requests(), "the answer is still being written");
        clock.flushed();
        assert!(clock.between_requests());
    }
}
