//! Requests for an instruction counter: one function for each kind, called often enough that the first call does not
//! matter.
//!
//! `tests/instructions.rs` runs this under callgrind, which collects only inside the functions whose names begin
//! with `counted_`, and inside the store's readers. No network: a socket's share varies, ours does not.

use api::CachedAnswers;
use axum::body::Body;
use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    id::FindingId,
};
use http::{Request, header};
use http_body_util::BodyExt as _;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

use crate::fixture::Fixture;

/// How often each request is made; it is printed, to divide by.
const TIMES: usize = 20;

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let kept = runtime.block_on(Service::new(64 << 20));
    let forgetful = runtime.block_on(Service::new(0));
    // The first request of each fills the caches.
    for service in [&kept, &forgetful] {
        for path in ["/api/measures", "/api/v1/findings", "/api/v2/risk-register?level=high", &service.record]
        {
            service.ask(&runtime, path);
        }
    }
    for _ in 0..TIMES {
        counted_public_list(&runtime, &kept);
        counted_unchanged_list(&runtime, &kept);
        counted_changed_list(&runtime, &forgetful);
        counted_record(&runtime, &kept);
        counted_reference_list(&runtime, &kept);
    }
    println!("{TIMES}");
}

struct Service {
    front: CachedAnswers,
    key: String,
    record: String,
    _fixture: Fixture,
}

impl Service {
    async fn new(page_bytes: u64) -> Self {
        let fixture = Fixture::keeping(page_bytes).await;
        let mut last = String::new();
        for number in 0..50 {
            let input = FindingInput {
                title: Change::Set(format!("Account {number} may change its own limits")),
                severity: Change::Set("high".into()),
                ..FindingInput::default()
            };
            let made = fixture
                .app
                .records
                .create_record::<Finding>(&fixture.caller, input, None, |_| String::new())
                .await;
            last = made.unwrap().subject;
        }
        let id: FindingId = last.parse().unwrap();
        Self {
            front: fixture.service(),
            key: fixture.key.clone(),
            record: format!("/api/v1/findings/{id}"),
            _fixture: fixture,
        }
    }

    fn ask(&self, runtime: &Runtime, path: &str) {
        let request = Request::get(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .body(Body::empty())
            .unwrap();
        let size = runtime.block_on(async {
            let answer = self.front.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            answer.into_body().collect().await.unwrap().to_bytes().len()
        });
        assert!(size > 200, "{path}");
    }
}

#[inline(never)]
fn counted_public_list(runtime: &Runtime, service: &Service) {
    service.ask(runtime, "/api/measures");
}

#[inline(never)]
fn counted_unchanged_list(runtime: &Runtime, service: &Service) {
    service.ask(runtime, "/api/v1/findings");
}

#[inline(never)]
fn counted_changed_list(runtime: &Runtime, service: &Service) {
    service.ask(runtime, "/api/v1/findings");
}

#[inline(never)]
fn counted_record(runtime: &Runtime, service: &Service) {
    service.ask(runtime, &service.record);
}

#[inline(never)]
fn counted_reference_list(runtime: &Runtime, service: &Service) {
    service.ask(runtime, "/api/v2/risk-register?level=high");
}
