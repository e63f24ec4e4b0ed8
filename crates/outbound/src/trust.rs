//! The certificate authorities that outgoing TLS trusts, and its cryptography.
//!
//! Shared by chat and mail, so that a bank's own authority, installed in the system or named by `SSL_CERT_FILE`,
//! applies to both.

use std::sync::Arc;

use rustls::{
    ClientConfig, RootCertStore,
    crypto::{CryptoProvider, ring},
    pki_types::CertificateDer,
};

/// A set of certificate authorities.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    roots: Vec<CertificateDer<'static>>,
}

impl Trust {
    /// The authorities of this machine. An empty set is not fatal here: the service starts and warns, and every TLS
    /// connection fails until authorities are installed.
    pub fn system() -> Self {
        let found = rustls_native_certs::load_native_certs();
        for error in &found.errors {
            tracing::warn!(%error, "a certificate authority of this machine cannot be read");
        }
        let trust = Self::only(found.certs);
        if trust.roots.is_empty() {
            tracing::warn!(
                "no certificate authorities found: chat and mail cannot be sent over TLS; install the \
                 ca-certificates package or set SSL_CERT_FILE"
            );
        }
        trust
    }

    /// Exactly these authorities; those that cannot be parsed are left out, because they could never verify anything.
    pub fn only(roots: impl IntoIterator<Item = CertificateDer<'static>>) -> Self {
        let parses = |root: &CertificateDer<'static>| RootCertStore::empty().add(root.clone()).is_ok();
        Self { roots: roots.into_iter().filter(parses).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    pub(crate) fn roots(&self) -> &[CertificateDer<'static>] {
        &self.roots
    }

    /// TLS 1.2 or newer with these authorities, on the one provider that is built in.
    pub(crate) fn client_config(&self) -> Result<ClientConfig, rustls::Error> {
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(self.roots.iter().cloned());
        let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
        Ok(ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(store)
            .with_no_client_auth())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_certificate_is_not_trusted() {
        let trust = Trust::only([CertificateDer::from(vec![1, 2, 3])]);
        assert!(trust.is_empty());
        assert!(trust.client_config().is_ok());
    }
}
