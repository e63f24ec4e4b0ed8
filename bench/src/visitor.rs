//! A key and a person who is signed in, over one application: they ask for responses and pages one at a time, without a
//! network between.

use std::time::Instant;

use api::{ApiOptions, CachedAnswers};
use axum::body::Body;
use http::{Method, Request, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::{fixture::Fixture, report::median, workspace};

/// Milliseconds beyond which one round is enough to see that a page grows.
const SLOW: f64 = 1_000.0;

pub(crate) struct Visitor {
    pub(crate) service: CachedAnswers,
    key: String,
    pub(crate) cookie: String,
}

impl Visitor {
    pub(crate) async fn new(fixture: &Fixture) -> Self {
        let pages = workspace::pages(fixture);
        let cookie = workspace::signed_in(fixture, &pages).await;
        let service = api::service(&fixture.app, &ApiOptions::default(), pages);
        Self { service, key: fixture.key.clone(), cookie }
    }

    /// Makes a record and returns it.
    pub(crate) async fn create(&self, path: &str, body: &Value) -> Value {
        let body = Body::from(body.to_string());
        let answer: Value =
            serde_json::from_slice(&self.send(Method::POST, path, body).await.unwrap()).unwrap();
        answer["data"].clone()
    }

    /// The body of a response or of a page.
    pub(crate) async fn get(&self, path: &str) -> Vec<u8> {
        self.send(Method::GET, path, Body::empty()).await.unwrap()
    }

    /// The body, or why there is none.
    async fn send(&self, method: Method, path: &str, body: Body) -> Result<Vec<u8>, String> {
        let request = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1:8080");
        let request = if path.starts_with("/workspace") {
            request.header(header::COOKIE, &self.cookie)
        } else {
            let request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.key));
            request.header(header::CONTENT_TYPE, "application/json")
        };
        let answer = self.service.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = answer.status();
        let body = answer.into_body().collect().await.unwrap().to_bytes().to_vec();
        if status.is_success() {
            Ok(body)
        } else {
            Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)))
        }
    }

    /// Milliseconds until the whole body is there. A refusal counts as infinitely many: its figure is missed, and all others
    /// are still measured.
    pub(crate) async fn time(&self, path: &str) -> f64 {
        let started = Instant::now();
        match self.send(Method::GET, path, Body::empty()).await {
            Ok(_) => started.elapsed().as_secs_f64() * 1e3,
            Err(refusal) => {
                println!("{refusal}");
                f64::INFINITY
            }
        }
    }
}

/// Milliseconds for the same path of a small and of a large store, which take turns.
pub(crate) async fn in_turns(small: &Visitor, large: &Visitor, path: &str, rounds: usize) -> (f64, f64) {
    let (mut few, mut many) = (Vec::with_capacity(rounds), Vec::with_capacity(rounds));
    // The first ones prepare statements.
    small.time(path).await;
    let rounds = if large.time(path).await > SLOW { 1 } else { rounds };
    for _ in 0..rounds {
        few.push(small.time(path).await);
        many.push(large.time(path).await);
    }
    (median(few), median(many))
}
