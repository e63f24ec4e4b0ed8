//! An HTTP client for the service, and responses that print what a caller would see.

use std::fmt;

use api::CachedAnswers;
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

#[derive(Debug, Clone)]
pub struct Client {
    service: CachedAnswers,
    key: Option<String>,
    headers: HeaderMap,
}

/// A complete response.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Client {
    #[must_use]
    pub fn new(service: CachedAnswers, key: Option<String>) -> Self {
        Self { service, key, headers: HeaderMap::new() }
    }

    /// The same client with one more header on every request.
    #[must_use]
    pub fn with(&self, name: &'static str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.insert(name, value.parse().unwrap());
        client
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string())).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body.to_string())).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body.to_string())).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Sends a JSON text, or nothing.
    pub async fn send(&self, method: Method, path: &str, json: Option<String>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if json.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        self.request(request.body(Body::from(json.unwrap_or_default())).unwrap()).await
    }

    /// Sends exactly this request, with the client's key and headers added.
    pub async fn request(&self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        if let Some(key) = &self.key {
            headers.insert(header::AUTHORIZATION, format!("Bearer {key}").parse().unwrap());
        }
        headers.extend(self.headers.clone());
        let head = request.method() == Method::HEAD;
        let response = self.service.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }.checked(head)
    }
}

impl Answer {
    /// Checks the properties of every response, in every test. Only the response to a HEAD has no body to check.
    fn checked(self, head: bool) -> Self {
        assert!(self.headers.contains_key("x-request-id"), "an answer without a request id: {self}");
        let failed = self.status.is_client_error() || self.status.is_server_error();
        if failed && self.header("content-type") == Some("application/scim+json") {
            let body: Value = serde_json::from_slice(&self.body).unwrap_or(Value::Null);
            assert_eq!(body["status"], self.status.as_str(), "{self}");
            assert!(body["detail"].is_string(), "a SCIM error without a sentence: {self}");
        } else if failed {
            let body: Value = serde_json::from_slice(&self.body).unwrap_or(Value::Null);
            assert!(body["error"].is_string() || head, "not a JSON error: {self}");
            assert!(body["code"].is_string() || head, "an error without a code: {self}");
            assert_eq!(self.header("content-type"), Some("application/json"), "{self}");
        }
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self}"))
    }

    pub fn data(&self) -> Value {
        self.json()["data"].take()
    }

    /// The body with values that differ between runs (ids, secrets) replaced, for snapshots.
    pub fn scrubbed(&self, pointers: &[&str]) -> Value {
        let mut json = self.json();
        for pointer in pointers {
            *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer} in {self}")) = "…".into();
        }
        json
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Fails with the whole response if the status differs.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "often the check is all a test wants")]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{self}");
        self
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, String::from_utf8_lossy(&self.body))
    }
}
