//! A query to a dependency that may never answer.
//!
//! Only one query runs at a time: while it is open, further callers wait for the same result, and once it has been
//! open too long they get that information at once. So a dependency that hangs costs one task, not one for each
//! caller.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

#[derive(Debug)]
pub(super) struct Probe<T>(Mutex<Option<Open<T>>>);

#[derive(Debug, Clone)]
struct Open<T> {
    asked: Instant,
    answer: watch::Receiver<Option<T>>,
}

impl<T> Default for Probe<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

/// The result of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProbeResult<T> {
    Answered(T),
    /// No result yet, for this long.
    Silent(Duration),
}

impl<T: Clone + Send + Sync + 'static> Probe<T> {
    /// Queries, unless there is a result younger than `fresh`, and waits no longer than `patience`.
    pub(super) async fn ask(
        &self,
        fresh: Duration,
        patience: Duration,
        question: impl Future<Output = T> + Send + 'static,
    ) -> ProbeResult<T> {
        let mut open = self.open(fresh, question);
        let waited = timeout_at(open.asked + patience, open.answer.wait_for(Option::is_some)).await;
        match waited {
            Ok(Ok(answer)) => match &*answer {
                Some(answer) => ProbeResult::Answered(answer.clone()),
                None => ProbeResult::Silent(open.asked.elapsed()),
            },
            // Not in time, or the query ended without a result.
            _ => ProbeResult::Silent(open.asked.elapsed()),
        }
    }

    fn open(&self, fresh: Duration, question: impl Future<Output = T> + Send + 'static) -> Open<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*slot {
            let answered = open.answer.borrow().is_some();
            // The sender is dropped when the query ends, with or without a result.
            let pending = open.answer.has_changed().is_ok() && !answered;
            if pending || (answered && open.asked.elapsed() < fresh) {
                return open.clone();
            }
        }
        let (tell, answer) = watch::channel(None);
        tokio::spawn(async move {
            // The callers may have stopped waiting; the next one still gets the result.
            let _ = tell.send_replace(Some(question.await));
        });
        let open = Open { asked: Instant::now(), answer };
        *slot = Some(open.clone());
        open
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(2);
    const FRESH: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn many_callers_ask_once() {
        let (probe, count) = (Probe::default(), Arc::new(AtomicU32::new(0)));
        let ask = || {
            let count = Arc::clone(&count);
            probe.ask(FRESH, PATIENCE, async move { count.fetch_add(1, Ordering::SeqCst) })
        };
        assert_eq!(tokio::join!(ask(), ask()), (ProbeResult::Answered(0), ProbeResult::Answered(0)));
        assert_eq!(ask().await, ProbeResult::Answered(0));
        tokio::time::advance(FRESH).await;
        assert_eq!(ask().await, ProbeResult::Answered(1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_hangs_is_asked_once_and_waited_for_once() {
        let (probe, count) = (Probe::<()>::default(), Arc::new(AtomicU32::new(0)));
        let ask = || {
            let count = Arc::clone(&count);
            probe.ask(FRESH, PATIENCE, async move {
                count.fetch_add(1, Ordering::SeqCst);
                std::future::pending::<()>().await;
            })
        };
        let started = Instant::now();
        assert!(matches!(ask().await, ProbeResult::Silent(_)));
        assert_eq!(started.elapsed(), PATIENCE);
        // From now on the timeout is known.
        tokio::time::advance(Duration::from_mins(1)).await;
        let again = Instant::now();
        assert_eq!(ask().await, ProbeResult::Silent(Duration::from_secs(62)));
        assert_eq!((again.elapsed(), count.load(Ordering::SeqCst)), (Duration::ZERO, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_that_breaks_off_is_asked_again() {
        let probe = Probe::default();
        let broken = probe.ask(FRESH, PATIENCE, async { panic!("on purpose") }).await;
        assert!(matches!(broken, ProbeResult::<u8>::Silent(_)));
        assert_eq!(probe.ask(FRESH, PATIENCE, async { 7 }).await, ProbeResult::Answered(7));
    }
}
