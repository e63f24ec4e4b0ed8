//! Watched bodies: a request body may not stall, and a request counts as in progress until its response was received
//! completely.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Sleep, sleep};

use super::{capacity::Slot, clock::ConnectionClock};

/// Set when the request body stalled, so that the response can say so whatever the handler returned.
pub(super) type Stalled = Arc<AtomicBool>;

/// A request body that fails when nothing arrives for too long.
pub(super) struct RequestBody {
    inner: Incoming,
    longest_pause: Duration,
    pause: Option<Pin<Box<Sleep>>>,
    stalled: Stalled,
    clock: Arc<ConnectionClock>,
    complete: bool,
}

impl RequestBody {
    pub(super) fn new(
        inner: Incoming,
        longest_pause: Duration,
        stalled: Stalled,
        clock: Arc<ConnectionClock>,
    ) -> Self {
        Self { inner, longest_pause, pause: None, stalled, clock, complete: false }
    }

    fn poll_stalled(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let longest = self.longest_pause;
        self.pause.get_or_insert_with(|| Box::pin(sleep(longest))).as_mut().poll(context)
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(frame) => {
                self.pause = None;
                self.complete = frame.is_none();
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending if self.poll_stalled(context).is_ready() => {
                self.stalled.store(true, Ordering::Relaxed);
                Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.complete && !self.inner.is_end_stream() {
            self.clock.leave_unread();
        }
    }
}

/// A request in progress: ends when dropped.
pub(super) struct OpenRequest {
    id: u64,
    clock: Arc<ConnectionClock>,
}

impl OpenRequest {
    pub(super) fn new(id: u64, clock: Arc<ConnectionClock>) -> Self {
        Self { id, clock }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.clock.end(self.id);
    }
}

/// A response body that keeps its request in progress until it is gone.
pub(super) struct ResponseBody {
    inner: Body,
    _request: OpenRequest,
    _slot: Option<Slot>,
}

impl ResponseBody {
    pub(super) fn new(inner: Body, request: OpenRequest, slot: Option<Slot>) -> Self {
        Self { inner, _request: request, _slot: slot }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
