use std::time::{Duration, Instant};

use tidewall::{lifecycle::Phase, listener::Limits};

use super::server::{Server, limits, refuses, works_on};

fn http2() -> Limits {
    Limits { http2: true, total: Duration::from_secs(2), ..limits() }
}

fn client() -> reqwest::Client {
    // Another test of this process may have been first; the client only needs that there is one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().http2_prior_knowledge().no_proxy().build().unwrap()
}

#[tokio::test]
async fn is_spoken_when_asked_for_and_only_then() {
    let server = Server::with_limits(http2());
    let answer = client().get(format!("http://{}/", server.address)).send().await.unwrap();
    assert_eq!(answer.version(), http::Version::HTTP_2);
    assert_eq!(answer.text().await.unwrap(), "hello");

    let server = Server::with_limits(limits());
    assert!(client().get(format!("http://{}/", server.address)).send().await.is_err());
}

#[tokio::test]
async fn a_stuck_stream_is_given_up_and_the_others_go_on() {
    let server = Server::with_limits(http2());
    let client = client();
    let stuck = client.get(format!("http://{}/never", server.address)).send();
    let quick = async {
        works_on(server.address, 1).await;
        client.get(format!("http://{}/", server.address)).send().await.unwrap().status()
    };
    let (stuck, quick) = tokio::join!(stuck, quick);
    assert_eq!(quick, 200);
    assert_eq!(stuck.unwrap().status(), 503);
}

#[tokio::test]
async fn streams_in_progress_finish_when_the_process_drains() {
    let server = Server::with_limits(http2());
    let request = client().get(format!("http://{}/gate", server.address)).send();
    let gate = std::sync::Arc::clone(&server.gate);
    let drain = async {
        works_on(server.address, 1).await;
        server.switch.advance(Phase::Draining);
        refuses(server.address).await;
        gate.add_permits(1);
    };
    let (answer, ()) = tokio::join!(request, drain);
    assert_eq!(answer.unwrap().text().await.unwrap(), "through");
    let since = Instant::now();
    server.stop().await;
    assert!(since.elapsed() < Duration::from_secs(3));
}
