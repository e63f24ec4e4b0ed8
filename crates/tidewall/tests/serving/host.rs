//! The host of a request, and the size of its headers.

use tidewall::listener::AllowedHosts;

use super::{
    client::{Answer, Client},
    server::{Server, limits, options},
};

async fn ask(server: &Server, head: &str) -> Answer {
    let mut client = Client::connect(server.address).await;
    client.send(head).await;
    client.answer().await.expect("an answer")
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let server = Server::with_limits(limits());
    for head in ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n"] {
        let answer = ask(&server, head).await;
        assert_eq!((answer.status, answer.error().contains("exactly one host")), (400, true), "{head:?}");
    }
    assert_eq!(ask(&server, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.status, 200);
    assert_eq!(ask(&server, "GET / HTTP/1.0\r\n\r\n").await.status, 200, "older clients name none");
}

#[tokio::test]
async fn only_hosts_of_ours_are_served_where_they_are_named() {
    let hosts = AllowedHosts::new(vec!["tidewall.example.com".into()]);
    let server = Server::start(tidewall::listener::ListenerOptions { hosts, ..options(limits()) });
    for host in ["evil.example", "127.0.0.1", "tidewall.example.com.evil.example"] {
        let answer = ask(&server, &format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n")).await;
        assert_eq!(answer.status, 421, "{host}");
        let probed = ask(&server, &format!("GET /alive HTTP/1.1\r\nhost: {host}\r\n\r\n")).await;
        assert_eq!(probed.status, 200, "a probe may name any");
    }
    for host in ["tidewall.example.com", "Tidewall.example.com:8443"] {
        assert_eq!(ask(&server, &format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n")).await.status, 200);
    }
    let absolute = "GET http://evil.example/ HTTP/1.1\r\nhost: tidewall.example.com\r\n\r\n";
    assert_eq!(ask(&server, absolute).await.status, 421, "the address counts more than the header");
}

#[tokio::test]
async fn heads_are_measured_exactly() {
    let server = Server::with_limits(limits());
    let head = |length: usize| {
        let empty = "GET / HTTP/1.1\r\nhost: a\r\nx: \r\n\r\n";
        empty.replace("x: ", &format!("x: {}", "y".repeat(length - empty.len())))
    };
    let most = limits().max_header_bytes as usize;
    assert_eq!(head(most).len(), most);
    assert_eq!(ask(&server, &head(most - 1)).await.status, 200);
    for length in [most + 1, most + 1_000, most * 3 / 2] {
        assert_eq!(ask(&server, &head(length)).await.status, 431, "{length}");
    }
}
