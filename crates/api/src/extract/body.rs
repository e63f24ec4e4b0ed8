//! A JSON object from the body, within the size limit; anything else is an error.

use domain::violation::Complaint;
use std::fmt;

use app::{Error, idempotency::Idempotency};
use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
};
use bytes::Bytes;
use http::{HeaderMap, header};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::Fields;
use crate::{ApiError, middleware::unknown::Handling};

const MAX_BYTES: usize = 1024 * 1024;

/// The fields of a JSON object, and the `Idempotency-Key` of the request.
#[derive(Debug)]
pub(crate) struct Body {
    pub fields: Fields,
    pub idempotency: Option<Idempotency>,
}

/// Like [`Body`], for routes whose body may be left out.
#[derive(Debug)]
pub(crate) struct OptionalBody(pub Body);

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let handling = request.extensions().get::<Handling>().cloned();
        let (target, headers, bytes) = collect(request).await?;
        let fields = if bytes.is_empty() {
            return Err(invalid("is missing: send a JSON object"));
        } else {
            parse(&headers, &bytes, handling.as_ref())?
        };
        Ok(Self { fields, idempotency: idempotency(&headers, &target, &bytes)? })
    }
}

impl<S: Sync> FromRequest<S> for OptionalBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let handling = request.extensions().get::<Handling>().cloned();
        let (target, headers, bytes) = collect(request).await?;
        let fields = if bytes.is_empty() {
            Fields::new(Map::new())
        } else {
            parse(&headers, &bytes, handling.as_ref())?
        };
        Ok(Self(Body { fields, idempotency: idempotency(&headers, &target, &bytes)? }))
    }
}

async fn collect(request: Request) -> Result<(String, HeaderMap, Bytes), ApiError> {
    let (parts, body) = request.into_parts();
    let target = format!("{} {}", parts.method, parts.uri.path());
    let declared =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > MAX_BYTES) {
        return Err(ApiError::TooLarge);
    }
    let bytes = to_bytes(body, MAX_BYTES).await.map_err(|error| {
        let mut source: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = source {
            if error.is::<http_body_util::LengthLimitError>() {
                return ApiError::TooLarge;
            }
            source = error.source();
        }
        invalid("could not be read to its end")
    })?;
    Ok((target, parts.headers, bytes))
}

fn parse(headers: &HeaderMap, bytes: &[u8], handling: Option<&Handling>) -> Result<Fields, ApiError> {
    if !is_json(headers) {
        return Err(invalid("must be JSON: send Content-Type: application/json"));
    }
    match serde_json::from_slice::<UniqueFields>(bytes) {
        Ok(UniqueFields(map)) => {
            handling.map_or(Ok(()), |handling| handling.check_body(&map))?;
            Ok(Fields::new(map))
        }
        Err(error) => Err(invalid(format_args!("must be a JSON object: {error}"))),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn invalid(message: impl fmt::Display) -> ApiError {
    Error::invalid("body", Complaint::protocol(message)).into()
}

fn idempotency(headers: &HeaderMap, target: &str, body: &[u8]) -> Result<Option<Idempotency>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let mut hasher = Sha256::new();
    hasher.update(target.as_bytes());
    hasher.update([0]);
    hasher.update(body);
    let digest = hasher.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    // An invalid header is refused like an empty one.
    Ok(Some(Idempotency::new(key.to_str().unwrap_or(""), digest)?))
}

/// A JSON object with distinct field names: with two of one name it is unclear which the caller meant.
struct UniqueFields(Map<String, Value>);

impl<'de> Deserialize<'de> for UniqueFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = UniqueFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with named fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<UniqueFields, A::Error> {
                let mut map = Map::new();
                while let Some((name, value)) = access.next_entry::<String, Value>()? {
                    if map.contains_key(&name) {
                        return Err(serde::de::Error::custom(format_args!(
                            "the field {name:?} stands twice"
                        )));
                    }
                    map.insert(name, value);
                }
                Ok(UniqueFields(map))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}
