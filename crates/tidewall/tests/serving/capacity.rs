use std::time::Duration;

use testkit::until;
use tidewall::listener::Limits;

use super::{
    client::Client,
    server::{Server, limits, works_on},
};

#[tokio::test]
async fn a_connection_beyond_the_cap_is_answered_503_and_closed() {
    let server =
        Server::with_limits(Limits { max_connections: 2, idle: Duration::from_secs(10), ..limits() });
    let (mut first, mut second) =
        (Client::connect(server.address).await, Client::connect(server.address).await);
    for client in [&mut first, &mut second] {
        client.request("GET", "/").await;
        assert_eq!(client.answer().await.unwrap().status, 200);
    }
    let mut third = Client::connect(server.address).await;
    third.send("GET / HTTP/1.1\r\nhost: test\r\nx-request-id: third\r\n\r\n").await;
    let answer = third.answer().await.unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert_eq!(answer.error(), "too many connections; try again shortly");
    assert_eq!(answer.header("x-request-id"), Some("third"));
    assert!(answer.closes());
    third.closed().await;

    first.request("GET", "/").await;
    assert_eq!(first.answer().await.unwrap().status, 200, "those inside are not affected");
    drop(second);
    until("a place is free again", async || Client::get(server.address, "/").await.status == 200).await;
}

#[tokio::test]
async fn a_flood_beyond_the_cap_does_not_pile_up() {
    let server =
        Server::with_limits(Limits { max_connections: 1, idle: Duration::from_secs(20), ..limits() });
    let mut inside = Client::connect(server.address).await;
    inside.request("GET", "/").await;
    inside.answer().await.unwrap();
    let mut flood = Vec::new();
    for _ in 0..200 {
        flood.push(Client::connect(server.address).await);
    }
    for client in &mut flood {
        client.closed().await;
    }
    inside.request("GET", "/").await;
    assert_eq!(inside.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_request_beyond_the_cap_is_shed_and_its_connection_kept() {
    let server = Server::with_limits(Limits { max_in_flight: 1, total: Duration::from_secs(10), ..limits() });
    let mut busy = Client::connect(server.address).await;
    busy.request("GET", "/gate").await;
    works_on(server.address, 1).await;

    let mut client = Client::connect(server.address).await;
    client.request("GET", "/").await;
    let answer = client.answer().await.unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert_eq!(answer.error(), "the service is at capacity; try again shortly");
    assert!(!answer.closes());
    client.request("GET", "/alive").await;
    assert_eq!(client.answer().await.unwrap().status, 200, "a probe is answered all the same");

    server.gate.add_permits(1);
    assert_eq!(busy.answer().await.unwrap().body, "through");
    client.request("GET", "/").await;
    assert_eq!(client.answer().await.unwrap().status, 200, "there is room again");
}
