//! Ports to listen on and servers to reach.

use std::{
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _},
    time::Duration,
};

use store::shared_count::{CountError, SharedCount};
use url::Url;

use super::Finding;
use crate::config::{SecretUrl, SmtpSettings};

const PATIENCE: Duration = Duration::from_secs(3);

/// Whether the port is free, or taken by the service itself.
pub(super) fn listen(setting: &'static str, address: SocketAddr, tls: bool) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::ok(setting, format!("{address} is free")),
        Err(error) if error.kind() != io::ErrorKind::AddrInUse => Finding::fault(
            setting,
            format!("cannot listen on {address} ({error})"),
            "choose an address of this machine, and a port above 1023 unless the process may use lower ones",
        ),
        Err(_) if is_tidewall(address, setting) => {
            Finding::ok(setting, format!("a running service answers on {address}"))
        }
        Err(_) if tls => Finding::warning(
            setting,
            format!("{address} is in use, perhaps by the running service"),
            "if no service is running, choose another port or stop what uses this one",
        ),
        Err(_) => Finding::fault(
            setting,
            format!("{address} is in use by something else"),
            format!("choose another port for {setting} or stop what uses this one"),
        ),
    }
}

/// Whether this service answers there: each listener serves something that no other program does.
fn is_tidewall(address: SocketAddr, setting: &str) -> bool {
    let (path, sign) =
        if setting == "listen" { ("/api/ping", "\"pong\"") } else { ("/metrics", "tidewall_") };
    let ask = || -> io::Result<Vec<u8>> {
        let mut stream = connect(address)?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: doctor\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.take(4096).read_to_end(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| {
        // The response may be truncated in the middle of a character.
        let answer = String::from_utf8_lossy(&answer);
        answer.starts_with("HTTP/1.1 200") && answer.contains(sign)
    })
}

/// Pings it as the service does, with the same client, credentials and encryption.
pub(super) fn redis(url: &SecretUrl) -> Finding {
    const CHECK: &str = "redis_url";
    let remedy = "start it or correct redis_url; without it each node counts limits for itself";
    let ask = || -> io::Result<Result<(), CountError>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(async { SharedCount::new(url.expose())?.ping().await }))
    };
    let server = server(url, 6379);
    match ask() {
        Ok(Ok(())) => Finding::ok(CHECK, format!("{server} answers")),
        Ok(Err(error)) => Finding::fault(CHECK, format!("{server}: {error}"), remedy),
        Err(error) => Finding::fault(CHECK, format!("{server} cannot be asked ({error})"), remedy),
    }
}

/// Host and port of an address: the only parts that may be printed.
fn server(url: &SecretUrl, default_port: u16) -> String {
    let url = Url::parse(url.expose()).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or("the server");
    format!("{host}:{}", url.as_ref().and_then(Url::port).unwrap_or(default_port))
}

pub(super) fn mail(smtp: &SmtpSettings) -> Finding {
    const CHECK: &str = "smtp.url";
    let implicit_tls = smtp.url.expose().starts_with("smtps:");
    let reached = reach(&smtp.url, if implicit_tls { 465 } else { 587 });
    let remedy = "start the mail server or correct smtp.url; until then messages wait";
    match reached {
        Ok((server, _)) if implicit_tls => Finding::ok(CHECK, format!("{server} can be reached")),
        Ok((server, stream)) if greets(&stream) => {
            Finding::ok(CHECK, format!("{server} greets as a mail server"))
        }
        Ok((server, _)) => Finding::fault(CHECK, format!("{server} does not greet as a mail server"), remedy),
        Err(detail) => Finding::fault(CHECK, detail, remedy),
    }
}

fn greets(mut stream: &TcpStream) -> bool {
    let mut greeting = [0; 3];
    stream.read_exact(&mut greeting).is_ok() && &greeting == b"220"
}

/// Connects to the server of an address and returns its name and the connection, or an error. Never prints more of
/// the address than host and port.
fn reach(url: &SecretUrl, default_port: u16) -> Result<(String, TcpStream), String> {
    let url = Url::parse(url.expose()).map_err(|error| error.to_string())?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port().unwrap_or(default_port);
    let server = format!("{host}:{port}");
    let addresses =
        (host, port).to_socket_addrs().map_err(|error| format!("{server} cannot be resolved ({error})"))?;
    let mut trouble = format!("{server} has no address");
    for address in addresses {
        match connect(address) {
            Ok(stream) => return Ok((server, stream)),
            Err(error) => trouble = format!("{server} cannot be reached ({error})"),
        }
    }
    Err(trouble)
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}
