//! Counts requests per key and per session, behind one interface: in this process, or shared between nodes.
//!
//! When the shared counter is unreachable, this process counts for itself and reports it; it tries again a second
//! later.

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, Hash},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use domain::{
    id::{ApiKeyId, SessionId},
    moment::Moment,
    rate::{Decision, Rules, Window},
};
use foldhash::fast::RandomState;
use store::shared_count::{CountError, SharedCount};

const SHARDS: usize = 16;
/// Above this many subjects in a shard, idle ones are removed at once instead of by the job.
const CROWDED: usize = 8192;

/// Windows by subject, spread over several locks. Bounded: idle subjects are removed.
#[derive(Debug)]
pub struct Counters<K> {
    shards: Vec<Mutex<HashMap<K, Window, RandomState>>>,
    hasher: RandomState,
}

impl<K: Hash + Eq> Default for Counters<K> {
    fn default() -> Self {
        let shards = std::iter::repeat_with(Mutex::default).take(SHARDS).collect();
        Self { shards, hasher: RandomState::default() }
    }
}

impl<K: Hash + Eq> Counters<K> {
    pub fn admit(&self, rules: &Rules, subject: K, now: Moment) -> Decision {
        let now = millis(now);
        let shard = usize::try_from(self.hasher.hash_one(&subject) % SHARDS as u64).unwrap_or(0);
        let mut windows = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() > CROWDED && !windows.contains_key(&subject) {
            windows.retain(|_, window| !window.is_idle(rules, now));
        }
        windows.entry(subject).or_default().admit(rules, now)
    }

    /// Removes subjects that cannot influence any decision any more.
    pub fn sweep(&self, rules: &Rules, now: Moment) {
        for shard in &self.shards {
            let mut windows = shard.lock().unwrap_or_else(PoisonError::into_inner);
            windows.retain(|_, window| !window.is_idle(rules, millis(now)));
            windows.shrink_to_fit();
        }
    }

    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn millis(now: Moment) -> u64 {
    u64::try_from(now.millis()).unwrap_or(0)
}

/// The counter of a request. v1 and v2 have separate ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    V1,
    V2,
}

impl Tier {
    fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// The configured limits.
#[derive(Debug, Clone, Copy)]
pub struct LimitRules {
    pub v1: Rules,
    pub v2: Rules,
    /// Failed authentications per address.
    pub failures: Rules,
    /// Per session of the workspace; `None` without a limit.
    pub sessions: Option<Rules>,
}

impl Default for LimitRules {
    fn default() -> Self {
        let plain = |most: u32| Rules { standard: most, burst: most, ..Rules::V2 };
        Self { v1: Rules::V1, v2: Rules::V2, failures: plain(300), sessions: Some(plain(600)) }
    }
}

impl LimitRules {
    pub fn of(&self, tier: Tier) -> &Rules {
        match tier {
            Tier::V1 => &self.v1,
            Tier::V2 => &self.v2,
        }
    }
}

/// How long the shared counter is not contacted after a failure.
const PAUSE_MS: i64 = 1000;

/// The shared counter, and since when it is unreachable.
#[derive(Debug)]
struct Shared {
    count: SharedCount,
    /// Not contacted before this moment; 0 while it answers.
    away_until: AtomicI64,
    /// How often it became reachable again.
    returns: AtomicU64,
}

impl Shared {
    /// `None` when this process has to count for itself.
    async fn admit(&self, rules: &Rules, tier: Tier, key: ApiKeyId, now: Moment) -> Option<Decision> {
        let away_until = self.away_until.load(Ordering::Relaxed);
        // A clock that was set back must not prolong the pause.
        if now.millis() < away_until && away_until - now.millis() <= PAUSE_MS {
            return None;
        }
        match self.count.admit(rules, &format!("{}:{key}", tier.as_str())).await {
            Ok(decision) => {
                self.answered();
                Some(decision)
            }
            Err(error) => {
                self.failed(&error, now);
                None
            }
        }
    }

    fn answered(&self) {
        // Written only when it changes, because every request passes here.
        if self.away_until.load(Ordering::Relaxed) != 0 && self.away_until.swap(0, Ordering::AcqRel) != 0 {
            self.returns.fetch_add(1, Ordering::AcqRel);
            tracing::info!("the shared count of requests is back");
        }
    }

    fn failed(&self, error: &CountError, now: Moment) {
        if self.away_until.swap(now.millis() + PAUSE_MS, Ordering::AcqRel) == 0 {
            tracing::warn!(%error, "this node counts requests for itself");
        }
    }

