//! A file sent as a body. It is written to disk while it arrives, so that its size costs no memory.

use app::{
    App, Error,
    authz::Caller,
    patience,
    upload::{MAX_BYTES, TooLarge, Upload},
};
use axum::extract::Request;
use domain::violation::Complaint;
use http::{HeaderMap, header};
use http_body_util::BodyExt as _;

use crate::ApiError;

/// The media type of a request without its parameters, in lower case.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.split(';').next()).unwrap_or("").trim().to_ascii_lowercase()
}

/// The body of a request as a temporary file of this process, deleted when it is closed.
pub(crate) async fn received(app: &App, caller: &Caller, request: Request) -> Result<Upload, ApiError> {
    let (parts, mut body) = request.into_parts();
    let length =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_BYTES) {
        return Err(ApiError::ImportTooLarge);
    }
    if parts.headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        let message = "must be sent as it is: leave out Content-Encoding";
        return Err(Error::invalid("body", Complaint::protocol(message)).into());
    }
    let mut spool = app.spool(caller).await?;
    while let Some(frame) = body.frame().await {
        let broken =
            |_| Error::invalid("body", Complaint::protocol("broke off before its end: send it again"));
        let Ok(piece) = frame.map_err(broken)?.into_data() else { continue };
        spool.write(piece).await.map_err(|TooLarge| ApiError::ImportTooLarge)?;
    }
    let upload = spool.finish().await?;
    patience::for_import();
    Ok(upload)
}
