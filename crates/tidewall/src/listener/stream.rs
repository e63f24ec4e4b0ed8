//! The watched byte stream of a connection.
//!
//! It reports bytes and flushes to the clock. Two more tasks are here because only this layer sees the bytes: the
//! bare error that the HTTP library writes for a request it cannot parse is replaced by one in our format, and a
//! connection whose client is still sending is closed gently. Closing a socket with unread input makes the kernel
//! send a reset, which can destroy a response (413, 408) that the client has not read yet; so the write side is
//! closed first and input is discarded for a moment.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::StatusCode;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use super::{clock::ConnectionClock, refusal::Refusal};

/// How long input is discarded after the last response.
const LINGER: Duration = Duration::from_secs(1);

pub(super) struct WatchedStream<S> {
    inner: S,
    clock: Arc<ConnectionClock>,
    /// Our own response to a protocol error, still to be written.
    replacement: Vec<u8>,
    linger: Option<Pin<Box<Sleep>>>,
    write_side_closed: bool,
}

impl<S> WatchedStream<S> {
    pub(super) fn new(inner: S, clock: Arc<ConnectionClock>) -> Self {
        Self { inner, clock, replacement: Vec::new(), linger: None, write_side_closed: false }
    }

    /// Replaces the HTTP library's response to a request it could not parse. Returns whether it did.
    fn replaces(&mut self, written: &[u8]) -> bool {
        let Some(status) = client_error(written).filter(|_| self.clock.between_requests()) else {
            return false;
        };
        self.replacement = Refusal::Malformed(status).on_the_wire();
        self.clock.leave_unread();
        true
    }
}

/// The status of an HTTP/1 client error that these bytes begin with.
fn client_error(written: &[u8]) -> Option<StatusCode> {
    let rest = written.strip_prefix(b"HTTP/1.1 ").or_else(|| written.strip_prefix(b"HTTP/1.0 "))?;
    StatusCode::from_bytes(rest.get(..3)?).ok().filter(StatusCode::is_client_error)
}

impl<S: AsyncRead + AsyncWrite + Unpin> WatchedStream<S> {
    fn poll_write_replacement(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.replacement.is_empty() {
            let written = ready!(Pin::new(&mut self.inner).poll_write(context, &self.replacement))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.replacement.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_discard_input(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut scratch = [0; 4096];
        let linger = self.linger.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        loop {
            if linger.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            let mut buffer = ReadBuf::new(&mut scratch);
            match ready!(Pin::new(&mut self.inner).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                _ => return Poll::Ready(()),
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        if read > 0 {
            self.clock.received();
            self.clock.moved(read);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_write_replacement(context))?;
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = ready!(Pin::new(&mut self.inner).poll_write(context, bytes))?;
        self.clock.moved(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_write_replacement(context))?;
        let first = slices.iter().find(|slice| !slice.is_empty());
        if first.is_some_and(|first| self.replaces(first)) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        let written = ready!(Pin::new(&mut self.inner).poll_write_vectored(context, slices))?;
        self.clock.moved(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_write_replacement(context))?;
        ready!(Pin::new(&mut self.inner).poll_flush(context))?;
        self.clock.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_write_replacement(context))?;
        if !self.write_side_closed {
            ready!(Pin::new(&mut self.inner).poll_shutdown(context))?;
            self.write_side_closed = true;
        }
        if self.clock.has_unread_input() {
            ready!(self.poll_discard_input(context));
        }
        Poll::Ready(Ok(()))
    }
}
