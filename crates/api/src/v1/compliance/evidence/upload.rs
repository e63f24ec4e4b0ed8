//! Evidence sent as a form: fields and a file, which is written to disk while it arrives.

use app::{
    App, Error,
    authz::Caller,
    evidence::SentFile,
    idempotency::Idempotency,
    upload::{TooLarge, Upload, paced},
};
use axum::{
    body::Body as AxumBody,
    extract::{
        DefaultBodyLimit, FromRequest as _, Multipart, Request,
        multipart::{Field, MultipartError},
    },
};
use domain::{custom_field::Sent, evidence::EvidenceInput, violation::Complaint};
use http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::wire::EvidenceChange;
use crate::{ApiError, extract::Fields};

/// The maximum size of all fields besides the file.
const MAX_TEXT: usize = 64 * 1024;
/// The maximum size of the boundaries and headers of the parts.
const FRAME: u64 = 64 * 1024;

/// The content of the form.
pub(crate) struct Received {
    pub(crate) sent: Sent<EvidenceInput>,
    pub(crate) file: Option<SentFile>,
    pub(crate) idempotency: Option<Idempotency>,
}

fn invalid(field: &str, message: &str) -> ApiError {
    Error::invalid(field, Complaint::protocol(message)).into()
}

fn broken(error: &MultipartError) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::TooLarge;
    }
    invalid("body", "must be a whole multipart form: it broke off or is malformed")
}

pub(crate) async fn received(app: &App, caller: &Caller, request: Request) -> Result<Received, ApiError> {
    let headers = request.headers().clone();
    let most = app.compliance.max_evidence_bytes();
    let declared: Option<u64> =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length| length > most + FRAME + MAX_TEXT as u64) {
        return Err(ApiError::FileTooLarge(most));
    }
    // The size of the file is counted while it arrives.
    let mut request = request.map(|body| AxumBody::from_stream(paced(body.into_data_stream())));
    DefaultBodyLimit::disable().apply(&mut request);
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|_| invalid("body", "must be a multipart form"))?;
    let (mut texts, mut file, mut room) = (Map::new(), None, MAX_TEXT);
    let mut digest = Sha256::new();
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error))? {
        let name = part.name().unwrap_or_default().to_owned();
        if name == "file" {
            if file.is_some() {
                return Err(invalid("file", "must be sent once"));
            }
            let sent_name = part.file_name().unwrap_or_default().to_owned();
            let upload = spooled(app, caller, part, most, &mut digest).await?;
            file = Some(SentFile { name: sent_name, upload });
            continue;
        }
        let value = text(part, &mut room).await?;
        digest.update(format!("{name}={}:{value}", value.len()));
        // An empty field of a form counts as absent.
        if !value.is_empty() && texts.insert(name.clone(), Value::String(value)).is_some() {
            return Err(invalid(&name, "must be sent once"));
        }
    }
    if file.is_none() {
        return Err(invalid("file", "is required in a multipart form"));
    }
    let mut fields = Fields::new(texts);
    let input: EvidenceInput = fields.read::<EvidenceChange>().into();
    let input = fields.finish(Some(input))?;
    Ok(Received { sent: input.into(), file, idempotency: idempotency(&headers, digest)? })
}

async fn spooled(
    app: &App,
    caller: &Caller,
    mut part: Field<'_>,
    most: u64,
    digest: &mut Sha256,
) -> Result<Upload, ApiError> {
    let mut spool = app.spool_at_most(caller, most).await?;
    while let Some(piece) = part.chunk().await.map_err(|error| broken(&error))? {
        digest.update(&piece);
        spool.write(piece).await.map_err(|TooLarge| ApiError::FileTooLarge(most))?;
    }
    Ok(spool.finish().await?)
}

/// The text of one field, up to the limit.
async fn text(mut part: Field<'_>, room: &mut usize) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| broken(&error))? {
        *room = room.checked_sub(piece.len()).ok_or(ApiError::TooLarge)?;
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| invalid("body", "must have fields in UTF-8"))
}

fn idempotency(headers: &HeaderMap, digest: Sha256) -> Result<Option<Idempotency>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let digest = digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    // An invalid header is refused like an empty one.
    Ok(Some(Idempotency::new(key.to_str().unwrap_or(""), digest)?))
}
