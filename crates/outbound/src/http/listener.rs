//! A destination for tests: counts connections, records requests, and misbehaves on demand.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

/// What to do with a connection.
#[derive(Clone)]
pub(crate) enum Manner {
    /// Answer every request with these bytes and keep the connection open.
    Answer(String),
    /// Answer once and close.
    AnswerAndClose(String),
    /// Read, and never respond.
    Hang,
    /// Close in the middle of a response, with a reset.
    Reset,
    /// These bytes, then one more byte every 20 milliseconds, for ever.
    Drip(String),
    /// These bytes, then an endless stream.
    Flood(String),
}

/// A listener on a loopback address.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    pub(crate) async fn start(ip: &str, manner: Manner) -> Self {
        Self::serve(ip, manner, None).await
    }

    pub(crate) async fn start_tls(manner: Manner, identity: Identity) -> Self {
        let config =
            rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(vec![identity.certificate], identity.key)
                .unwrap();
        Self::serve("127.0.0.1", manner, Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    async fn serve(ip: &str, manner: Manner, tls: Option<TlsAcceptor>) -> Self {
        let socket = TcpListener::bind((ip, 0)).await.unwrap();
        let listener = Self {
            address: socket.local_addr().unwrap(),
            connections: Arc::default(),
            requests: Arc::default(),
        };
        let (connections, requests) = (Arc::clone(&listener.connections), Arc::clone(&listener.requests));
        tokio::spawn(async move {
            while let Ok((stream, _)) = socket.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(meet(stream, manner.clone(), tls.clone(), Arc::clone(&requests)));
            }
        });
        listener
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

async fn meet(
    stream: TcpStream,
    manner: Manner,
    tls: Option<TlsAcceptor>,
    requests: Arc<Mutex<Vec<String>>>,
) {
    match (tls, &manner) {
        (Some(acceptor), _) => {
            if let Ok(stream) = acceptor.accept(stream).await {
                converse(stream, manner, requests).await;
            }
        }
        (None, Manner::Reset) => {
            // Closing with unread bytes in the buffer makes the kernel send a reset.
            stream.readable().await.unwrap();
        }
        (None, _) => converse(stream, manner, requests).await,
    }
}

async fn converse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    manner: Manner,
    requests: Arc<Mutex<Vec<String>>>,
) {
    while let Some(request) = read_request(&mut stream).await {
        requests.lock().unwrap().push(request);
        let written = match &manner {
            Manner::Answer(bytes) => stream.write_all(bytes.as_bytes()).await,
            Manner::AnswerAndClose(bytes) => {
                let _ = stream.write_all(bytes.as_bytes()).await;
                let _ = stream.shutdown().await;
                return;
            }
            Manner::Hang => std::future::pending().await,
            Manner::Reset => return,
            Manner::Drip(bytes) => go_on(&mut stream, bytes, b"x", Duration::from_millis(20)).await,
            Manner::Flood(bytes) => go_on(&mut stream, bytes, &[b'x'; 16_384], Duration::ZERO).await,
        };
        if written.is_err() {
            return;
        }
    }
}

async fn go_on(
    stream: &mut (impl AsyncWrite + Unpin),
    first: &str,
    more: &[u8],
    pause: Duration,
) -> std::io::Result<()> {
    stream.write_all(first.as_bytes()).await?;
    loop {
        stream.write_all(more).await?;
        tokio::time::sleep(pause).await;
    }
}

/// Head and body of one request with a `Content-Length`.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
        let mut buffer = [0; 4096];
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// A server's certificate with its key.
pub(crate) struct Identity {
    pub(crate) certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Self-signed, so that trusting it includes no other certificate.
    pub(crate) fn of(host: &str) -> Self {
        let issued = rcgen::generate_simple_self_signed([host.to_owned()]).unwrap();
        Self {
            certificate: issued.cert.der().clone(),
            key: PrivateKeyDer::Pkcs8(issued.signing_key.serialize_der().into()),
        }
    }
}
