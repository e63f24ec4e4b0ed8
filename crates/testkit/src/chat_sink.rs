//! A chat destination on this machine with configurable, also bad, behaviour, which records what it received.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::hmac;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::sleep,
};

/// How the destination responds to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Confirms like Slack.
    Ok,
    Status(u16),
    /// A status with further header lines, each ending in CRLF.
    Headers(u16, String),
    /// Confirms after a delay.
    Slow(Duration),
    /// Accepts the message and never responds.
    Hang,
    /// Resets the connection.
    Reset,
    /// Sends its response a byte at a time, slower than any timeout.
    Drip,
    /// Confirms with an endless body.
    Endless,
    Redirect(String),
}

/// A message that arrived.
#[derive(Debug, Clone)]
pub struct Message {
    pub path: String,
    /// The headers, with names in lower case.
    pub headers: HashMap<String, String>,
    /// The bytes of the body as they came.
    pub bytes: Vec<u8>,
    pub body: Value,
    /// How the destination responded.
    pub reply: Reply,
}

impl Message {
    /// The ids of the events in it.
    pub fn events(&self) -> Vec<String> {
        let blocks = self.body["blocks"].as_array().into_iter().flatten();
        let ids = blocks.filter_map(|block| block["block_id"].as_str());
        ids.filter(|id| id.starts_with("evt_")).map(str::to_owned).collect()
    }
}

impl Message {
    /// Whether the message is signed with this secret, as Standard Webhooks defines.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let header = |name: &str| self.headers.get(name).cloned().unwrap_or_default();
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let signed =
            [format!("{}.{}.", header("webhook-id"), header("webhook-timestamp")).as_bytes(), &self.bytes]
                .concat();
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed);
        let wanted = format!("v1,{}", STANDARD.encode(tag));
        header("webhook-signature").split(' ').any(|signature| signature == wanted)
    }
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<Message>,
    scripts: HashMap<String, VecDeque<Reply>>,
    habits: HashMap<String, Reply>,
    open: HashMap<String, usize>,
    most_open: HashMap<String, usize>,
}

/// The running destination. Every path of it is a destination of its own.
#[derive(Debug, Clone)]
pub struct ChatSink {
    /// For the list of development destinations.
    pub origin: String,
    state: Arc<Mutex<State>>,
}

impl ChatSink {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let sink = Self { origin, state };
        let accepting = sink.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sink = accepting.clone();
                // A broken connection is an expected case.
                tokio::spawn(async move { sink.serve(stream).await });
            }
        });
        sink
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Sets the response of the path from now on.
    pub fn always(&self, path: &str, reply: Reply) {
        self.state.lock().unwrap().habits.insert(path.into(), reply);
    }

    /// Sets the responses to the next messages of the path, before it returns to its usual one.
    pub fn next(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().scripts.entry(path.into()).or_default().extend(replies);
    }

    pub fn messages(&self) -> Vec<Message> {
        self.state.lock().unwrap().messages.clone()
    }

    pub fn messages_at(&self, path: &str) -> Vec<Message> {
        let state = self.state.lock().unwrap();
        state.messages.iter().filter(|message| message.path == path).cloned().collect()
    }

    pub fn count(&self) -> usize {
        self.state.lock().unwrap().messages.len()
    }

    /// Takes the messages received since the last call.
    pub fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.state.lock().unwrap().messages)
    }

    pub fn forget(&self) {
        self.take();
    }

    /// The maximum number of concurrent messages to this path.
    pub fn most_at_once(&self, path: &str) -> usize {
        self.state.lock().unwrap().most_open.get(path).copied().unwrap_or(0)
    }

    fn arrived(&self, path: &str, headers: HashMap<String, String>, bytes: Vec<u8>) -> Reply {
        let mut state = self.state.lock().unwrap();
        let scripted = state.scripts.get_mut(path).and_then(VecDeque::pop_front);
        let reply = scripted.or_else(|| state.habits.get(path).cloned()).unwrap_or(Reply::Ok);
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        state.messages.push(Message { path: path.into(), headers, bytes, body, reply: reply.clone() });
        let open = state.open.entry(path.into()).or_default();
        *open += 1;
        let open = *open;
        let most = state.most_open.entry(path.into()).or_default();
        *most = (*most).max(open);
        reply
    }

    fn left(&self, path: &str) {
        if let Some(open) = self.state.lock().unwrap().open.get_mut(path) {
            *open -= 1;
        }
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut buffer = Vec::new();
        loop {
            let (path, headers, body) = request(&mut stream, &mut buffer).await?;
            let reply = self.arrived(&path, headers, body);
            let text = behave(&mut stream, reply).await;
            // Counted as finished before the response is complete: the sender's next message may arrive at once.
            self.left(&path);
            stream.write_all(text?.as_bytes()).await.ok()?;
        }
    }
}

/// Reads one request: its path, its headers and its body.
async fn request(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> Option<(String, HashMap<String, String>, Vec<u8>)> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        read_more(stream, buffer).await?;
    };
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    let path = head.split(' ').nth(1)?.to_owned();
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let headers: HashMap<_, _> =
        lines.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let total = end + length.unwrap_or(0_usize);
    while buffer.len() < total {
        read_more(stream, buffer).await?;
    }
    let body = buffer[end..total].to_vec();
    buffer.drain(..total);
    Some((path, headers, body))
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let read = stream.read_buf(buffer).await.ok()?;
    (read > 0).then_some(())
}

/// Responds as configured, up to the body. `None` if the connection was closed.
async fn behave(stream: &mut TcpStream, reply: Reply) -> Option<String> {
    let text = match reply {
        Reply::Ok => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_owned(),
        Reply::Slow(wait) => {
            sleep(wait).await;
            "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_owned()
        }
        Reply::Status(status) => format!("HTTP/1.1 {status} No\r\ncontent-length: 2\r\n\r\nno"),
        Reply::Headers(status, lines) => {
            format!("HTTP/1.1 {status} No\r\n{lines}content-length: 2\r\n\r\nno")
        }
        Reply::Redirect(to) => format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"),
        Reply::Hang => {
            // Until the sender gives up and closes.
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
            return None;
        }
        Reply::Reset => {
            stream.set_zero_linger().ok()?;
            return None;
        }
        Reply::Drip => {
            for byte in b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok" {
                stream.write_all(&[*byte]).await.ok()?;
                sleep(Duration::from_millis(200)).await;
            }
            return None;
        }
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nok").await.ok()?;
            loop {
                stream.write_all(&[b' '; 4096]).await.ok()?;
            }
        }
    };
    Some(text)
}
