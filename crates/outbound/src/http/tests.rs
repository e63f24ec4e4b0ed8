//! The sender against real sockets: good destinations, bad ones, and SSRF attempts.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    listener::{Identity, Listener, Manner},
    *,
};
use crate::{
    allowlist::AllowlistSettings,
    connector::{LookingUp, Lookup, Timeouts},
    trust::Trust,
};

const SLACK_HOST: &str = "hooks.slack.com";
pub(super) const SLACK: &str = "https://hooks.slack.com/services/T1/B2/SECRETTOKEN";

fn answer(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} Answer\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

pub(super) fn ok() -> Manner {
    Manner::Answer(answer(200, "", "ok"))
}

/// Answers every lookup with the same addresses, or with an error if there are none.
pub(super) struct Fixed(pub(super) io::Result<Vec<SocketAddr>>);

impl Lookup for Fixed {
    fn lookup(&self, _: &str) -> LookingUp {
        let found = self.0.as_ref().map(Clone::clone).map_err(|error| error.kind().into());
        Box::pin(async move { found })
    }
}

/// Alternates between two answers, like a name that passes a check with one and is dialled at the other.
struct Rebinding {
    asked: AtomicUsize,
    answers: [SocketAddr; 2],
}

impl Lookup for Rebinding {
    fn lookup(&self, _: &str) -> LookingUp {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst) % 2;
        let found = vec![self.answers[turn]];
        Box::pin(async move { Ok(found) })
    }
}

/// Long enough for a machine that stalls for seconds; no test waits for it.
const PATIENT: Duration = Duration::from_mins(1);

fn patient() -> Timeouts {
    Timeouts { connect: PATIENT, total: PATIENT }
}

fn to_development(origin: &str) -> HttpSender {
    to_development_within(origin, PATIENT)
}

fn to_development_within(origin: &str, total: Duration) -> HttpSender {
    let settings =
        AllowlistSettings { dev_destinations: vec![origin.to_owned()], ..AllowlistSettings::default() };
    let allowlist = Allowlist::new(settings).unwrap();
    let mut connector = Connector::new(Trust::default(), allowlist.dev_destinations());
    connector.timeouts = Timeouts { connect: PATIENT, total };
    HttpSender::new(allowlist, connector).unwrap()
}

pub(super) fn to_vendor(
    lookup: impl Lookup + 'static,
    trust: Trust,
    accepts: Option<fn(IpAddr) -> bool>,
) -> HttpSender {
    let mut connector = Connector::new(trust, &[]);
    connector.lookup = Arc::new(lookup);
    connector.timeouts = patient();
    connector.accepts = accepts.unwrap_or(connector.accepts);
    HttpSender::new(Allowlist::default(), connector).unwrap()
}

pub(super) async fn send(sender: &HttpSender, url: &str) -> Outcome {
    let to = Destination::checked(url.to_owned());
    let now = "2026-11-14T09:30:00Z".parse().unwrap();
    let outcome = sender.send(Channel::Slack, &to, br#"{"text":"hello"}"#.to_vec(), now).await;
    assert!(!format!("{outcome:?}").contains("SECRETTOKEN"), "the URL is a secret: {outcome:?}");
    outcome
}

#[tokio::test]
async fn posts_json_and_keeps_the_connection() {
    let listener = Listener::start("127.0.0.1", ok()).await;
    let sender = to_development(&listener.origin());
    for _ in 0..3 {
        let outcome = send(&sender, &format!("{}/services/SECRETTOKEN?x=1", listener.origin())).await;
        assert_eq!((outcome.verdict, outcome.status), (Verdict::Delivered, Some(200)));
    }
    assert_eq!(listener.connections(), 1);
    let requests = listener.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests[0].starts_with("POST /services/SECRETTOKEN?x=1 HTTP/1.1\r\n"), "{}", requests[0]);
    assert!(requests[0].contains("content-type: application/json; charset=utf-8\r\n"), "{}", requests[0]);
    assert!(requests[0].contains("user-agent: Tidewall/"), "{}", requests[0]);
    assert!(requests[0].ends_with("\r\n\r\n{\"text\":\"hello\"}"), "{}", requests[0]);
}

