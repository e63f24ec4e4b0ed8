//! Asks an authority for time stamps (RFC 3161): its signed statement that a digest was there at a moment.
//!
//! What is checked here is what an honest mistake or a broken authority could get wrong: that the stamp was granted and
//! is about this digest and this request. Who signed it is checked by those who rely on it, with the certificate of the
//! authority.

use std::time::Duration;

use bytes::Bytes;
use cms::{
    cert::x509::spki::AlgorithmIdentifierOwned,
    content_info::ContentInfo,
    signed_data::{EncapsulatedContentInfo, SignedData},
};
use der::{
    Any, Decode as _, Encode as _, Sequence, Tag, Tagged as _,
    asn1::{BitString, Null, ObjectIdentifier, OctetString},
};
use domain::moment::Moment;
use http::{Request, StatusCode, header::CONTENT_TYPE};
use url::Url;

use crate::{connector::ConnectorError, operator::OperatorClient, trust::Trust};

/// How long an authority may take.
const PATIENCE: Duration = Duration::from_secs(20);
const SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const TIME_STAMP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");

/// Why there is no time stamp.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StampError {
    #[error("the authority cannot be reached: {0}")]
    Unreachable(String),
    #[error("the authority answered {0}")]
    Answered(StatusCode),
    #[error("the authority refused (status {status}): {reason}")]
    Refused { status: u8, reason: String },
    #[error("the response of the authority cannot be read: {0}")]
    Unreadable(String),
    #[error("the time stamp is not about this request")]
    Other,
}

impl From<der::Error> for StampError {
    fn from(error: der::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// The response of an authority, as `openssl ts` reads it too, and the moment that it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeStamp {
    pub response: Bytes,
    pub at: Moment,
}

/// The authority that the operator chose.
#[derive(Debug)]
pub struct TimeStampAuthority {
    client: OperatorClient,
    url: Url,
}

impl TimeStampAuthority {
    /// `authorization` is the header's value, such as `Basic …`.
    pub fn new(url: Url, authorization: Option<&str>, trust: Trust) -> Result<Self, ConnectorError> {
        let client = OperatorClient::new(&url, authorization, trust, PATIENCE)?;
        Ok(Self { client, url })
    }

    /// The host of the authority, for messages.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// A time stamp about a SHA-256. The nonce must differ with every call.
    pub async fn stamp(&self, digest: &[u8; 32], nonce: u64) -> Result<TimeStamp, StampError> {
        let asked =
            StampRequest { version: 1, imprint: Imprint::new(digest)?, nonce, wants_certificates: true };
        let request = Request::post(self.url.as_str())
            .header(CONTENT_TYPE, "application/timestamp-query")
            .body(Bytes::from(asked.to_der()?))
            .map_err(|error| StampError::Unreachable(error.to_string()))?;
        let answer = self.client.send(request).await.map_err(StampError::Unreachable)?;
        if answer.status() != StatusCode::OK {
            return Err(StampError::Answered(answer.status()));
        }
        let response = answer.into_body();
        let at = granted(&response, &asked)?;
        Ok(TimeStamp { response, at })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Sequence)]
struct Imprint {
    algorithm: AlgorithmIdentifierOwned,
    digest: OctetString,
}

impl Imprint {
    fn new(digest: &[u8]) -> Result<Self, der::Error> {
        let parameters = Some(Any::from(Null));
        Ok(Self {
            algorithm: AlgorithmIdentifierOwned { oid: SHA256, parameters },
            digest: OctetString::new(digest)?,
        })
    }
}

#[derive(Debug, Sequence)]
struct StampRequest {
    version: u8,
    imprint: Imprint,
    nonce: u64,
    wants_certificates: bool,
}

#[derive(Debug, Sequence)]
struct StampResponse {
    status: Status,
    #[asn1(optional = "true")]
    token: Option<ContentInfo>,
}

#[derive(Debug, Sequence)]
struct Status {
    code: u8,
    #[asn1(optional = "true")]
    texts: Option<Vec<String>>,
    #[asn1(optional = "true")]
    failure: Option<BitString>,
}

/// What the authority has signed.
#[derive(Debug, Sequence)]
struct StampInfo {
    version: u8,
    policy: ObjectIdentifier,
    imprint: Imprint,
    /// Up to 160 bits.
    serial_number: Any,
    /// With fractions of a second or without.
    at: Any,
    #[asn1(optional = "true")]
    accuracy: Option<Vec<Any>>,
    #[asn1(default = "Default::default")]
    ordering: bool,
    #[asn1(optional = "true")]
    nonce: Option<u64>,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    authority: Option<Any>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    extensions: Option<Vec<Any>>,
}

/// The moment of the time stamp that was granted.
fn granted(response: &[u8], asked: &StampRequest) -> Result<Moment, StampError> {
    let StampResponse { status, token } = StampResponse::from_der(response)?;
    let Some(token) = token.filter(|_| status.code <= 1) else {
        let reason = status.texts.unwrap_or_default().join("; ");
        return Err(StampError::Refused { status: status.code, reason });
    };
    let info = info(&token)?;
    let is_about_it = info.imprint.algorithm.oid == SHA256
        && info.imprint.digest == asked.imprint.digest
        && info.nonce == Some(asked.nonce);
    if is_about_it { moment(&info.at) } else { Err(StampError::Other) }
}

fn info(token: &ContentInfo) -> Result<StampInfo, StampError> {
    let other = || StampError::Unreadable("it holds something else than a time stamp".to_owned());
    if token.content_type != SIGNED_DATA {
        return Err(other());
    }
    let signed: SignedData = token.content.decode_as()?;
    let EncapsulatedContentInfo { econtent_type: TIME_STAMP, econtent: Some(content) } =
        signed.encap_content_info
    else {
        return Err(other());
    };
    let content: OctetString = content.decode_as()?;
    Ok(StampInfo::from_der(content.as_bytes())?)
}

/// Reads a time such as `20261119050000.25Z`.
fn moment(time: &Any) -> Result<Moment, StampError> {
    let unreadable = || StampError::Unreadable("its time has another form".to_owned());
    let text = std::str::from_utf8(time.value()).map_err(|_| unreadable())?;
    let is_plain = text.is_ascii() && text.len() > 14 && time.tag() == Tag::GeneralizedTime;
    if !is_plain {
        return Err(unreadable());
    }
    let (day, rest) = text.split_at(8);
    let (clock, zone) = rest.split_at(6);
    let (year, day) = day.split_at(4);
    let text =
        format!("{year}-{}-{}T{}:{}:{}{zone}", &day[..2], &day[2..], &clock[..2], &clock[2..4], &clock[4..]);
    text.parse().map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let time = Any::new(Tag::GeneralizedTime, text.as_bytes()).unwrap();
        moment(&time).ok().map(|moment| moment.to_string())
    }

    #[test]
    fn times_have_fractions_or_none() {
        assert_eq!(read("20261119050000Z").as_deref(), Some("2026-11-19T05:00:00Z"));
        assert_eq!(read("20261119050000.25Z").as_deref(), Some("2026-11-19T05:00:00.25Z"));
        for text in
            ["", "2026", "20261119050000", "20261319050000Z", "2026111905000ü", "20261119050000+0100x"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
