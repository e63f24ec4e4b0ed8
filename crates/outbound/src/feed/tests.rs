use std::{sync::Arc, time::Duration};

use super::*;
use crate::{
    connector::{LookingUp, Lookup, Timeouts},
    http::listener::{Listener, Manner},
    trust::Trust,
};

const MOST: usize = 1000;

async fn fetch(manner: Manner) -> Result<Vec<u8>, FetchError> {
    let listener = Listener::start("127.0.0.1", manner).await;
    let mut connector = Connector::new(Trust::default(), &[listener.origin()]);
    connector.timeouts = Timeouts { connect: Duration::from_secs(2), total: Duration::from_millis(800) };
    let url = Url::parse(&format!("{}/feed?token=canary", listener.origin())).unwrap();
    let fetched = FeedClient::new(connector).unwrap().fetch(&url, MOST).await;
    let asked = listener.requests();
    assert!(
        asked.iter().all(|request| request.starts_with("GET /feed?token=canary HTTP/1.1\r\n")),
        "{asked:?}"
    );
    if let Err(error) = &fetched {
        assert!(!error.to_string().contains("canary"), "{error}");
    }
    fetched
}

fn answer(head: &str, body: &str) -> Manner {
    Manner::AnswerAndClose(format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

#[tokio::test]
async fn a_feed_is_fetched_whole() {
    let body = "x".repeat(MOST);
    assert_eq!(fetch(answer("200 OK", &body)).await.unwrap(), body.as_bytes());
}

#[tokio::test]
async fn everything_but_a_success_is_said() {
    assert_eq!(
        fetch(answer("301 Moved\r\nlocation: http://127.0.0.1/", "")).await,
        Err(FetchError::Redirected(301))
    );
    assert_eq!(fetch(answer("404 Not Found", "no")).await, Err(FetchError::Refused(404)));
    assert_eq!(fetch(answer("206 Partial", "half")).await, Err(FetchError::Refused(206)));
    assert!(matches!(fetch(Manner::Reset).await, Err(FetchError::Failed(_))));
    assert!(matches!(fetch(Manner::Hang).await, Err(FetchError::Failed(_))));
}

#[tokio::test]
async fn a_feed_that_is_too_large_or_never_ends_is_left() {
    let too_large = Err(FetchError::TooLarge(MOST));
    assert_eq!(fetch(answer("200 OK", &"x".repeat(MOST + 1))).await, too_large);
    // Without a length, the bytes are counted.
    assert_eq!(fetch(Manner::Flood("HTTP/1.1 200 OK\r\n\r\n".to_owned())).await, too_large);
    let drip = Manner::Drip("HTTP/1.1 200 OK\r\n\r\n".to_owned());
    assert!(matches!(fetch(drip).await, Err(FetchError::Failed(_))));
}

/// A resolver that returns this machine for every name.
struct Homewards;

impl Lookup for Homewards {
    fn lookup(&self, _host: &str) -> LookingUp {
        Box::pin(async { Ok(vec!["127.0.0.1:0".parse().unwrap()]) })
    }
}

#[tokio::test]
async fn nothing_but_public_https_hosts_is_asked() {
    let listener = Listener::start("127.0.0.1", answer("200 OK", "secret")).await;
    let mut connector = Connector::new(Trust::default(), &[]);
    connector.lookup = Arc::new(Homewards);
    let client = FeedClient::new(connector).unwrap();
    let port = listener.address.port();
    for address in [
        format!("http://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("http://feeds.example:{port}/"),
    ] {
        let fetched = client.fetch(&Url::parse(&address).unwrap(), MOST).await;
        assert_eq!(fetched, Err(FetchError::NotAllowed), "{address}");
    }
    let inside = Url::parse(&format!("https://feeds.example:{port}/")).unwrap();
    let fetched = client.fetch(&inside, MOST).await.unwrap_err().to_string();
    assert!(fetched.contains("not public"), "{fetched}");
    assert_eq!(listener.connections(), 0);
}
