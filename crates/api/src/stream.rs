//! Bodies written in chunks by code that only uses `io::Write`, on a thread of their own, no faster than the client
//! receives them.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body::Frame;
use tokio::sync::mpsc;

/// The size of a chunk.
const CHUNK: usize = 16 * 1024;
/// How many chunks may wait for the client.
const WAITING: usize = 4;

/// The body that `write` writes. If it fails half-way, the connection is reset instead of ending normally.
pub(crate) fn streamed(write: impl FnOnce(&mut ChunkWriter) -> app::Result<()> + Send + 'static) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut chunks = ChunkWriter { gathered: BytesMut::new(), sender };
        let done = write(&mut chunks).map_err(io::Error::other).and_then(|()| io::Write::flush(&mut chunks));
        if let Err(error) = done
            && chunks.sender.blocking_send(Err(error)).is_ok()
        {
            tracing::error!("a streamed body broke off");
        }
    });
    Body::new(Streamed(receiver))
}

/// A body of lines that are sent as they are produced.
pub(crate) fn lines() -> (Lines, Body) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Lines(sender), Body::new(Streamed(receiver)))
}

/// The sender of a body's lines. A line is dropped if the client has disconnected.
#[derive(Debug, Clone)]
pub(crate) struct Lines(mpsc::Sender<io::Result<Bytes>>);

impl Lines {
    pub(crate) async fn send(&self, line: Vec<u8>) {
        let _ = self.0.send(Ok(ended(line))).await;
    }

    /// Drops the line if the client is slow.
    pub(crate) fn try_send(&self, line: Vec<u8>) {
        let _ = self.0.try_send(Ok(ended(line)));
    }
}

fn ended(mut line: Vec<u8>) -> Bytes {
    line.push(b'\n');
    line.into()
}

/// The writer of a streamed body.
#[derive(Debug)]
pub(crate) struct ChunkWriter {
    gathered: BytesMut,
    sender: mpsc::Sender<io::Result<Bytes>>,
}

impl io::Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let piece = self.gathered.split().freeze();
        // Stops when the client has disconnected.
        self.sender.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[derive(Debug)]
struct Streamed(mpsc::Receiver<io::Result<Bytes>>);

impl http_body::Body for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_long_body_arrives_whole_and_in_pieces() {
        let mut body = streamed(|chunks| {
            for number in 0..50_000 {
                writeln!(chunks, "{number}").map_err(app::Error::internal)?;
            }
            Ok(())
        });
        let (mut text, mut frames) = (Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            text.extend_from_slice(&frame.unwrap().into_data().unwrap());
            frames += 1;
        }
        let expected: Vec<u8> = (0..50_000).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        assert!(text == expected && frames > 10, "{frames} frames");
    }

    #[tokio::test]
    async fn a_failure_half_way_is_no_good_end() {
        let body = streamed(|chunks| {
            chunks.write_all(b"half").map_err(app::Error::internal)?;
            Err(app::Error::NotFound)
        });
        assert!(body.collect().await.is_err());
    }

    #[tokio::test]
    async fn a_reader_that_leaves_ends_the_writing() {
        let (done, ended) = tokio::sync::oneshot::channel();
        let body = streamed(move |chunks| {
            let result = std::iter::repeat_with(|| chunks.write_all(&[b'x'; CHUNK])).find(Result::is_err);
            let _ = done.send(());
            result.unwrap_or(Ok(())).map_err(app::Error::internal)
        });
        drop(body);
        ended.await.unwrap();
    }
}
