//! A tenant's list over HTTP, unchanged and changed, beside a bare axum route that answers the same bytes.

use axum::{Router, routing::get};
use bytes::Bytes;
use domain::{
    text::Name,
    webhook::{Channel, Destination, Events, WebhookDraft},
};

use crate::{
    fixture::Fixture,
    load,
    report::{Report, Target, median},
};

const PATH: &str = "/api/v1/webhooks";

pub(crate) async fn measure(report: &mut Report) {
    let kept = filled(64 << 20).await;
    // A cache that holds nothing costs every request what a change costs: read, rendered, serialised.
    let forgotten = filled(0).await;
    let ours = load::serve(api::router(&kept.app, &api::ApiOptions::default())).await;
    let fresh = load::serve(api::router(&forgotten.app, &api::ApiOptions::default())).await;
    let body = answer_of(ours, &kept.key).await;
    let size = body.len();
    let bare = load::serve(Router::new().route(PATH, get(move || async move { body }))).await;
    let plain = format!("GET {PATH} HTTP/1.1\r\nhost: x\r\n\r\n");
    let keyed = |key: &str| format!("GET {PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n");
    let (mut ceiling, mut unchanged, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..7 {
        ceiling.push(load::drive(bare, &plain, 16, 1000).await);
        unchanged.push(load::drive(ours, &keyed(&kept.key), 16, 1000).await);
        changed.push(load::drive(fresh, &keyed(&forgotten.key), 16, 250).await);
    }
    let (ceiling, unchanged, changed) = (median(ceiling), median(unchanged), median(changed));
    let note = |rate: f64| format!("{rate:.0}/s of {ceiling:.0}/s, {size} bytes");
    report.add("v1 list of 50, unchanged", unchanged / ceiling, "×", Target::AtLeast(0.55), note(unchanged));
    report.add(
        "v1 list of 50, changed each time",
        changed / ceiling,
        "×",
        Target::AtLeast(0.13),
        note(changed),
    );
}

/// A tenant with 50 webhooks.
async fn filled(page_bytes: u64) -> Fixture {
    let fixture = Fixture::keeping(page_bytes).await;
    for number in 0..50 {
        let draft = WebhookDraft {
            name: Name::parse(&format!("webhook {number} of the institution's risk team")).unwrap(),
            channel: Channel::Slack,
            destination: Destination::checked(format!("https://hooks.slack.com/services/T/B/{number:0100}")),
            events: Events::parse("finding.created,finding.status_changed").unwrap(),
        };
        fixture.app.create_webhook(&fixture.caller, draft, None, |_| String::new()).await.unwrap();
    }
    fixture
}

async fn answer_of(address: std::net::SocketAddr, key: &str) -> Bytes {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request =
        format!("GET {PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let start = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    Bytes::from(answer.split_off(start))
}
