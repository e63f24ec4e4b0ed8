use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use tidewall::listener::Limits;

use super::{
    client::{Client, took},
    server::{LARGE, Server, limits},
};
use crate::faults::rounds;

#[tokio::test]
async fn a_client_that_never_says_anything_is_closed() {
    let server = Server::with_limits(limits());
    let mut silent = Client::connect(server.address).await;
    assert!(took(limits().first_byte, silent.closed().await));
}

#[tokio::test]
async fn a_head_that_drips_is_closed_however_steadily_it_drips() {
    let server = Server::with_limits(limits());
    let mut slow = Client::connect(server.address).await;
    let since = Instant::now();
    slow.send("GET / HTTP/1.1\r\n").await;
    while slow.try_send("x: y\r\n").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(since.elapsed() < Duration::from_secs(10), "still open");
    }
    assert!(took(limits().header, since.elapsed()));
}

#[tokio::test]
async fn a_second_head_on_a_connection_has_the_same_limit() {
    let limits = Limits { idle: Duration::from_secs(15), ..limits() };
    let server = Server::with_limits(limits.clone());
    let mut client = Client::connect(server.address).await;
    client.request("GET", "/").await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    // By now the connection waits for its idle limit, which is later than the header's.
    tokio::time::sleep(limits.first_byte + limits.header).await;
    client.send("GET /").await;
    assert!(took(limits.header, client.closed().await));
}

#[tokio::test]
async fn a_body_that_stops_is_answered_408_and_closed() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    client
        .send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\nx-request-id: mine\r\n\r\nabc")
        .await;
    let since = Instant::now();
    let answer = client.answer().await.unwrap();
    assert!(took(limits().body, since.elapsed()));
    assert_eq!(answer.status, 408);
    assert_eq!(answer.error(), "the request body stopped arriving; send it without pauses");
    assert_eq!(answer.header("x-request-id"), Some("mine"));
    assert!(answer.closes());
    client.closed().await;
}

#[tokio::test]
async fn a_body_that_drips_is_given_up_at_the_total_limit() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    let since = Instant::now();
    client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 1000\r\n\r\n").await;
    while since.elapsed() < limits().total && client.try_send("x").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let answer = client.answer().await.unwrap();
    assert!(took(limits().total, since.elapsed()));
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert!(answer.error().starts_with("the request took too long"));
    assert!(answer.closes());
}

#[tokio::test]
async fn a_body_in_pieces_is_fine_while_it_keeps_coming() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 4\r\n\r\n").await;
    for piece in ["a", "b", "c", "d"] {
        tokio::time::sleep(Duration::from_millis(150)).await;
        client.send(piece).await;
    }
    let answer = client.answer().await.unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (200, "abcd"));
}

#[tokio::test]
async fn an_answer_that_never_comes_is_given_up() {
    let server = Server::with_limits(limits());
    let since = Instant::now();
    let answer = Client::get(server.address, "/never").await;
    assert!(took(limits().total, since.elapsed()));
    assert_eq!(answer.status, 503);
    answer.error();
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_is_closed() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    let since = Instant::now();
    client.request("GET", "/large").await;
    // The server notices by itself; reading only afterwards shows that the response was cut off.
    tokio::time::sleep(limits().total + Duration::from_secs(3)).await;
    assert!(client.answer().await.is_none(), "the whole answer arrived");
    assert!(since.elapsed() < limits().total + Duration::from_secs(8));
}

#[tokio::test]
async fn a_large_answer_is_sent_whole_to_a_client_that_reads_it_slowly() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    let since = Instant::now();
    client.request("GET", "/large").await;
    assert!(client.read_slowly(LARGE).await >= LARGE);
    assert!(
        since.elapsed() > limits().total + Duration::from_secs(3),
        "it was read too fast to show anything"
    );
}

#[tokio::test]
async fn an_import_has_more_time_than_other_requests() {
    let server = Server::with_limits(limits());
    let since = Instant::now();
    let answer = Client::get(server.address, "/import").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "imported"));
    assert!(since.elapsed() > limits().total);
}

#[tokio::test]
async fn a_connection_between_two_requests_is_closed_after_the_idle_limit() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    for _ in 0..3 {
        client.request("GET", "/").await;
        assert_eq!(client.answer().await.unwrap().body, "hello");
        tokio::time::sleep(limits().idle / 2).await;
    }
    client.request("GET", "/").await;
    client.answer().await.unwrap();
    assert!(took(limits().idle, client.closed().await));
}

/// Ways to hold a connection without using it.
#[derive(Debug, Clone, Copy)]
enum Idler {
    Silent,
    StopsInTheHead,
    StopsInTheBody,
    DoesNotRead,
    StaysAfterItsAnswer,
}

impl Idler {
    async fn connect(self, address: SocketAddr) -> Client {
        let mut client = Client::with_small_window(address).await;
        match self {
            Self::Silent => {}
            Self::StopsInTheHead => client.send("GET / HT").await,
            Self::StopsInTheBody => {
                client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc").await;
            }
            Self::DoesNotRead => client.request("GET", "/large").await,
            Self::StaysAfterItsAnswer => {
                client.request("GET", "/").await;
                assert_eq!(client.answer().await.unwrap().status, 200);
            }
        }
        client
    }

    fn limit(self, limits: &Limits) -> Duration {
        match self {
            Self::Silent => limits.first_byte,
            Self::StopsInTheHead => limits.header,
            Self::StopsInTheBody => limits.body,
            Self::DoesNotRead => limits.total,
            Self::StaysAfterItsAnswer => limits.idle,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crowds_of_slow_and_silent_clients_are_closed_and_harm_nobody() {
    let crowd = rounds(200, 2000);
    let limits = Limits { max_connections: 3000, max_in_flight: 3000, ..limits() };
    let server = Server::with_limits(limits.clone());
    for idler in [
        Idler::Silent,
        Idler::StopsInTheHead,
        Idler::StopsInTheBody,
        Idler::DoesNotRead,
        Idler::StaysAfterItsAnswer,
    ] {
        let mut clients = Vec::with_capacity(crowd);
        for _ in 0..crowd {
            clients.push(idler.connect(server.address).await);
        }
        let (since, mut slowest) = (Instant::now(), Duration::ZERO);
        for _ in 0..20 {
            let asked = Instant::now();
            assert_eq!(Client::get(server.address, "/").await.body, "hello");
            slowest = slowest.max(asked.elapsed());
        }
        join_all(clients.iter_mut().map(async |client| match idler {
            // A client that does not read notices the close by writing.
            Idler::DoesNotRead => client.refused().await,
            _ => drop(client.closed().await),
        }))
        .await;
        let closed = since.elapsed();
        println!("{crowd} × {idler:?}: closed within {closed:?}; others were answered within {slowest:?}");
        assert!(closed < idler.limit(&limits) + Duration::from_secs(5), "{idler:?}: {closed:?}");
        assert!(slowest < Duration::from_secs(2), "{idler:?}: {slowest:?}");
    }
}
