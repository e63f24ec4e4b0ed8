//! The four steps of delivery, one call each: fan out, claim, send, settle.
//!
//! They are separate so that the worker can overlap them, and so that tests can stop between any two of them.

use std::{collections::HashMap, time::Duration};

use domain::{delivery::Medium, id::TenantId, moment::Moment};
use futures_util::future::join_all;
use store::{
    Tx,
    destination::{self, Returned},
};
use tracing::Instrument as _;

use super::{
    DeliveryOptions,
    claim::{Claimed, Job, Plan, give_back},
    send::Sent,
    settle::{by_tenant, returned},
};
use crate::{App, Error, Result, exports::SPANS};

/// Moves deliveries forward. Its state can be lost when the process ends.
#[derive(Debug)]
pub struct Dispatcher {
    app: App,
    options: DeliveryOptions,
    /// The tenant served last, by medium.
    turns: HashMap<Medium, TenantId>,
    /// Messages in flight, by medium and tenant.
    in_flight: HashMap<(Medium, TenantId), usize>,
    /// Tried, but not stored yet.
    unsettled: Vec<Sent>,
    /// Stored, but the destination is not released yet.
    unreturned: Vec<Returned>,
}

impl Dispatcher {
    #[must_use]
    pub fn new(app: App, options: DeliveryOptions) -> Self {
        Self {
            app,
            options,
            turns: HashMap::new(),
            in_flight: HashMap::new(),
            unsettled: Vec::new(),
            unreturned: Vec::new(),
        }
    }

    /// Turns every new event into deliveries.
    pub async fn fan_out(&self) -> Result<usize> {
        let mut made = 0;
        loop {
            let done = self.app.fan_out_some().await?;
            let hooks = self.app.fan_out_to_hooks().await?;
            self.app.deliveries.fanned_out(done.events + hooks.events, done.deliveries + hooks.deliveries);
            made += done.deliveries + hooks.deliveries;
            if !done.more && !hooks.more {
                return Ok(made);
            }
        }
    }

    /// Releases finished destinations and claims as many messages as there is room for.
    pub async fn claim(&mut self) -> Result<Vec<Job>> {
        let plans = Medium::ALL.map(|medium| self.plan(medium));
        let unreturned = self.unreturned.clone();
        let claimed = self
            .app
            .db
            .platform()
            .bookkeep(move |tx: &mut Tx<'_>| {
                give_back(tx, unreturned.clone())?;
                let claim = |plan: &Plan| Ok::<_, Error>((plan.medium, plan.claim(tx)?));
                plans.iter().map(claim).collect::<Result<Vec<_>>>()
            })
            .await?;
        self.unreturned.clear();
        Ok(claimed.into_iter().flat_map(|(medium, claimed)| self.remember(medium, claimed)).collect())
    }

    fn plan(&self, medium: Medium) -> Plan {
        let here = self.in_flight.iter().filter(|((of, _), _)| *of == medium);
        Plan {
            medium,
            now: self.app.clock.now(),
            after: self.turns.get(&medium).copied(),
            capacity: self.options.capacity(medium),
            in_flight: here.map(|((_, tenant), count)| (*tenant, *count)).collect(),
            options: self.options.clone(),
        }
    }

    fn remember(&mut self, medium: Medium, claimed: Claimed) -> Vec<Job> {
        if let Some(last) = claimed.last {
            self.turns.insert(medium, last);
        }
        self.app.deliveries.recovered(claimed.recovered);
        for job in &claimed.jobs {
            *self.in_flight.entry((medium, job.owner)).or_default() += 1;
            self.app.deliveries.started();
        }
        claimed.jobs
    }

    /// Sends one message. Independent of the dispatcher, so that many can be in flight.
    pub(super) fn sending(&self, job: Job) -> impl Future<Output = Sent> + Send + 'static {
        let (app, dice) = (self.app.clone(), self.options.dice);
        let span = tracing::info_span!(target: SPANS, "delivery", otel.kind = "client");
        async move { app.send(job, dice).await }.instrument(span)
    }

    /// Accepts the result of a try.
    pub(super) fn came_back(&mut self, sent: Sent) {
        let place = (sent.job.medium, sent.job.owner);
        if let Some(count) = self.in_flight.get_mut(&place) {
            *count -= 1;
            if *count == 0 {
                self.in_flight.remove(&place);
            }
        }
        self.app.deliveries.finished(sent.tried.class, sent.job.deliveries.len());
        self.unsettled.push(sent);
    }

    /// Stores the results. Those that cannot be stored now are kept for the next time.
    pub(super) async fn settle(&mut self) -> Result<()> {
        let waiting = by_tenant(std::mem::take(&mut self.unsettled));
        let app = self.app.clone();
        let written = join_all(waiting.into_iter().map(|(tenant, sent)| {
            let app = app.clone();
            async move { (app.settle(tenant, sent.clone()).await, sent) }
        }));
        let mut trouble = None;
        for (result, sent) in written.await {
            match result {
                Ok(settled) => {
                    self.app.deliveries.settled(settled.stale, settled.switched_off.len());
                    self.unreturned.extend(sent.iter().map(returned));
                    if !settled.switched_off.is_empty() {
                        self.app.messages.post_user_mail();
                    }
                }
                Err(error) => {
                    self.unsettled.extend(sent);
                    trouble = Some(error);
                }
            }
        }
        trouble.map_or(Ok(()), Err)
    }

    /// One whole round, waiting for every message: all that can be delivered at this moment, at most one for each
    /// destination. Returns the number of messages sent.
    pub async fn round(&mut self) -> Result<usize> {
        self.fan_out().await?;
        let jobs = self.claim().await?;
        let sent = self.send(jobs).await;
        let count = sent.len();
        self.write_down(sent).await?;
        Ok(count)
    }

    /// Sends messages and waits for all of them.
    pub async fn send(&self, jobs: Vec<Job>) -> Vec<Sent> {
        join_all(jobs.into_iter().map(|job| self.sending(job))).await
    }

    /// Stores the results of messages and releases their destinations.
    pub async fn write_down(&mut self, sent: Vec<Sent>) -> Result<()> {
        for sent in sent {
            self.came_back(sent);
        }
        self.settle().await?;
        self.return_destinations().await
    }

    /// Releases destinations without claiming new ones.
    pub(super) async fn return_destinations(&mut self) -> Result<()> {
        let unreturned = self.unreturned.clone();
        self.app.db.platform().bookkeep(move |tx| give_back(tx, unreturned.clone())).await?;
        self.unreturned.clear();
        Ok(())
    }

    /// When the next delivery is due that is not due yet.
    pub async fn next_due(&self) -> Result<Option<Moment>> {
        let now = self.app.clock.now();
        let next = move |r: &mut store::Reader<'_>| {
            let mut next: Option<Moment> = None;
            for medium in Medium::ALL {
                next = next.into_iter().chain(destination::next_ready(r, medium, now)?).min();
            }
            Ok::<_, Error>(next)
        };
        self.app.db.platform().read(next).await
    }

    /// The time until then.
    pub(super) async fn until_due(&self) -> Result<Option<Duration>> {
        let now = self.app.clock.now();
        let millis = self.next_due().await?.map(|due| due.millis() - now.millis());
        Ok(millis.map(|millis| Duration::from_millis(u64::try_from(millis).unwrap_or(0))))
    }

    pub(super) fn is_idle(&self) -> bool {
        self.in_flight.is_empty() && self.unsettled.is_empty() && self.unreturned.is_empty()
    }
}
