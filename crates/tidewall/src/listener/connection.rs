//! One connection from its first byte to its close.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, Sleep, sleep_until},
};

use super::{
    clock::ConnectionClock,
    limits::Limits,
    request::{Connection, Router},
    stream::WatchedStream,
};
use crate::lifecycle::{Phase, Shutdown};

/// How long the last responses may take when the process ends.
const CUT_OFF: Duration = Duration::from_millis(500);
/// HTTP/2: requests at once on one connection.
const MOST_STREAMS: u32 = 100;
/// HTTP/2: bytes of answers waiting for the client, per stream.
const SEND_BUFFER: usize = 64 * 1024;

/// The protocol settings of a listener. They contain no timeouts: the clock covers both protocols.
pub(super) fn protocol(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    let header_bytes = limits.max_header_bytes;
    // The headers must fit into the read buffer; larger ones are refused.
    builder
        .http1()
        .header_read_timeout(None)
        .max_buf_size(usize::try_from(header_bytes).unwrap_or(usize::MAX));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MOST_STREAMS)
        .max_send_buf_size(SEND_BUFFER)
        .max_header_list_size(header_bytes)
        .keep_alive_interval(limits.header)
        .keep_alive_timeout(limits.header);
    if limits.http2 { builder } else { builder.http1_only() }
}

/// Serves a connection until the client closes it, its time is up or the process ends.
pub(super) async fn drive<R, S>(
    stream: S,
    connection: Arc<Connection<R>>,
    protocol: &Builder<TokioExecutor>,
    shutdown: &Shutdown,
) where
    R: Router,
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let clock = Arc::clone(&connection.clock);
    let peer = connection.peer;
    let stream = TokioIo::new(WatchedStream::new(stream, Arc::clone(&clock)));
    let service = service_fn(move |request| Arc::clone(&connection).answer(request));
    let mut http = pin!(protocol.serve_connection(stream, service));
    let mut timer = DeadlineTimer::new(&clock);
    let mut phase = Phase::Running;
    loop {
        tokio::select! {
            biased;
            ended = http.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%peer, error, "connection ended early");
                }
                return;
            }
            () = poll_fn(|context| timer.poll_expired(context)) => {
                if !timer.cut_off_is_set() && clock.is_multiplexed() {
                    // HTTP/2 can announce the end of a connection.
                    http.as_mut().graceful_shutdown();
                    timer.cut_off_at(Instant::now() + CUT_OFF);
                    continue;
                }
                tracing::debug!(%peer, "connection closed: out of time");
                return;
            }
            () = shutdown.reached(Phase::Draining), if phase == Phase::Running => {
                phase = Phase::Draining;
                if clock.drain() {
                    http.as_mut().graceful_shutdown();
                }
            }
            () = shutdown.reached(Phase::Ending), if phase == Phase::Draining => {
                phase = Phase::Ending;
                http.as_mut().graceful_shutdown();
                timer.cut_off_at(Instant::now() + CUT_OFF);
            }
        }
    }
}

/// Fires when the clock's deadline has passed. Deadlines move with every request; the timer is only changed when one
/// moves closer, and checks again when it fires.
struct DeadlineTimer<'c> {
    clock: &'c ConnectionClock,
    cut_off: Option<Instant>,
    sleep: Pin<Box<Sleep>>,
}

impl<'c> DeadlineTimer<'c> {
    fn new(clock: &'c ConnectionClock) -> Self {
        Self { clock, cut_off: None, sleep: Box::pin(sleep_until(clock.deadline())) }
    }

    fn cut_off_is_set(&self) -> bool {
        self.cut_off.is_some()
    }

    /// Ends the connection then, whatever the clock says.
    fn cut_off_at(&mut self, moment: Instant) {
        self.cut_off = Some(moment);
    }

    fn deadline(&self) -> Instant {
        let deadline = self.clock.deadline();
        self.cut_off.map_or(deadline, |cut_off| cut_off.min(deadline))
    }

    fn poll_expired(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let deadline = self.deadline();
            if deadline < self.sleep.deadline() {
                self.sleep.as_mut().reset(deadline);
            }
            if self.sleep.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if deadline <= Instant::now() {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(deadline);
        }
    }
}
