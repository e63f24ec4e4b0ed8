use std::{fs, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use tempfile::TempDir;
use tidewall::{
    config::TlsFiles,
    listener::{ListenerOptions, Tls, TlsError},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::{
    client::{Client, took},
    server::{Server, limits, options},
};

/// Writes a fresh self-signed pair and returns the certificate.
pub(crate) fn new_pair(files: &TlsFiles) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(&files.cert_file, cert.pem()).unwrap();
    fs::write(&files.key_file, signing_key.serialize_pem()).unwrap();
    cert.into()
}

pub(crate) fn files(directory: &Path) -> TlsFiles {
    TlsFiles { cert_file: directory.join("cert.pem"), key_file: directory.join("key.pem") }
}

pub(crate) async fn connect(
    address: SocketAddr,
    trusted: &CertificateDer<'static>,
    alpn: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("localhost").unwrap(), stream).await
}

#[tokio::test]
async fn a_round_trip_over_tls_with_a_certificate_that_changes() {
    let directory = TempDir::new().unwrap();
    let files = files(directory.path());
    let first = new_pair(&files);
    let tls = Tls::load(files.clone(), false).unwrap();
    let server = Server::start(ListenerOptions { tls: Some(tls.clone()), ..options(limits()) });

    let mut client = Client::over(connect(server.address, &first, &[]).await.unwrap());
    client.request("GET", "/").await;
    assert_eq!(client.answer().await.unwrap().body, "hello");

    let second = new_pair(&files);
    assert!(connect(server.address, &second, &[]).await.is_err(), "not read again yet");
    tls.reload().await.unwrap();
    assert!(connect(server.address, &second, &[]).await.is_ok());
    assert!(connect(server.address, &first, &[]).await.is_err());

    fs::write(&files.key_file, "not a key").unwrap();
    assert!(matches!(tls.reload().await, Err(TlsError::Key { .. })));
    assert!(connect(server.address, &second, &[]).await.is_ok(), "the old pair stays in force");
}

#[tokio::test]
async fn http2_is_offered_only_when_asked_for() {
    let directory = TempDir::new().unwrap();
    let files = files(directory.path());
    let certificate = new_pair(&files);
    for (http2, agreed) in [(false, "http/1.1"), (true, "h2")] {
        let tls = Tls::load(files.clone(), http2).unwrap();
        let limits = tidewall::listener::Limits { http2, ..limits() };
        let server = Server::start(ListenerOptions { tls: Some(tls), ..options(limits) });
        let stream = connect(server.address, &certificate, &["h2", "http/1.1"]).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(agreed.as_bytes()));
    }
}

#[tokio::test]
async fn a_handshake_that_does_not_come_or_is_not_one_is_closed() {
    let directory = TempDir::new().unwrap();
    let files = files(directory.path());
    let certificate = new_pair(&files);
    let tls = Tls::load(files, false).unwrap();
    let server = Server::start(ListenerOptions { tls: Some(tls), ..options(limits()) });
    let mut silent = Client::connect(server.address).await;
    let mut plain = Client::connect(server.address).await;
    plain.request("GET", "/").await;
    assert!(plain.closed().await < Duration::from_secs(5));
    assert!(took(limits().header, silent.closed().await));
    assert!(connect(server.address, &certificate, &[]).await.is_ok());
}

#[test]
fn files_that_cannot_be_used_are_named_with_their_setting() {
    let directory = TempDir::new().unwrap();
    let files = files(directory.path());
    let complaint = |files: &TlsFiles| Tls::load(files.clone(), false).unwrap_err().to_string();
    assert!(complaint(&files).starts_with("tls.cert_file ("));
    new_pair(&files);
    let other = TlsFiles { key_file: directory.path().join("other.pem"), ..files.clone() };
    assert!(complaint(&other).starts_with("tls.key_file ("));
    let stranger = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(&other.key_file, stranger.signing_key.serialize_pem()).unwrap();
    assert!(complaint(&other).starts_with("tls.cert_file and tls.key_file cannot be used together"));
    fs::write(&files.cert_file, "").unwrap();
    assert!(complaint(&files).starts_with("tls.cert_file ("));
}
