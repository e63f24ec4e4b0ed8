//! Receivers of security events: a syslog server over TLS, or an HTTPS address.
//!
//! The operator configures them, not a tenant, and they usually are in the operator's own network, so private
//! addresses are allowed here. Both protocols confirm: a call that succeeds means that the receiver has read every
//! event.

#[cfg(test)]
mod tests;

use std::{fmt, io, sync::Arc, time::Duration};

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use rustls::pki_types::ServerName;
use serde::Deserialize;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};
use url::Url;

use crate::{
    connector::{Connector, ConnectorError},
    http::chain,
    trust::Trust,
};

/// The timeout of one batch, from the connection to the confirmation.
const PATIENCE: Duration = Duration::from_secs(30);
/// Facility "security/authorization messages", severity "informational" or "warning".
const INFORMATIONAL: u8 = 10 * 8 + 6;
const WARNING: u8 = 10 * 8 + 4;

/// A receiver. It gets lines of JSON.
#[derive(Debug)]
pub enum Collector {
    Syslog(SyslogCollector),
    Https(HttpsCollector),
}

impl Collector {
    /// A name for files and the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Syslog(_) => "syslog",
            Self::Https(_) => "https",
        }
    }

    /// Sends all of them, or returns why the receiver may not have them all.
    pub async fn send(&self, lines: &[String]) -> Result<(), String> {
        match self {
            Self::Syslog(syslog) => match timeout(PATIENCE, syslog.send(lines)).await {
                Ok(sent) => sent.map_err(|error| chain(&error)),
                Err(_) => Err("the syslog server did not confirm in time".to_owned()),
            },
            Self::Https(https) => https.send(lines).await,
        }
    }
}

/// Sends RFC 5424 messages over TLS with the framing of RFC 5425.
pub struct SyslogCollector {
    host: String,
    port: u16,
    name: ServerName<'static>,
    tls: TlsConnector,
    /// The host name in messages.
    machine: String,
}

impl fmt::Debug for SyslogCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SyslogCollector({}:{})", self.host, self.port)
    }
}

impl SyslogCollector {
    pub fn new(host: &str, port: u16, machine: &str, trust: &Trust) -> Result<Self, ConnectorError> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| rustls::Error::General(format!("{host} is no name of a server")))?;
        let tls = TlsConnector::from(Arc::new(trust.client_config()?));
        Ok(Self { host: host.to_owned(), port, name, tls, machine: printable(machine) })
    }

    /// Syslog has no responses. The end of the connection is the confirmation: the server closes its side, as RFC
    /// 5425 requires, only after it has read ours to the end; one that dies before resets the connection instead.
    async fn send(&self, lines: &[String]) -> io::Result<()> {
        let tcp = TcpStream::connect((self.host.as_str(), self.port)).await?;
        let mut stream = self.tls.connect(self.name.clone(), tcp).await?;
        for line in lines {
            let message = syslog(line, &self.machine);
            stream.write_all(format!("{} {message}", message.len()).as_bytes()).await?;
        }
        stream.shutdown().await?;
        read_to_end(&mut stream).await
    }
}

async fn read_to_end(stream: &mut TlsStream<TcpStream>) -> io::Result<()> {
    let mut ignored = [0; 256];
    loop {
        match stream.read(&mut ignored).await {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            // The connection ended in order, but without the `close_notify` of TLS, which many servers omit.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// The fields of an event in the header of a message.
#[derive(Debug, Default, Deserialize)]
struct Head {
    #[serde(default)]
    time: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    outcome: String,
}

/// One message: the header by RFC 5424, then the event as JSON. There is no structured data, because that needs a
/// registered enterprise number.
fn syslog(line: &str, machine: &str) -> String {
    let head: Head = serde_json::from_str(line).unwrap_or_default();
    let priority = if head.outcome == "refused" { WARNING } else { INFORMATIONAL };
    let or_nil = |text: &str| if text.is_empty() { "-".to_owned() } else { printable(text) };
    format!(
        "<{priority}>1 {} {} tidewall {} {} - {line}",
        or_nil(&head.time),
        or_nil(machine),
        std::process::id(),
        or_nil(&head.event)
    )
}

/// Replaces characters that are not allowed in the header of a message.
fn printable(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).take(48).collect()
}

/// Posts lines of JSON.
pub struct HttpsCollector {
    client: reqwest::Client,
    url: Url,
    authorization: Option<HeaderValue>,
}

impl fmt::Debug for HttpsCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpsCollector(…)")
    }
}

impl HttpsCollector {
    /// `authorization` is the header's value, such as `Bearer …` or `Splunk …`.
    pub fn new(url: Url, authorization: Option<&str>, trust: Trust) -> Result<Self, ConnectorError> {
        // The settings allow plain http on this machine only; anything else must be https.
        let plain = (url.scheme() == "http").then(|| url.origin().ascii_serialization());
        let mut connector = Connector::new(trust, plain.as_slice());
        connector.accepts = |_| true;
        connector.timeouts.total = PATIENCE;
        let authorization =
            authorization.and_then(|text| HeaderValue::from_str(text).ok()).map(|mut value| {
                value.set_sensitive(true);
                value
            });
        Ok(Self { client: connector.client()?, url, authorization })
    }

    async fn send(&self, lines: &[String]) -> Result<(), String> {
        let mut body = lines.join("\n");
        body.push('\n');
        let kind = HeaderValue::from_static("application/x-ndjson");
        let mut request = self.client.post(self.url.clone()).header(CONTENT_TYPE, kind).body(body);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await.map_err(|error| chain(&error.without_url()))?;
        let status = response.status();
        if status.is_success() { Ok(()) } else { Err(format!("the receiver answered {status}")) }
    }
}
