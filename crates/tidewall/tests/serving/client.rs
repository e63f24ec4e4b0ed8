//! A client that sends exactly the given bytes at the given time.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Longer than any limit in these tests.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client<S = TcpStream> {
    stream: S,
    buffer: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The sentence of an error in the format of all errors.
    pub(crate) fn error(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        assert!(self.header("x-request-id").is_some_and(|id| !id.is_empty()), "{self:?}");
        let body: serde_json::Value = serde_json::from_str(&self.body).expect("a JSON body");
        body["error"].as_str().expect("a string").to_owned()
    }

    pub(crate) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap())
    }

    /// Keeps as little data as possible in flight while it does not read.
    pub(crate) async fn with_small_window(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        Self::over(socket.connect(address).await.unwrap())
    }

    /// Waits until something of an answer has arrived, without reading it.
    pub(crate) async fn begins_to_receive(&self) {
        timeout(PATIENCE, self.stream.readable()).await.expect("an answer").unwrap();
    }

    /// One request on a connection of its own.
    pub(crate) async fn get(address: SocketAddr, path: &str) -> Answer {
        let mut client = Self::connect(address).await;
        client.request("GET", path).await;
        client.answer().await.expect("an answer")
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.try_send(bytes).await.expect("the connection is open");
    }

    pub(crate) async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await?;
        self.stream.flush().await
    }

    pub(crate) async fn request(&mut self, method: &str, path: &str) {
        self.send(format!("{method} {path} HTTP/1.1\r\nhost: test\r\n\r\n")).await;
    }

    /// The next response, or `None` if the connection is closed first.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        timeout(PATIENCE, self.read_answer()).await.expect("an answer or a close")
    }

    async fn read_answer(&mut self) -> Option<Answer> {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
            self.read_more().await?;
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Answer { status, head, body: String::new() };
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        while self.buffer.len() < length {
            self.read_more().await?;
        }
        answer.body = String::from_utf8(self.buffer.drain(..length).collect()).unwrap();
        Some(answer)
    }

    async fn read_more(&mut self) -> Option<()> {
        match self.stream.read_buf(&mut self.buffer).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(()),
        }
    }

    /// Reads steadily, but not as fast as it could, and returns how many bytes arrived before the close or `most`.
    pub(crate) async fn read_slowly(&mut self, most: usize) -> usize {
        let (mut arrived, mut chunk) = (0, vec![0; 1 << 20]);
        while arrived < most {
            match timeout(PATIENCE, self.stream.read(&mut chunk)).await.expect("bytes or a close") {
                Ok(0) | Err(_) => break,
                Ok(read) => arrived += read,
            }
            tokio::time::sleep(Duration::from_millis(80)).await;
        }
        arrived
    }

    /// Waits until the other side accepts nothing more, without reading what it sent.
    pub(crate) async fn refused(&mut self) {
        let write = async {
            while self.try_send("x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(PATIENCE, write).await.expect("a close");
    }

    /// Waits for the close and returns how long it took.
    pub(crate) async fn closed(&mut self) -> Duration {
        let since = Instant::now();
        timeout(PATIENCE, async { while self.read_more().await.is_some() {} }).await.expect("a close");
        since.elapsed()
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Whether something took as long as its limit, with some tolerance.
pub(crate) fn took(limit: Duration, measured: Duration) -> bool {
    (limit.mul_f32(0.8)..limit + Duration::from_secs(5)).contains(&measured)
}
