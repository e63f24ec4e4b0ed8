//! The file of evidence as a download, whole or in part.

use std::ops::Range;

use app::evidence::EvidenceContent;
use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use domain::evidence::attachment;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::{ApiError, extract::IfNoneMatch};

pub(crate) async fn answer(
    content: EvidenceContent,
    if_none_match: &IfNoneMatch,
    asked: &HeaderMap,
) -> Result<Response, ApiError> {
    let (etag, length) = (format!("\"{}\"", content.file.sha256), content.file.bytes);
    if if_none_match.fits(&content.file.sha256) {
        return Ok(with(StatusCode::NOT_MODIFIED.into_response(), &[(header::ETAG, etag)]));
    }
    let mut headers = vec![
        (header::CONTENT_TYPE, content.file.media_type.clone()),
        (header::CONTENT_DISPOSITION, attachment(&content.file.name)),
        (header::ETAG, etag.clone()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        // Compression on the fly would change the bytes that ranges and the digest refer to.
        (header::CONTENT_ENCODING, "identity".to_owned()),
    ];
    let (status, range) = match ranged(asked, &etag, length) {
        RequestedRange::Whole => (StatusCode::OK, 0..length),
        RequestedRange::Part(range) => {
            let said = format!("bytes {}-{}/{length}", range.start, range.end - 1);
            headers.push((header::CONTENT_RANGE, said));
            (StatusCode::PARTIAL_CONTENT, range)
        }
        RequestedRange::Outside => {
            let said = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
            return Ok(with(ApiError::OutsideFile(length).into_response(), &said));
        }
    };
    headers.push((header::CONTENT_LENGTH, (range.end - range.start).to_string()));
    let response = (status, Body::from_stream(content.open(range).await?)).into_response();
    Ok(with(response, &headers))
}

fn with(mut response: Response, headers: &[(http::HeaderName, String)]) -> Response {
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name.clone(), value);
        }
    }
    response
}

#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    Whole,
    Part(Range<u64>),
    Outside,
}

/// The requested range. An invalid range, or several, mean the whole file, as the standard requires.
fn ranged(headers: &HeaderMap, etag: &str, length: u64) -> RequestedRange {
    let text = |name: &http::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(range) = text(&header::RANGE) else { return RequestedRange::Whole };
    if text(&header::IF_RANGE).is_some_and(|known| known != etag) {
        return RequestedRange::Whole;
    }
    let Some((first, last)) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
        return RequestedRange::Whole;
    };
    match (first.trim(), last.trim()) {
        ("", last) => match last.parse::<u64>() {
            Ok(0) => RequestedRange::Outside,
            Ok(count) => RequestedRange::Part(length.saturating_sub(count)..length),
            Err(_) => RequestedRange::Whole,
        },
        (first, last) => match (first.parse::<u64>(), end_of(last, length)) {
            (Ok(first), Some(end)) if end <= first && !last.is_empty() => RequestedRange::Whole,
            (Ok(first), Some(_)) if first >= length => RequestedRange::Outside,
            (Ok(first), Some(end)) => RequestedRange::Part(first..end.min(length)),
            _ => RequestedRange::Whole,
        },
    }
}

/// The end of a range, or the end of the file if it names none.
fn end_of(last: &str, length: u64) -> Option<u64> {
    if last.is_empty() { Some(length) } else { last.parse::<u64>().ok().map(|last| last.saturating_add(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &str) -> RequestedRange {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().unwrap());
        ranged(&headers, "\"a\"", 100)
    }

    #[test]
    fn one_range_is_understood() {
        assert_eq!(asked("bytes=0-9"), RequestedRange::Part(0..10));
        assert_eq!(asked("bytes=90-"), RequestedRange::Part(90..100));
        assert_eq!(asked("bytes=90-500"), RequestedRange::Part(90..100));
        assert_eq!(asked("bytes=-10"), RequestedRange::Part(90..100));
        assert_eq!(asked("bytes=-500"), RequestedRange::Part(0..100));
        assert_eq!(asked("bytes=99-99"), RequestedRange::Part(99..100));
    }

    #[test]
    fn what_lies_outside_is_said_and_nonsense_is_ignored() {
        for outside in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(asked(outside), RequestedRange::Outside, "{outside}");
        }
        for ignored in ["bytes=5-1", "bytes=a-b", "items=0-1", "bytes=0-1,5-6", "bytes", "bytes=-"] {
            assert_eq!(asked(ignored), RequestedRange::Whole, "{ignored}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static("bytes=0-9"));
        headers.insert(header::IF_RANGE, HeaderValue::from_static("\"other\""));
        assert_eq!(ranged(&headers, "\"a\"", 100), RequestedRange::Whole);
    }
}
