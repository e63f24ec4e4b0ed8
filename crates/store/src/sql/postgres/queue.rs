//! The operations that wait for a connection.
//!
//! Changes of one chain take turns, because each of them locks the chain's row: those that wait while another one runs
//! share the next transaction, and hold no connection meanwhile. Everything else runs in the order of its arrival.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use super::{Job, MOST_TOGETHER};
use crate::sql::{Error, Result};

/// The limit of waiting operations: beyond it the store is not keeping up, and requests are refused.
const LONGEST: usize = 8192;

#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Signals one waiting connection for each turn.
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct State {
    turns: VecDeque<Turn>,
    chains: HashMap<String, Chain>,
    waiting: usize,
    closed: bool,
}

#[derive(Debug)]
enum Turn {
    Alone(Job),
    /// Changes of this chain wait, and none of them runs.
    Chain(String),
}

/// The changes of a chain that wait while another one runs, or for a connection.
#[derive(Debug, Default)]
struct Chain {
    jobs: VecDeque<Job>,
    running: bool,
}

/// Operations for one transaction.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) jobs: Vec<Job>,
    /// The chain they change; to be handed back to [`Queue::ended`].
    pub(super) chain: Option<String>,
}

impl Queue {
    pub(super) fn push(&self, job: Job) -> Result<()> {
        let mut state = self.locked();
        if state.closed {
            return Err(Error::Unavailable("the store is closed".into()));
        }
        if state.waiting >= LONGEST {
            return Err(Error::Unavailable("too many operations are waiting".into()));
        }
        state.waiting += 1;
        let new_turn = match job.chain().map(str::to_owned) {
            None => Some(Turn::Alone(job)),
            Some(name) => {
                let chain = state.chains.entry(name.clone()).or_default();
                let is_next = !chain.running && chain.jobs.is_empty();
                chain.jobs.push_back(job);
                is_next.then_some(Turn::Chain(name))
            }
        };
        if let Some(turn) = new_turn {
            state.turns.push_back(turn);
            self.arrived.notify_one();
        }
        Ok(())
    }

    /// What is next, if anything waits.
    pub(super) fn try_next(&self) -> Option<Group> {
        self.locked().next()
    }

    /// What is next, after a wait for it; none once the store is closed and the queue is empty.
    pub(super) fn next(&self) -> Option<Group> {
        let mut state = self.locked();
        loop {
            if let Some(group) = state.next() {
                return Some(group);
            }
            if state.closed {
                return None;
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives the next changes of a chain their turn.
    pub(super) fn ended(&self, name: String) {
        let mut state = self.locked();
        let Some(chain) = state.chains.get_mut(&name) else { return };
        if chain.jobs.is_empty() {
            state.chains.remove(&name);
            return;
        }
        chain.running = false;
        state.turns.push_back(Turn::Chain(name));
        self.arrived.notify_one();
    }

    /// Ends the connections once nothing waits any more.
    pub(super) fn close(&self) {
        self.locked().closed = true;
        self.arrived.notify_all();
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> Option<Group> {
        let group = match self.turns.pop_front()? {
            Turn::Alone(job) => Group { jobs: vec![job], chain: None },
            Turn::Chain(name) => {
                let chain = self.chains.entry(name.clone()).or_default();
                chain.running = true;
                Group { jobs: together(&mut chain.jobs), chain: Some(name) }
            }
        };
        self.waiting -= group.jobs.len();
        Some(group)
    }
}

/// The first change, with those behind it that can share its transaction.
fn together(jobs: &mut VecDeque<Job>) -> Vec<Job> {
    let mut group: Vec<Job> = jobs.pop_front().into_iter().collect();
    let shares = group.first().is_some_and(Job::shares);
    while shares && group.len() < MOST_TOGETHER && jobs.front().is_some_and(Job::shares) {
        group.extend(jobs.pop_front());
    }
    group
}
