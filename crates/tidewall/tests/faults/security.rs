//! Security events: the traces of an attack in the log, and unreachable receivers.

use std::{fs, sync::Arc, time::Duration};

use axum::{Router, extract::State, routing::post};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    sync::Mutex,
};
use tokio_rustls::TlsAcceptor;

use super::service::{Service, client};

type Received = Arc<Mutex<Vec<Value>>>;

/// A port that nothing listens on yet.
async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// The security events of the log, in order.
fn logged(service: &Service) -> Vec<Value> {
    let log = service.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["target"] == "security").collect()
}

/// The ids of events, each once: unconfirmed ones are sent again.
fn ids(events: &[Value]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for event in events {
        let id = event["id"].as_str().unwrap().to_owned();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

async fn listen_http(port: u16) -> Received {
    let received = Received::default();
    let take = |State(received): State<Received>, body: String| async move {
        let lines = body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        received.lock().await.extend(lines);
    };
    let router = Router::new().route("/in", post(take)).with_state(Arc::clone(&received));
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    received
}

async fn listen_syslog(port: u16, acceptor: TlsAcceptor) -> Received {
    let received = Received::default();
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let kept = Arc::clone(&received);
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(tcp).await else { continue };
            let mut read = String::new();
            stream.read_to_string(&mut read).await.unwrap();
            kept.lock().await.extend(messages(&read));
            stream.shutdown().await.unwrap();
        }
    });
    received
}

/// The events in a stream of `LENGTH MESSAGE`.
fn messages(mut stream: &str) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some((length, rest)) = stream.split_once(' ') {
        let (message, after) = rest.split_at(length.parse().unwrap());
        assert!(message.starts_with("<8"), "{message}");
        let json = message.find('{').unwrap();
        found.push(serde_json::from_str(&message[json..]).unwrap());
        stream = after;
    }
    found
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    // A receiver that was unreachable for long is tried once a minute.
    for _ in 0..18_000 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// Tries wrong keys and a wrong password, and an action that a key may not do.
async fn attack(service: &Service, reader: &str, round: &str) {
    for number in 0..5 {
        let answer = client("tw_abcdefgh_wrong")
            .get(service.url("/api/v1/findings"))
            .header("x-request-id", format!("{round}-{number}"));
        assert_eq!(answer.send().await.unwrap().status(), 401);
    }
    let written = client(reader).post(service.url("/api/v1/findings")).body("{}").send().await.unwrap();
    assert_eq!(written.status(), 403);
    for email in ["anna@north.example", "my-password-by-mistake"] {
        let body = format!("email={email}&password=wrong-wrong-wrong");
        let sent = client("").post(service.url("/workspace/sign-in")).body(body);
        let sent = sent.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
        assert_eq!(sent.status(), 422);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_is_in_the_log_and_reaches_receivers_that_were_away_in_order() {
    let (https, syslog) = (free_port().await, free_port().await);
    let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let mut service = Service::new();
    let authority = service.dir.path().join("authority.pem");
    fs::write(&authority, issued.cert.pem()).unwrap();
    service.set("SSL_CERT_FILE", authority.to_str().unwrap());
    service.set("TIDEWALL_SECURITY__HTTPS", &format!("http://127.0.0.1:{https}/in"));
    service.set("TIDEWALL_SECURITY__SYSLOG", &format!("localhost:{syslog}"));
    // Security events are written whatever else is left out of the log.
    service.set("TIDEWALL_LOG__LEVEL", "warn");
    service.person("anna@north.example", "the north wind doth blow");
    let reader =
        service.verb(&["key", "create", "--tenant", "north", "--name", "r", "--permissions", "read"]);
    let reader = reader.lines().find_map(|line| line.split_whitespace().find(|word| word.starts_with("tw_")));
    let reader = reader.unwrap().to_owned();

    service.start();
    attack(&service, &reader, "first").await;
    until("the first events are on disk", async || kept(&service, 8)).await;
    service.kill();
    service.start();
    attack(&service, &reader, "second").await;
    until("all events are on disk", async || kept(&service, 16)).await;

    let key = PrivateKeyDer::try_from(issued.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![issued.cert.der().clone()], key)
        .unwrap();
    let by_https = listen_http(https).await;
    let by_syslog = listen_syslog(syslog, Arc::new(config).into()).await;
    let expected = logged(&service);
    assert_eq!(expected.len(), 16, "{}", service.log());
    for received in [&by_https, &by_syslog] {
        until("everything arrived", async || ids(&received.lock().await).len() >= 16).await;
        assert_eq!(ids(&received.lock().await), ids(&expected));
    }

    let output = by_https.lock().await.clone();
    let [key, .., forbidden, known, unknown] = &output[..8] else { panic!("{output:?}") };
    assert_eq!(
        (&key["event"], &key["outcome"], &key["key"], &key["request"], &key["address"]),
        (&"api_key".into(), &"refused".into(), &"tw_abcdefgh".into(), &"first-0".into(), &"127.0.0.1".into())
    );
    assert_eq!(forbidden["event"], "permission");
    assert!(forbidden["key"].as_str().unwrap().starts_with("key_"), "{forbidden}");
    assert!(known["user"].is_string() && known["account"].is_null(), "{known}");
    assert!(unknown["account"].is_string() && unknown["user"].is_null(), "{unknown}");
    assert!(unknown["request"].is_string(), "{unknown}");
    assert_eq!(unknown["account"], output[15]["account"], "the same typed text has the same digest");
    for secret in ["my-password-by-mistake", "wrong-wrong-wrong", "tw_abcdefgh_wrong"] {
        assert!(!service.log().contains(secret), "{secret}");
    }
    // Events that both have confirmed are deleted once a new segment begins; nothing is sent again after another
    // start.
    service.kill();
    service.start();
    attack(&service, &reader, "third").await;
    until("the rest arrived", async || ids(&by_https.lock().await).len() >= 24).await;
    until("the rest is in the log", async || logged(&service).len() >= 24).await;
    assert_eq!(ids(&by_https.lock().await), ids(&logged(&service)));
    assert_eq!(by_https.lock().await.len(), 24, "nothing confirmed is sent again");
}

/// Whether that many events are in the spool and in the log; each is written by a thread of its own.
fn kept(service: &Service, events: usize) -> bool {
    spooled(service) == events && logged(service).len() == events
}

/// Whole lines in the spool.
fn spooled(service: &Service) -> usize {
    let Ok(files) = fs::read_dir(service.data_dir().join("security-events")) else { return 0 };
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some());
    files.map(|path| fs::read_to_string(path).unwrap_or_default().lines().count()).sum()
}
