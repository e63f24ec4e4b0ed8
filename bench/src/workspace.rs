//! The pages of the workspace with 100,000 findings: the slowest of a hundred requests each.

use std::time::{Duration, Instant};

use app::authz::Caller;
use axum::{Router, body::Body};
use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    password::Password,
    text::Name,
    user::Role,
};
use http::{Request, header};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;
use workspace::WorkspaceOptions;

use crate::{
    fixture::Fixture,
    report::{Report, Target},
    size,
};

const AT_ONCE: usize = 256;
const VISITS: usize = 200;
pub(crate) const EMAIL: &str = "bench@bank.example";
const PASSWORD: &str = "the north wind doth blow";
/// The maximum server time of a page, in milliseconds.
const CEILING: f64 = 20.0;

const PAGES: [&str; 20] = [
    "/workspace",
    "/workspace/findings",
    "/workspace/findings?severity=critical&sort=due_on",
    "/workspace/findings?status=all&offset=50000",
    "/workspace/findings?search=restore",
    "/workspace/findings?overdue=true",
    "/workspace/findings?overdue=true&sort=severity",
    "/workspace/findings?status=closed&sort=due_on",
    "/workspace/cra-reports",
    "/workspace/concentration-risk",
    "/workspace/settings",
    "/workspace/programmes",
    "/workspace/test-cases",
    "/workspace/ict-arrangements",
    "/workspace/compliance",
    "/workspace/timeline",
    "/workspace/radar",
    "/workspace/risk-register",
    "/workspace/vendor-scorecard",
    "/workspace/audit",
];

pub(crate) async fn measure(report: &mut Report) {
    let fixture = Fixture::new().await;
    fixture.app.reload_catalogue().await.unwrap().unwrap();
    fill(&fixture).await;
    measure_pages(report, &fixture, &PAGES).await;
}

/// All pages over an application.
pub(crate) fn pages(fixture: &Fixture) -> Router {
    let options = WorkspaceOptions {
        public_url: "http://127.0.0.1:8080".into(),
        client: |_| None,
        design: false,
        security_contact: None,
    };
    workspace::router(&fixture.app, options)
}

/// The slowest of a hundred visits of each page, signed in as an administrator.
pub(crate) async fn measure_pages(report: &mut Report, fixture: &Fixture, pages: &[&str]) {
    let router = self::pages(fixture);
    let cookie = signed_in(fixture, &router).await;
    for path in pages {
        let mut times = Vec::with_capacity(VISITS);
        let mut size = 0;
        for _ in 0..VISITS {
            let started = Instant::now();
            size = visit(&router, path, &cookie).await;
            times.push(started.elapsed());
        }
        times.sort_unstable();
        let p99 = millis(times[VISITS * 99 / 100]);
        let note = format!("p50 {:.1} ms, {size} bytes of HTML", millis(times[VISITS / 2]));
        report.add(&format!("{path}, p99"), p99, "ms", Target::AtMost(CEILING), note);
    }
}

fn findings() -> usize {
    size::at_most(100_000)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Findings of every severity, a third of them overdue. They are created concurrently, so that they share commits.
async fn fill(fixture: &Fixture) {
    for start in (0..findings()).step_by(AT_ONCE) {
        let writes = (start..findings().min(start + AT_ONCE)).map(|number| {
            let (app, caller) = (fixture.app.clone(), fixture.caller.clone());
            tokio::spawn(async move {
                app.records.create_record::<Finding>(&caller, finding(number), None, |_| String::new()).await
            })
        });
        for write in writes.collect::<Vec<_>>() {
            write.await.unwrap().unwrap();
        }
    }
}

fn finding(number: usize) -> FindingInput {
    let severity = ["critical", "high", "medium", "low", "info"][number % 5];
    let what = ["Restore never tried", "Old cipher accepted", "Account without an owner"][number % 3];
    let year = if number.is_multiple_of(3) { 2025 } else { 2099 };
    FindingInput {
        title: Change::Set(format!("{what} on system {number}")),
        severity: Change::Set(severity.into()),
        owner: Change::Set("Platform team".into()),
        detected_at: Change::Set("2024-11-14T09:30:00Z".into()),
        due_on: Change::Set(format!("{year}-{:02}-{:02}", number % 12 + 1, number % 28 + 1)),
        ..FindingInput::default()
    }
}

/// The cookie of a new administrator of the fixture's own institution.
pub(crate) async fn signed_in(fixture: &Fixture, router: &Router) -> String {
    signed_in_as(EMAIL, &fixture.caller, fixture, router).await
}

/// The cookie of a new administrator with this address.
pub(crate) async fn signed_in_as(email: &str, caller: &Caller, fixture: &Fixture, router: &Router) -> String {
    let draft = app::user::UserDraft {
        email: email.parse().unwrap(),
        name: Name::parse("Bench").unwrap(),
        role: Role::Administrator,
    };
    fixture.app.people.create_user(caller, draft, Password::presented(PASSWORD)).await.unwrap();
    let body = format!("email={email}&password={}", PASSWORD.replace(' ', "+"));
    let request = Request::post("/workspace/sign-in")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::HOST, "127.0.0.1:8080")
        .header(header::ORIGIN, "http://127.0.0.1:8080")
        .body(Body::from(body))
        .unwrap();
    let answer = router.clone().oneshot(request).await.unwrap();
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// Opens a page and returns its size.
async fn visit(router: &Router, path: &str, cookie: &str) -> usize {
    let request = Request::get(path).header(header::COOKIE, cookie).body(Body::empty()).unwrap();
    let answer = router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.into_body().collect().await.unwrap().to_bytes().len()
}
