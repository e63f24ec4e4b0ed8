//! Whether a server of ours answers. Says nothing more than that; what is asked of it is asked elsewhere.

use std::io;

use tokio::net::TcpStream;
use url::Url;

use crate::config::SecretUrl;

const REDIS_PORT: u16 = 6379;

/// Asks Redis or Valkey for a sign of life. Under TLS the open connection is the sign.
pub(crate) async fn redis(url: SecretUrl) -> Result<(), String> {
    let url = Url::parse(url.expose()).map_err(|error| error.to_string())?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let stream = TcpStream::connect((host, url.port().unwrap_or(REDIS_PORT)))
        .await
        .map_err(|error| error.to_string())?;
    if url.scheme() == "rediss" {
        return Ok(());
    }
    pong(&stream).await.map_err(|error| error.to_string())
}

async fn pong(stream: &TcpStream) -> io::Result<()> {
    again(|| stream.try_write(b"PING\r\n"), || stream.writable()).await?;
    let mut answer = [0; 1];
    again(|| stream.try_read(&mut answer), || stream.readable()).await?;
    // A server that wants a password first is there all the same.
    if matches!(answer[0], b'+' | b'-') { Ok(()) } else { Err(io::Error::other("it does not speak Redis")) }
}

/// Tries until the socket is ready; being ready may turn out to be a false alarm.
async fn again<F: Future<Output = io::Result<()>>>(
    mut attempt: impl FnMut() -> io::Result<usize>,
    ready: impl Fn() -> F,
) -> io::Result<usize> {
    loop {
        ready().await?;
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            done => return done,
        }
    }
}
