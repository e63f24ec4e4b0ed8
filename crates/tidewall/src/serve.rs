//! The running service: its listeners, bound according to the settings, until the process drains.
//!
//! Two steps, because they fail differently: a port that is taken should stop the start before a store is opened, and
//! serving begins only when everything behind the routers is ready. The routers are built elsewhere.

use std::{io, net::SocketAddr, sync::Arc};

use app::health::CertificateEnd;
use axum::Router;

use crate::{
    config::Settings,
    lifecycle::{Reload, Shutdown},
    listener::{
        self, AllowedHosts, Limits, Listener, ListenerOptions, Tls, TlsError, TrustedProxies, make_room,
    },
};

/// Liveness probes; refusing them would get a busy process killed.
const PROBES: &[&str] = &["/api/healthz", "/api/ping"];
/// The operator's listener serves a scraper or two.
const OPERATOR_CONNECTIONS: u32 = 64;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "{setting}: cannot listen on {address} ({error}); choose an address of this machine and a free port"
    )]
    Listen { setting: &'static str, address: SocketAddr, error: io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// The routers, by listener.
#[derive(Debug)]
pub struct Surfaces<P> {
    pub public: P,
    /// Metrics and the like; served only where the operator's listener is on.
    pub operator: Router,
}

/// Bound sockets that are not serving yet.
#[derive(Debug)]
pub struct Listeners {
    public: Listener,
    operator: Option<Listener>,
    tls: Option<Tls>,
}

impl Listeners {
    /// Binds every configured listener. Call it inside the runtime; it reads the two TLS files.
    pub fn bind(settings: &Settings) -> Result<Self, ServeError> {
        let server = &settings.server;
        let limits =
            Limits { max_connections: make_room(server.limits.max_connections), ..server.limits.clone() };
        let tls = settings.tls.clone().map(|files| Tls::load(files, limits.http2)).transpose()?;
        let operator = settings.operator_listen.map(|address| bind_operator(address, &limits)).transpose()?;
        let options = ListenerOptions {
            limits,
            proxies: TrustedProxies::new(server.trusted_proxies.clone()),
            tls: tls.clone(),
            never_shed: PROBES,
            hosts: AllowedHosts::new(server.allowed_hosts.clone()),
            https: settings.public_url.starts_with("https://"),
        };
        Ok(Self { public: bind("listen", settings.listen, options)?, operator, tls })
    }

    /// The service's address; with port 0 in the settings, the one the system chose.
    pub fn address(&self) -> SocketAddr {
        self.public.address()
    }

    /// When the certificate in force ends, if TLS is on.
    pub fn certificate_end(&self) -> Option<CertificateEnd> {
        let tls = self.tls.clone()?;
        Some(CertificateEnd(Arc::new(move || tls.ends_at())))
    }

    pub fn operator_address(&self) -> Option<SocketAddr> {
        self.operator.as_ref().map(Listener::address)
    }

    /// Writes the addresses to the log.
    pub fn announce(&self) {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        tracing::info!("listening on {scheme}://{}", self.address());
        if let Some(operator) = self.operator_address() {
            tracing::info!("operator's listener on http://{operator}");
        }
    }

    /// Serves until the process drains and every request is answered.
    pub async fn serve<P: listener::Router>(self, surfaces: Surfaces<P>, shutdown: Shutdown, reload: Reload) {
        if let Some(tls) = self.tls {
            tokio::spawn(tls.reload_whenever(reload));
        }
        let public = self.public.serve(surfaces.public, shutdown.clone());
        match self.operator {
            None => public.await,
            Some(operator) => {
                tokio::join!(public, operator.serve(surfaces.operator, shutdown));
            }
        }
    }
}

fn bind(
    setting: &'static str,
    address: SocketAddr,
    options: ListenerOptions,
) -> Result<Listener, ServeError> {
    Listener::bind(address, options).map_err(|error| ServeError::Listen { setting, address, error })
}

fn bind_operator(address: SocketAddr, limits: &Limits) -> Result<Listener, ServeError> {
    let limits = Limits {
        max_connections: OPERATOR_CONNECTIONS,
        max_in_flight: OPERATOR_CONNECTIONS as usize,
        http2: false,
        ..limits.clone()
    };
    let options = ListenerOptions {
        limits,
        proxies: TrustedProxies::default(),
        tls: None,
        never_shed: &[],
        hosts: AllowedHosts::default(),
        https: false,
    };
    bind("operator.listen", address, options)
}