    /// Pings the server, which reopens a lost connection.
    async fn reopen(&self, now: Moment) -> Result<(), CountError> {
        let pong = self.count.ping().await;
        match &pong {
            Ok(()) => self.answered(),
            Err(error) => self.failed(error, now),
        }
        pong
    }
}

/// The request limits of all keys.
#[derive(Debug, Default)]
pub struct Limits {
    pub rules: LimitRules,
    v1: Counters<ApiKeyId>,
    v2: Counters<ApiKeyId>,
    sessions: Counters<SessionId>,
    shared: Option<Shared>,
    v1_decisions: Decisions,
    v2_decisions: Decisions,
}

/// The current way of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// By this process, as configured.
    Alone,
    Together,
    /// By this process, because the shared counter does not answer.
    CutOff,
}

#[derive(Debug, Default)]
struct Decisions {
    served: AtomicU64,
    rejected: AtomicU64,
}

/// The decisions of one tier, and the number of keys being counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitCounts {
    pub served: u64,
    pub rejected: u64,
    pub keys: usize,
}

impl Limits {
    #[must_use]
    pub fn new(rules: LimitRules, shared: Option<SharedCount>) -> Self {
        let shared =
            shared.map(|count| Shared { count, away_until: AtomicI64::new(0), returns: AtomicU64::new(0) });
        Self { rules, shared, ..Self::default() }
    }

    pub async fn admit(&self, tier: Tier, key: ApiKeyId, now: Moment) -> Decision {
        let together = match &self.shared {
            Some(shared) => shared.admit(self.rules.of(tier), tier, key, now).await,
            None => None,
        };
        match together {
            Some(decision) => self.noted(tier, decision),
            None => self.admit_here(tier, key, now),
        }
    }

    /// The decision of this process if it counts alone; `None` if the shared counter must be queried.
    pub fn admit_at_once(&self, tier: Tier, key: ApiKeyId, now: Moment) -> Option<Decision> {
        self.shared.is_none().then(|| self.admit_here(tier, key, now))
    }

    fn admit_here(&self, tier: Tier, key: ApiKeyId, now: Moment) -> Decision {
        self.noted(tier, self.counters(tier).admit(self.rules.of(tier), key, now))
    }

    fn noted(&self, tier: Tier, decision: Decision) -> Decision {
        let decisions = self.decisions(tier);
        let counter = match decision {
            Decision::Served { .. } => &decisions.served,
            Decision::Rejected { .. } => &decisions.rejected,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        decision
    }

    pub fn counting(&self) -> Counting {
        match &self.shared {
            None => Counting::Alone,
            Some(shared) if shared.away_until.load(Ordering::Relaxed) == 0 => Counting::Together,
            Some(_) => Counting::CutOff,
        }
    }

    /// Reconnects to the shared counter if possible; returns how often it became reachable again since the start.
    pub(crate) async fn reopen(&self, now: Moment) -> Result<u64, CountError> {
        match &self.shared {
            None => Ok(0),
            Some(shared) => {
                shared.reopen(now).await?;
                Ok(shared.returns.load(Ordering::Acquire))
            }
        }
    }

    /// The decisions since the start.
    pub fn counts(&self, tier: Tier) -> LimitCounts {
        let Decisions { served, rejected } = self.decisions(tier);
        LimitCounts {
            served: served.load(Ordering::Relaxed),
            rejected: rejected.load(Ordering::Relaxed),
            keys: self.counters(tier).len(),
        }
    }

    fn decisions(&self, tier: Tier) -> &Decisions {
        match tier {
            Tier::V1 => &self.v1_decisions,
            Tier::V2 => &self.v2_decisions,
        }
    }

    /// Counts a request of a session of the workspace, in this process alone.
    pub fn admits_session(&self, session: SessionId, now: Moment) -> bool {
        let decide = |rules: &Rules| self.sessions.admit(rules, session, now);
        self.rules
            .sessions
            .as_ref()
            .map(decide)
            .is_none_or(|decision| matches!(decision, Decision::Served { .. }))
    }

    pub fn sweep(&self, now: Moment) {
        if let Some(rules) = &self.rules.sessions {
            self.sessions.sweep(rules, now);
        }
        for tier in [Tier::V1, Tier::V2] {
            self.counters(tier).sweep(self.rules.of(tier), now);
        }
    }

    fn counters(&self, tier: Tier) -> &Counters<ApiKeyId> {
        match tier {
            Tier::V1 => &self.v1,
            Tier::V2 => &self.v2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_subjects_are_forgotten_and_busy_ones_kept() {
        let counters = Counters::<u32>::default();
        let start = Moment::from_millis(1_000_000);
        for subject in 0..1000 {
            counters.admit(&Rules::V1, subject, start);
        }
        let later = start.plus_seconds(60 + 900 + 1);
        counters.admit(&Rules::V1, 7, later);
        counters.sweep(&Rules::V1, later);
        assert_eq!(counters.len(), 1);
    }
}
