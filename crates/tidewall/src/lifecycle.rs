//! The lifecycle of the process: running, draining, ending.
//!
//! The first SIGTERM or SIGINT starts draining: no new connections are accepted, requests in progress finish. When
//! the soft limit has passed, or at a second signal, the process ends: requests still in progress get an error
//! response. A watchdog outside the runtime ends the process when even that takes too long, so a stuck worker cannot
//! keep it alive. SIGHUP reloads the TLS certificate and the reference catalogue.
//!
//! Every part gets a [`Shutdown`] and decides itself what to do when it is asked to stop.

use std::{
    io::{self, Write as _},
    thread,
    time::Duration,
};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

/// The time limits of the two parts of a shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShutdownLimits {
    pub soft: Duration,
    pub hard: Duration,
}

/// The phase of the process. Phases only move forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Running,
    /// Finish what is in progress, begin nothing new.
    Draining,
    /// Stop at once.
    Ending,
}

/// Gives its holder the phase of the process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<Phase>);

impl Shutdown {
    /// A shutdown and its switch.
    pub fn new() -> (ShutdownSwitch, Self) {
        let (sender, receiver) = watch::channel(Phase::Running);
        (ShutdownSwitch(sender), Self(receiver))
    }

    pub fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Waits until the phase is reached; returns at once if it already is. If the switch was dropped, it waits for
    /// ever.
    pub async fn reached(&self, phase: Phase) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|now| *now >= phase).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Moves the process to its next phase.
#[derive(Debug)]
pub struct ShutdownSwitch(watch::Sender<Phase>);

impl ShutdownSwitch {
    /// Moves on to `phase`; going back is not possible and does nothing.
    pub fn advance(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let forward = phase > *now;
            if forward {
                *now = phase;
            }
            forward
        });
    }
}

/// Notifies its holder of reload requests.
#[derive(Clone, Debug)]
pub struct Reload(watch::Receiver<u64>);

impl Reload {
    /// Waits for the next reload request; for ever when no signals are watched.
    pub async fn requested(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// One that is never requested.
    pub fn never() -> Self {
        Self(watch::channel(0).1)
    }
}

/// Watches the signals of the process and returns the handles they control. Call it once, inside the runtime.
pub fn watch_signals(limits: ShutdownLimits) -> io::Result<(Shutdown, Reload)> {
    let terminate = signal(SignalKind::terminate())?;
    let interrupt = signal(SignalKind::interrupt())?;
    let hang_up = signal(SignalKind::hangup())?;
    let (switch, shutdown) = Shutdown::new();
    let (reload_sender, reload) = watch::channel(0);
    tokio::spawn(end_on_signals(limits, terminate, interrupt, switch));
    tokio::spawn(reload_on_hang_up(hang_up, reload_sender));
    Ok((shutdown, Reload(reload)))
}

async fn end_on_signals(
    limits: ShutdownLimits,
    mut terminate: Signal,
    mut interrupt: Signal,
    switch: ShutdownSwitch,
) {
    let first = next_signal(&mut terminate, &mut interrupt).await;
    tracing::info!(signal = first, soft = ?limits.soft, "stopping: requests in progress may finish");
    end_process_after(limits.soft + limits.hard);
    switch.advance(Phase::Draining);
    tokio::select! {
        second = next_signal(&mut terminate, &mut interrupt) => {
            tracing::warn!(signal = second, "stopping at once");
            end_process_after(limits.hard);
        }
        () = tokio::time::sleep(limits.soft) => tracing::warn!("soft limit passed: stopping at once"),
    }
    switch.advance(Phase::Ending);
    // Dropping the switch now would be harmless, but a third signal must not kill the process while it closes the
    // store: keep consuming signals until the watchdog or the end of `main` ends the process.
    loop {
        next_signal(&mut terminate, &mut interrupt).await;
    }
}

async fn next_signal(terminate: &mut Signal, interrupt: &mut Signal) -> &'static str {
    tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
    }
}

async fn reload_on_hang_up(mut hang_up: Signal, reload: watch::Sender<u64>) {
    while hang_up.recv().await.is_some() {
        tracing::info!("SIGHUP: reading the certificate and the catalogue again");
        reload.send_modify(|count| *count += 1);
    }
}

/// A thread of its own, because a runtime that hangs would hang its timers too.
fn end_process_after(limit: Duration) {
    let watchdog = move || {
        thread::sleep(limit);
        // The log itself may be stuck, so this line is written directly.
        let _ = writeln!(io::stderr(), "tidewall: still running {limit:?} after being asked to stop; ending");
        std::process::exit(1);
    };
    if let Err(error) = thread::Builder::new().name("exit-watchdog".to_owned()).spawn(watchdog) {
        tracing::error!(%error, "no watchdog for the shutdown");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stages_only_go_forward() {
        let (switch, shutdown) = Shutdown::new();
        assert_eq!(shutdown.phase(), Phase::Running);
        switch.advance(Phase::Ending);
        switch.advance(Phase::Draining);
        assert_eq!(shutdown.phase(), Phase::Ending);
        shutdown.reached(Phase::Draining).await;
    }

    #[tokio::test]
    async fn a_waiter_wakes_at_its_stage_and_not_before() {
        let (switch, shutdown) = Shutdown::new();
        let waiting = tokio::spawn(async move { shutdown.reached(Phase::Ending).await });
        switch.advance(Phase::Draining);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished());
        switch.advance(Phase::Ending);
        assert!(waiting.await.is_ok());
    }
}
