//! The receivers against real servers on this machine.

use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;

const REFUSED: &str = r#"{"time":"2026-11-14T14:00:00Z","id":"sec_1","event":"sign_in","outcome":"refused","address":"203.0.113.9"}"#;
const ALLOWED: &str =
    r#"{"time":"2026-11-14T14:00:01.500Z","id":"sec_2","event":"sign_in","outcome":"allowed"}"#;

struct Certificate {
    trust: Trust,
    acceptor: TlsAcceptor,
}

fn certificate() -> Certificate {
    let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(issued.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![issued.cert.der().clone()], key)
        .unwrap();
    Certificate { trust: Trust::only([issued.cert.der().clone()]), acceptor: Arc::new(config).into() }
}

async fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn syslog_to(port: u16, trust: &Trust) -> Collector {
    Collector::Syslog(SyslogCollector::new("localhost", port, "node one", trust).unwrap())
}

#[tokio::test]
async fn a_syslog_server_reads_every_message_before_it_confirms() {
    let (Certificate { trust, acceptor }, (listener, port)) = (certificate(), listener().await);
    let server = tokio::spawn(async move {
        let (tcp, _) = listener.accept().await.unwrap();
        let mut stream = acceptor.accept(tcp).await.unwrap();
        let mut read = String::new();
        stream.read_to_string(&mut read).await.unwrap();
        stream.shutdown().await.unwrap();
        read
    });
    syslog_to(port, &trust).send(&[REFUSED.to_owned(), ALLOWED.to_owned()]).await.unwrap();
    let process = std::process::id();
    let first = format!("<84>1 2026-11-14T14:00:00Z nodeone tidewall {process} sign_in - {REFUSED}");
    let second = format!("<86>1 2026-11-14T14:00:01.500Z nodeone tidewall {process} sign_in - {ALLOWED}");
    assert_eq!(server.await.unwrap(), format!("{} {first}{} {second}", first.len(), second.len()));
}

#[tokio::test]
async fn a_syslog_server_that_breaks_off_has_confirmed_nothing() {
    let (Certificate { trust, acceptor }, (listener, port)) = (certificate(), listener().await);
    tokio::spawn(async move {
        let (tcp, _) = listener.accept().await.unwrap();
        // Ends like a process that dies: with unread data.
        let stream = acceptor.accept(tcp).await.unwrap();
        let (tcp, _) = stream.into_inner();
        tcp.readable().await.unwrap();
        drop(tcp);
    });
    let sent = syslog_to(port, &trust).send(&vec![REFUSED.to_owned(); 500]).await;
    assert!(sent.is_err(), "{sent:?}");
}

#[tokio::test]
async fn a_syslog_server_that_shows_another_certificate_gets_nothing() {
    let (Certificate { acceptor, .. }, (listener, port)) = (certificate(), listener().await);
    let server = tokio::spawn(async move {
        let (tcp, _) = listener.accept().await.unwrap();
        acceptor.accept(tcp).await.is_err()
    });
    let sent = syslog_to(port, &certificate().trust).send(&[REFUSED.to_owned()]).await;
    assert!(sent.is_err_and(|problem| problem.contains("certificate")));
    assert!(server.await.unwrap());
}

#[tokio::test]
async fn an_https_receiver_confirms_with_its_status() {
    let (listener, port) = listener().await;
    let server = tokio::spawn(async move {
        let mut requests = Vec::new();
        for status in ["503 Service Unavailable", "204 No Content"] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
            while !bytes.ends_with(format!("{ALLOWED}\n").as_bytes()) {
                let read = stream.read(&mut chunk).await.unwrap();
                bytes.extend_from_slice(&chunk[..read]);
            }
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
            requests.push(String::from_utf8(bytes).unwrap());
        }
        requests
    });
    let url = Url::parse(&format!("http://127.0.0.1:{port}/in")).unwrap();
    let collector = HttpsCollector::new(url, Some("Bearer hunter2"), Trust::default()).unwrap();
    assert!(!format!("{collector:?}").contains("hunter2"));
    let (collector, lines) = (Collector::Https(collector), [REFUSED.to_owned(), ALLOWED.to_owned()]);
    let refused = collector.send(&lines).await;
    assert!(refused.is_err_and(|problem| problem.contains("503") && !problem.contains("hunter2")));
    collector.send(&lines).await.unwrap();
    let requests = server.await.unwrap();
    assert!(requests[1].starts_with("POST /in HTTP/1.1\r\n"), "{requests:?}");
    assert!(requests[1].contains("authorization: Bearer hunter2"), "{requests:?}");
    assert!(requests[1].ends_with(&format!("{REFUSED}\n{ALLOWED}\n")), "{requests:?}");
}
