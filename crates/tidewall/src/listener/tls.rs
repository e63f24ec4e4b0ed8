//! TLS with a certificate and key from two files, which can be replaced while running.

use std::{
    fmt, io,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use domain::moment::Moment;
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use rustls_pki_types::{
    CertificateDer, PrivateKeyDer,
    pem::{self, PemObject as _},
};
use tokio_rustls::TlsAcceptor;
use x509_cert::{Certificate, der::Decode as _};

use crate::{config::TlsFiles, lifecycle::Reload};

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("tls.cert_file ({}) holds no usable certificate chain: {error}; name a PEM file with the chain, the server's certificate first", path.display())]
    Certificate { path: PathBuf, error: pem::Error },
    #[error("tls.cert_file ({}) holds no certificate; name a PEM file with the chain, the server's certificate first", path.display())]
    NoCertificate { path: PathBuf },
    #[error("tls.key_file ({}) holds no usable private key: {error}; name a PEM file with the certificate's key, not encrypted", path.display())]
    Key { path: PathBuf, error: pem::Error },
    #[error(
        "tls.cert_file and tls.key_file cannot be used together: {0}; name a certificate and its own key"
    )]
    Pair(rustls::Error),
    #[error("the certificate could not be read again: {0}")]
    Interrupted(io::Error),
}

/// Wraps connections in TLS with the current certificate.
#[derive(Clone)]
pub struct Tls {
    pub(super) acceptor: TlsAcceptor,
    current: Arc<CurrentCertificate>,
    files: TlsFiles,
}

impl fmt::Debug for Tls {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Tls {
    /// Reads both files. Blocks.
    pub fn load(files: TlsFiles, http2: bool) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let current = Arc::new(CurrentCertificate(RwLock::new(read_pair(&files, &provider)?)));
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Pair)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        if http2 {
            config.alpn_protocols.push(b"h2".to_vec());
        }
        config.alpn_protocols.push(b"http/1.1".to_vec());
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), current, files })
    }

    /// When the current certificate ends, if it can be parsed.
    pub fn ends_at(&self) -> Option<Moment> {
        let pair = Arc::clone(&self.current.0.read().unwrap_or_else(PoisonError::into_inner));
        let certificate = Certificate::from_der(pair.cert.first()?).ok()?;
        let end = certificate.tbs_certificate.validity.not_after.to_unix_duration();
        Some(Moment::from_millis(i64::try_from(end.as_millis()).ok()?))
    }

    /// Reads the files again and uses them for new connections. On failure the old pair stays.
    pub async fn reload(&self) -> Result<(), TlsError> {
        let files = self.files.clone();
        let read = tokio::task::spawn_blocking(move || read_pair(&files, &ring::default_provider()));
        let pair = read.await.map_err(|error| TlsError::Interrupted(io::Error::other(error)))??;
        *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }

    /// Reloads on every request, for the life of the process.
    pub async fn reload_whenever(self, mut reload: Reload) {
        loop {
            reload.requested().await;
            match self.reload().await {
                Ok(()) => tracing::info!("the TLS certificate was read again"),
                Err(error) => tracing::error!(%error, "the old TLS certificate stays in force"),
            }
        }
    }
}

#[derive(Debug)]
struct CurrentCertificate(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn read_pair(files: &TlsFiles, provider: &CryptoProvider) -> Result<Arc<CertifiedKey>, TlsError> {
    let path = || files.cert_file.clone();
    let unusable = |error| TlsError::Certificate { path: path(), error };
    let chain = CertificateDer::pem_file_iter(&files.cert_file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(unusable)?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate { path: path() });
    }
    let key = PrivateKeyDer::from_pem_file(&files.key_file)
        .map_err(|error| TlsError::Key { path: files.key_file.clone(), error })?;
    let pair = CertifiedKey::from_der(chain, key, provider).map_err(TlsError::Pair)?;
    Ok(Arc::new(pair))
}
