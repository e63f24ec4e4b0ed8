use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use testkit::until;
use tidewall::{lifecycle::Phase, listener::Limits};
use tokio::net::TcpStream;

use super::{
    client::Client,
    server::{Server, limits, refuses, works_on},
};

fn patient() -> Limits {
    Limits { total: Duration::from_secs(10), idle: Duration::from_secs(10), ..limits() }
}

#[tokio::test]
async fn a_request_in_progress_finishes_and_new_connections_are_refused() {
    let server = Server::with_limits(patient());
    let mut busy = Client::connect(server.address).await;
    busy.request("GET", "/gate").await;
    works_on(server.address, 1).await;

    server.switch.advance(Phase::Draining);
    refuses(server.address).await;
    assert!(!server.serving.is_finished());

    server.gate.add_permits(1);
    let answer = busy.answer().await.unwrap();
    assert_eq!(answer.body, "through");
    assert!(answer.closes());
    server.stop().await;
}

#[tokio::test]
async fn an_idle_connection_gets_one_more_answer_with_connection_close() {
    let server = Server::with_limits(patient());
    let mut client = Client::connect(server.address).await;
    client.request("GET", "/").await;
    assert!(!client.answer().await.unwrap().closes());

    server.switch.advance(Phase::Draining);
    refuses(server.address).await;
    client.request("GET", "/").await;
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.body, "hello");
    assert!(answer.closes());
    client.closed().await;
    server.stop().await;
}

#[tokio::test]
async fn idle_connections_do_not_hold_up_the_end() {
    let server = Server::with_limits(patient());
    let mut clients = Vec::new();
    for _ in 0..20 {
        let mut client = Client::connect(server.address).await;
        client.request("GET", "/").await;
        client.answer().await.unwrap();
        clients.push(client);
    }
    let since = Instant::now();
    server.stop().await;
    assert!(since.elapsed() < Duration::from_secs(3));
    for client in &mut clients {
        client.closed().await;
    }
}

#[tokio::test]
async fn a_request_already_on_its_way_is_received_and_answered() {
    let server = Server::with_limits(patient());
    let mut client = Client::connect(server.address).await;
    client.send("GET / HTTP/1.1\r\n").await;
    // Once a later request has been answered, the server has read this line.
    Client::get(server.address, "/").await;
    server.switch.advance(Phase::Draining);
    refuses(server.address).await;
    client.send("host: test\r\n\r\n").await;
    assert_eq!(client.answer().await.unwrap().body, "hello");
    server.stop().await;
}

#[tokio::test]
async fn connections_the_kernel_has_completed_are_served() {
    let server = Server::with_limits(patient());
    Client::get(server.address, "/").await;
    // Nothing is awaited between these lines, so the accept loop has not seen these connections when it drains.
    let waiting: Vec<_> = (0..5).map(|_| std::net::TcpStream::connect(server.address).unwrap()).collect();
    server.switch.advance(Phase::Draining);
    for stream in waiting {
        stream.set_nonblocking(true).unwrap();
        let mut client = Client::over(TcpStream::from_std(stream).unwrap());
        client.request("GET", "/").await;
        assert_eq!(client.answer().await.expect("not reset").body, "hello");
    }
    server.stop().await;
}

#[tokio::test]
async fn what_still_runs_at_the_hard_limit_is_answered_503() {
    let server = Server::with_limits(patient());
    let mut stuck = Client::connect(server.address).await;
    stuck.request("GET", "/never").await;
    works_on(server.address, 1).await;
    server.switch.advance(Phase::Draining);
    server.switch.advance(Phase::Ending);
    let answer = stuck.answer().await.unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")));
    assert_eq!(answer.error(), "the service is shutting down; try again shortly");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_cannot_hold_up_the_hard_end() {
    let server = Server::with_limits(patient());
    let mut stuck = Client::connect(server.address).await;
    stuck.request("GET", "/large").await;
    stuck.begins_to_receive().await;
    let since = Instant::now();
    server.switch.advance(Phase::Ending);
    server.stop().await;
    assert!(since.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn no_request_under_load_fails() {
    let server = Server::with_limits(patient());
    let address = server.address;
    let answered = Arc::new(AtomicUsize::new(0));
    let worker = |answered: Arc<AtomicUsize>| async move {
        // Until the listener is closed, every request that was sent gets its response.
        while let Ok(stream) = TcpStream::connect(address).await {
            let mut client = Client::over(stream);
            loop {
                if client.try_send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.is_err() {
                    return 1;
                }
                let Some(answer) = client.answer().await else { return 1 };
                assert_eq!(answer.status, 200);
                answered.fetch_add(1, Ordering::AcqRel);
                if answer.closes() {
                    break;
                }
            }
        }
        0
    };
    let workers: Vec<_> = (0..16).map(|_| tokio::spawn(worker(Arc::clone(&answered)))).collect();
    until("requests are answered", async || answered.load(Ordering::Acquire) > 100).await;
    server.stop().await;
    let mut failed = 0;
    for worker in workers {
        failed += worker.await.unwrap();
    }
    assert_eq!(failed, 0);
}