#[tokio::test]
async fn destinations_that_misbehave_cost_one_bounded_try() {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\nconnection: close\r\n\r\n".to_owned();
    let (at_once, short, longer) = (PATIENT, Duration::from_millis(800), Duration::from_secs(5));
    let cases = [
        (Manner::Hang, short, Reason::TimedOut, None),
        (Manner::Reset, at_once, Reason::ConnectionLost, None),
        (Manner::AnswerAndClose(String::new()), at_once, Reason::ConnectionLost, None),
        (Manner::Answer("220 mail.bank.example ESMTP\r\n".into()), at_once, Reason::ConnectionLost, None),
        (Manner::Drip("HTTP/1.1 200 OK\r\nx-drip: ".into()), short, Reason::TimedOut, None),
        (Manner::Drip("HTTP/1.1 200 OK\r\n\r\nok".into()), longer, Reason::NotConfirmed, Some(200)),
        (Manner::Flood(head), at_once, Reason::NotConfirmed, Some(200)),
        (Manner::Flood("HTTP/1.1 503 Busy\r\n\r\n".into()), at_once, Reason::Answered, Some(503)),
        (Manner::Flood("HTTP/1.1 200 OK\r\nx-flood: ".into()), at_once, Reason::ConnectionLost, None),
        (
            Manner::AnswerAndClose("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok".into()),
            at_once,
            Reason::NotConfirmed,
            Some(200),
        ),
    ];
    for (index, (manner, total, reason, status)) in cases.into_iter().enumerate() {
        let listener = Listener::start("127.0.0.1", manner).await;
        let started = Instant::now();
        let sender = to_development_within(&listener.origin(), total);
        let outcome = send(&sender, &format!("{}/SECRETTOKEN", listener.origin())).await;
        assert_eq!((outcome.reason, outcome.status), (reason, status), "case {index}: {outcome:?}");
        assert_eq!(outcome.verdict, Verdict::Transient, "case {index}");
        assert!(outcome.detail.len() <= MAX_DETAIL, "case {index}");
        assert!(started.elapsed() < PATIENT / 2, "case {index}: {:?}", started.elapsed());
        assert_eq!(listener.connections(), 1, "case {index}: one try is one connection");
    }
}

#[tokio::test]
async fn nobody_listening_is_a_failed_connection() {
    let vacated = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let outcome = send(&to_development(&vacated), &format!("{vacated}/SECRETTOKEN")).await;
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Transient, Reason::ConnectFailed));
}

#[tokio::test]
async fn passes_on_how_long_to_wait() {
    let listener =
        Listener::start("127.0.0.1", Manner::Answer(answer(429, "retry-after: 30\r\n", "slow down"))).await;
    let outcome = send(&to_development(&listener.origin()), &listener.origin()).await;
    assert_eq!((outcome.verdict, outcome.status), (Verdict::Transient, Some(429)));
    assert_eq!(outcome.retry_after, Some(Duration::from_secs(30)));
    assert_eq!(outcome.detail, "slow down");
}

