//! A load generator and a plain server on loopback: the same for the thing measured and for its ceiling.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// As hyper writes it.
const LENGTH: &[u8] = b"content-length: ";

/// Serves a router without anything around it.
pub(crate) async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let service = TowerToHyperService::new(router.clone());
            tokio::spawn(async move {
                let _ =
                    Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    address
}

/// Requests a second over `connections` kept-alive connections, `times` on each, taking turns through `requests`.
pub(crate) async fn drive(
    address: SocketAddr,
    requests: &Arc<Vec<String>>,
    connections: usize,
    times: usize,
) -> f64 {
    let started = Instant::now();
    let clients = (0..connections).map(|number| {
        let requests = Arc::clone(requests);
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let mut buffer = Vec::with_capacity(64 * 1024);
            for request in requests.iter().cycle().skip(number * times % requests.len()).take(times) {
                stream.write_all(request.as_bytes()).await.unwrap();
                read_answer(&mut stream, &mut buffer).await;
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
    (connections * times) as f64 / started.elapsed().as_secs_f64()
}

/// Reads one answer with a content length; anything but 200 stops the benchmark.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    buffer.clear();
    loop {
        let read = stream.read_buf(buffer).await.unwrap();
        assert!(read > 0, "the server hung up");
        // Quickly, or a route would be charged for what the generator does with its headers.
        let Some(end) = memmem::find(buffer, b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&buffer[..end]).unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let start = memmem::find(head.as_bytes(), LENGTH).unwrap() + LENGTH.len();
        let length = head[start..].split('\r').next().unwrap();
        let total = end + 4 + length.parse::<usize>().unwrap();
        while buffer.len() < total {
            assert!(stream.read_buf(buffer).await.unwrap() > 0);
        }
        return;
    }
}

/// The body of the answer to one request.
pub(crate) async fn body_of(address: SocketAddr, request: &str) -> bytes::Bytes {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut buffer = Vec::new();
    read_answer(&mut stream, &mut buffer).await;
    let start = buffer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    bytes::Bytes::from(buffer.split_off(start))
}
