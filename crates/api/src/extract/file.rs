//! A file sent as a body. It is written to disk as it comes, so that its size costs no memory.

use domain::violation::Complaint;
use std::{
    fs::File,
    io::{self, Write as _},
};

use app::{
    Error,
    upload::{MAX_BYTES, Upload},
};
use axum::{body::Body, extract::Request};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use tokio::sync::mpsc;

use crate::ApiError;

/// How many pieces may wait for the disk.
const WAITING: usize = 8;

/// The media type of a request without its parameters, in lower case.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.split(';').next()).unwrap_or("").trim().to_ascii_lowercase()
}

/// The body of a request as a file nobody else can see, gone when it is closed.
pub(crate) async fn received(request: Request) -> Result<Upload, ApiError> {
    let (parts, body) = request.into_parts();
    let length =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_BYTES) {
        return Err(ApiError::ImportTooLarge);
    }
    if parts.headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        let message = "must be sent as it is: leave out Content-Encoding";
        return Err(Error::invalid("body", Complaint::protocol(message)).into());
    }
    let (pieces, waiting) = mpsc::channel(WAITING);
    let writer = tokio::task::spawn_blocking(move || written(waiting));
    let sent = send(body, &pieces).await;
    drop(pieces);
    let file = writer.await.map_err(Error::internal)?;
    sent?;
    let full = |error: io::Error| Error::Unavailable(format!("an upload cannot be kept on disk: {error}"));
    Ok(Upload::File(file.map_err(full)?))
}

/// Hands on the body piece by piece, no faster than the disk takes them.
async fn send(mut body: Body, pieces: &mpsc::Sender<Bytes>) -> Result<(), ApiError> {
    let mut left = MAX_BYTES;
    while let Some(frame) = body.frame().await {
        let broken =
            |_| Error::invalid("body", Complaint::protocol("broke off before its end: send it again"));
        let Ok(piece) = frame.map_err(broken)?.into_data() else { continue };
        left = left.checked_sub(piece.len() as u64).ok_or(ApiError::ImportTooLarge)?;
        if pieces.send(piece).await.is_err() {
            // The writer met a full disk, and says so itself.
            break;
        }
    }
    Ok(())
}

fn written(mut pieces: mpsc::Receiver<Bytes>) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    while let Some(piece) = pieces.blocking_recv() {
        file.write_all(&piece)?;
    }
    Ok(file)
}