#[tokio::test]
async fn redirects_are_never_followed() {
    let elsewhere = Listener::start("127.0.0.1", ok()).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: {}/inner\r\n", elsewhere.origin());
        let listener = Listener::start("127.0.0.1", Manner::Answer(answer(status, &location, ""))).await;
        let outcome = send(&to_development(&listener.origin()), &listener.origin()).await;
        assert_eq!((outcome.verdict, outcome.status), (Verdict::Refused, Some(status)));
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_vendors_certificate_must_be_trusted_and_its_own() {
    let (slack, other) = (Identity::of(SLACK_HOST), Identity::of("hooks.evil.example"));
    let trusted = Trust::only([slack.certificate.clone(), other.certificate.clone()]);
    let good = Listener::start_tls(ok(), slack).await;
    let wrong_name = Listener::start_tls(ok(), other).await;
    let everywhere: Option<fn(IpAddr) -> bool> = Some(|_| true);
    let at = |listener: &Listener| Fixed(Ok(vec![listener.address]));

    let outcome = send(&to_vendor(at(&good), trusted.clone(), everywhere), SLACK).await;
    assert_eq!(outcome.verdict, Verdict::Delivered, "{outcome:?}");
    assert!(good.requests()[0].contains("host: hooks.slack.com\r\n"), "{}", good.requests()[0]);

    for sender in
        [to_vendor(at(&wrong_name), trusted, everywhere), to_vendor(at(&good), Trust::default(), everywhere)]
    {
        let outcome = send(&sender, SLACK).await;
        assert_eq!((outcome.verdict, outcome.reason), (Verdict::Transient, Reason::TlsFailed), "{outcome:?}");
    }
    assert_eq!((good.requests().len(), wrong_name.requests().len()), (1, 0));
}

#[tokio::test]
async fn names_that_lead_inside_are_not_dialled() {
    let inside = Listener::start("127.0.0.1", ok()).await;
    let inside_6 = Listener::start("::1", ok()).await;
    let port = inside.address.port();
    let public: SocketAddr = (Ipv4Addr::new(52, 1, 2, 3), port).into();
    let mapped: IpAddr = Ipv4Addr::LOCALHOST.to_ipv6_mapped().into();
    for addresses in [
        vec![inside.address],
        vec![inside_6.address],
        vec![(mapped, port).into()],
        vec![("0.0.0.0".parse::<IpAddr>().unwrap(), port).into()],
        vec![("::".parse::<IpAddr>().unwrap(), inside_6.address.port()).into()],
        vec![("::127.0.0.1".parse::<IpAddr>().unwrap(), port).into()],
        vec![("64:ff9b::127.0.0.1".parse::<IpAddr>().unwrap(), port).into()],
        vec![public, inside.address],
        vec![inside.address, public],
        vec![public, public, inside_6.address],
    ] {
        let sender = to_vendor(Fixed(Ok(addresses.clone())), Trust::default(), None);
        let outcome = send(&sender, SLACK).await;
        assert_eq!(
            (outcome.verdict, outcome.reason),
            (Verdict::Transient, Reason::NotPublic),
            "{addresses:?}"
        );
    }
    assert_eq!((inside.connections(), inside_6.connections()), (0, 0));
}

#[tokio::test]
async fn names_without_an_address_fail_as_such() {
    for lookup in [Fixed(Ok(vec![])), Fixed(Err(io::ErrorKind::NotFound.into()))] {
        let outcome = send(&to_vendor(lookup, Trust::default(), None), SLACK).await;
        assert_eq!(
            (outcome.verdict, outcome.reason),
            (Verdict::Transient, Reason::NameNotFound),
            "{outcome:?}"
        );
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_judged_by_what_is_dialled() {
    const ROUNDS: usize = 1000;
    let slack = Identity::of(SLACK_HOST);
    let trust = Trust::only([slack.certificate.clone()]);
    let outside =
        Listener::start_tls(Manner::AnswerAndClose(answer(200, "connection: close\r\n", "ok")), slack).await;
    // Another loopback address stands for the internal network, because no test can listen on a public one.
    let inside = Listener::start("127.0.0.2", ok()).await;
    let lookup = Rebinding { asked: AtomicUsize::new(0), answers: [outside.address, inside.address] };
    let sender = to_vendor(lookup, trust, Some(|address| address == IpAddr::V4(Ipv4Addr::LOCALHOST)));

    let mut delivered = 0;
    for round in 0..ROUNDS {
        let outcome = send(&sender, SLACK).await;
        match outcome.verdict {
            Verdict::Delivered => delivered += 1,
            _ => assert_eq!(outcome.reason, Reason::NotPublic, "round {round}: {outcome:?}"),
        }
    }
    assert_eq!(delivered, ROUNDS / 2, "one lookup a try: neither skipped nor repeated");
    assert_eq!((outside.connections(), inside.connections()), (ROUNDS / 2, 0));
}

#[tokio::test]
async fn a_stored_url_is_checked_again_at_every_send() {
    let listener = Listener::start("127.0.0.1", ok()).await;
    let sender = to_vendor(Fixed(Ok(vec![listener.address])), Trust::default(), Some(|_| true));
    let port = listener.address.port();
    for url in [
        format!("http://127.0.0.1:{port}/SECRETTOKEN"),
        format!("http://2130706433:{port}/SECRETTOKEN"),
        format!("http://[::ffff:127.0.0.1]:{port}/SECRETTOKEN"),
        format!("http://hooks.slack.com:{port}/services/SECRETTOKEN"),
        format!("https://hooks.slack.com:{port}/services/SECRETTOKEN"),
        "https://evil.example/services/SECRETTOKEN".to_owned(),
        "not a url SECRETTOKEN".to_owned(),
    ] {
        let outcome = send(&sender, &url).await;
        assert_eq!((outcome.verdict, outcome.reason), (Verdict::Refused, Reason::NotAllowed), "{url}");
    }
    assert_eq!(listener.connections(), 0);
}

#[tokio::test]
async fn a_proxy_in_the_environment_is_ignored() {
    let proxy = Listener::start("127.0.0.1", ok()).await;
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "http::tests::posts_json_and_keeps_the_connection"]);
    for variable in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(variable, proxy.origin());
    }
    let ran = child.env_remove("NO_PROXY").env_remove("no_proxy").output().await.unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && printed.contains("1 passed"), "{printed}");
    assert_eq!(proxy.connections(), 0);
}
