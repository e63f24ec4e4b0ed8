use super::{
    client::{Answer, Client},
    server::{Server, limits},
};

async fn answer_to(bytes: impl AsRef<[u8]>) -> Answer {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    client.send(bytes).await;
    let answer = client.answer().await.expect("an answer");
    assert!(answer.closes());
    client.closed().await;
    answer
}

#[tokio::test]
async fn what_is_not_http_gets_the_usual_error_shape() {
    for nonsense in ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        let answer = answer_to(nonsense).await;
        assert_eq!(answer.status, 400, "{nonsense:?}");
        assert_eq!(answer.error(), "the request is not valid HTTP/1.1");
    }
}

#[tokio::test]
async fn too_large_a_head_gets_431() {
    let answer = answer_to(format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(20_000))).await;
    assert_eq!(answer.status, 431);
    assert!(answer.error().contains("headers are too large"));
}

#[tokio::test]
async fn a_second_request_that_is_not_http_does_not_spoil_the_first() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    client.send("GET / HTTP/1.1\r\nhost: test\r\n\r\nnonsense\r\n\r\n").await;
    assert_eq!(client.answer().await.unwrap().body, "hello");
    assert_eq!(client.answer().await.unwrap().status, 400);
}

#[tokio::test]
async fn an_early_answer_reaches_a_client_that_is_still_sending() {
    let server = Server::with_limits(limits());
    let mut client = Client::connect(server.address).await;
    client.send("POST /ignore HTTP/1.1\r\nhost: test\r\ncontent-length: 100000000\r\n\r\n").await;
    // More than the socket buffers hold: closing with this unread would reset the connection and fail a write.
    for _ in 0..256 {
        client.send(vec![b'x'; 64 * 1024]).await;
    }
    let answer = client.answer().await.expect("the answer survives");
    assert_eq!((answer.status, answer.body.as_str()), (413, "too large"));
}
