//! The accept loop: it accepts every connection, refuses those beyond the limit with a response, and survives running
//! out of file descriptors.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper_util::{rt::TokioExecutor, server::conn::auto::Builder};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{Instant, sleep, timeout},
};
use tokio_rustls::server::TlsStream;

use super::{
    Tls,
    clock::ConnectionClock,
    connection::drive,
    limits::Limits,
    request::{Connection, Router, Shared},
};
use crate::lifecycle::{Phase, Shutdown, ShutdownSwitch};

/// Connections beyond the limit that are refused at the same time; further ones are closed without a response, so
/// that a flood cannot hold more descriptors than this.
const MOST_SURPLUS: u32 = 64;
/// How long a connection beyond the limit may take to send its request and receive its refusal.
const SURPLUS_PATIENCE: Duration = Duration::from_secs(2);
/// First and longest pause after an accept error.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// The same error is logged at most this often.
const LOG_EVERY: Duration = Duration::from_secs(10);

pub(super) struct Acceptor<R> {
    pub(super) shared: Arc<Shared<R>>,
    pub(super) tls: Option<Tls>,
    pub(super) protocol: Arc<Builder<TokioExecutor>>,
    /// The shutdown of the process.
    pub(super) shutdown: Shutdown,
    /// The shutdown for connections: it starts only after the socket was closed, see [`Acceptor::run`].
    pub(super) connections: Shutdown,
    pub(super) goodbye: ShutdownSwitch,
    pub(super) places: Places,
}

/// The connection slots. A connection holds its slot until it is closed.
pub(super) struct Places {
    regular: Arc<Semaphore>,
    surplus: Arc<Semaphore>,
    cap: u32,
}

impl Places {
    pub(super) fn new(cap: u32) -> Self {
        let room = |places: u32| Arc::new(Semaphore::new(usize::try_from(places).unwrap_or(usize::MAX)));
        Self { regular: room(cap), surplus: room(MOST_SURPLUS), cap }
    }

    /// Waits until every connection is closed.
    async fn all_free(&self) {
        let _ = self.regular.acquire_many(self.cap).await;
        let _ = self.surplus.acquire_many(MOST_SURPLUS).await;
    }
}

impl<R: Router> Acceptor<R> {
    /// Accepts until draining begins, then waits for the connections to finish.
    pub(super) async fn run(self, socket: TcpListener) {
        let mut trouble = AcceptErrors::default();
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.shutdown.reached(Phase::Draining) => break,
                accepted = socket.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => {
                    trouble.is_over();
                    self.admit(stream, peer);
                }
                // The client went away between connecting and being accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => tokio::select! {
                    () = self.shutdown.reached(Phase::Draining) => break,
                    () = sleep(trouble.pause(&error)) => {}
                },
            }
        }
        self.admit_waiting(socket);
        // A client that is told to close reconnects at once. If that happened while the socket is being closed, the
        // kernel would accept the connection and then reset it.
        self.goodbye.advance(Phase::Draining);
        tokio::select! {
            () = self.places.all_free() => {}
            () = self.shutdown.reached(Phase::Ending) => {
                self.goodbye.advance(Phase::Ending);
                self.places.all_free().await;
            }
        }
    }

    /// Accepts the connections the kernel has already completed, then closes the socket; closing it first would reset
    /// them. Calls the kernel directly, because the runtime only knows of the connections it was notified about.
    fn admit_waiting(&self, socket: TcpListener) {
        let Ok(socket) = socket.into_std() else { return };
        while let Ok((stream, peer)) = socket.accept() {
            match stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream)) {
                Ok(stream) => self.admit(stream, peer),
                Err(error) => tracing::debug!(%peer, %error, "connection lost while draining"),
            }
        }
    }

    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        let regular = Arc::clone(&self.places.regular).try_acquire_owned();
        let surplus = regular.is_err();
        let place = regular.or_else(|_| Arc::clone(&self.places.surplus).try_acquire_owned());
        let Ok(place) = place else { return };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%peer, %error, "no TCP_NODELAY");
        }
        let limits = if surplus { impatient(&self.shared.limits) } else { self.shared.limits.clone() };
        let (tls, protocol, shutdown) =
            (self.tls.clone(), Arc::clone(&self.protocol), self.connections.clone());
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let handshake_limit = limits.header;
            let connection = |clock| Arc::new(Connection { shared, clock, peer, surplus });
            let clock = || Arc::new(ConnectionClock::new(limits));
            match tls {
                None => drive(stream, connection(clock()), &protocol, &shutdown).await,
                Some(tls) => match shake_hands(&tls, stream, handshake_limit, &shutdown).await {
                    Ok(stream) => drive(stream, connection(clock()), &protocol, &shutdown).await,
                    Err(error) => tracing::debug!(%peer, %error, "no TLS handshake"),
                },
            }
            drop(place);
        });
    }
}

async fn shake_hands(
    tls: &Tls,
    stream: TcpStream,
    limit: Duration,
    shutdown: &Shutdown,
) -> io::Result<TlsStream<TcpStream>> {
    tokio::select! {
        shaken = timeout(limit, tls.acceptor.accept(stream)) => {
            shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        }
        () = shutdown.reached(Phase::Ending) => Err(io::ErrorKind::Interrupted.into()),
    }
}

/// The limits of a connection that is only there to be refused.
fn impatient(limits: &Limits) -> Limits {
    let shorter = |limit: Duration| limit.min(SURPLUS_PATIENCE);
    Limits {
        first_byte: shorter(limits.first_byte),
        header: shorter(limits.header),
        total: shorter(limits.total),
        idle: shorter(limits.idle),
        ..limits.clone()
    }
}

/// Errors of accepting, most likely no file descriptors left. They pass when connections close, so the loop waits;
/// retrying at once would only use up the processor.
#[derive(Default)]
struct AcceptErrors {
    pause: Option<Duration>,
    logged: Option<Instant>,
}

impl AcceptErrors {
    fn pause(&mut self, error: &io::Error) -> Duration {
        if self.logged.is_none_or(|logged| logged.elapsed() >= LOG_EVERY) {
            self.logged = Some(Instant::now());
            tracing::warn!(%error, "no connection can be accepted at the moment; trying again");
        }
        let pause = self.pause.map_or(FIRST_PAUSE, |pause| (pause * 2).min(LONGEST_PAUSE));
        *self.pause.insert(pause)
    }

    fn is_over(&mut self) {
        self.pause = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_second_and_begin_anew() {
        let mut trouble = AcceptErrors::default();
        let error = io::Error::from_raw_os_error(24);
        let pauses: Vec<_> = (0..8).map(|_| trouble.pause(&error).as_millis()).collect();
        assert_eq!(pauses, [20, 40, 80, 160, 320, 640, 1000, 1000]);
        trouble.is_over();
        assert_eq!(trouble.pause(&error), FIRST_PAUSE);
    }
}
