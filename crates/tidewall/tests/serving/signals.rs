use std::{fs, time::Duration};

use tempfile::TempDir;
use testkit::until;
use tokio::net::TcpStream;

use super::{
    child::ChildServer,
    client::Client,
    server::{refuses, works_on},
    tls,
};

#[tokio::test]
async fn sigterm_lets_the_request_in_progress_finish() {
    for signal in ["TERM", "INT"] {
        let mut server = ChildServer::start(&[]);
        let mut client = Client::connect(server.address).await;
        client.request("GET", "/sleep").await;
        works_on(server.address, 1).await;
        server.signal(signal);
        let answer = client.answer().await.expect("not cut off");
        assert_eq!((answer.status, answer.body.as_str()), (200, "slept"));
        assert!(answer.closes());
        let (status, took) = server.ended().await;
        assert!(status.success(), "{status}");
        assert!(took < Duration::from_secs(10));
        assert!(TcpStream::connect(server.address).await.is_err());
    }
}

#[tokio::test]
async fn what_does_not_finish_is_cut_off_with_an_answer_at_the_soft_limit() {
    let mut server = ChildServer::start(&[("TIDEWALL_SERVER__SHUTDOWN_SOFT", "1s")]);
    let mut client = Client::connect(server.address).await;
    client.request("GET", "/never").await;
    works_on(server.address, 1).await;
    server.signal("TERM");
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.status, 503);
    answer.error();
    let (status, took) = server.ended().await;
    assert!(status.success(), "{status}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let mut server = ChildServer::start(&[("TIDEWALL_SERVER__SHUTDOWN_SOFT", "1h")]);
    let mut client = Client::connect(server.address).await;
    client.request("GET", "/never").await;
    works_on(server.address, 1).await;
    server.signal("TERM");
    refuses(server.address).await;
    server.signal("TERM");
    assert_eq!(client.answer().await.unwrap().status, 503);
    let (_, took) = server.ended().await;
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn sighup_puts_a_new_certificate_in_force() {
    let directory = TempDir::new().unwrap();
    let files = tls::files(directory.path());
    let first = tls::new_pair(&files);
    let server = ChildServer::start(&[
        ("TIDEWALL_TLS__CERT_FILE", files.cert_file.to_str().unwrap()),
        ("TIDEWALL_TLS__KEY_FILE", files.key_file.to_str().unwrap()),
    ]);
    assert!(tls::connect(server.address, &first, &[]).await.is_ok());
    let second = tls::new_pair(&files);
    server.signal("HUP");
    until("the new certificate is shown", async || tls::connect(server.address, &second, &[]).await.is_ok())
        .await;
}

#[tokio::test]
async fn sighup_is_survived_without_tls() {
    let server = ChildServer::start(&[]);
    server.signal("HUP");
    until("the signal has been delivered", async || !server.has_a_signal_waiting()).await;
    assert_eq!(Client::get(server.address, "/").await.body, "hello");
    assert!(fs::exists(format!("/proc/{}", server.id())).unwrap());
}
